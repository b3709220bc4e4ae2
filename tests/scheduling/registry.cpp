#include "../../docs/examples/user_schedule.hpp"
#include "driver.hpp"

#include <memory>
#include <support/errors.hpp>
#include <thread>

#include <yoke/error.hpp>

using namespace driver;
using scheduling::register_schedule;

namespace {

std::unique_ptr<schedule> make_heavy(const scheduling::schedule_options&, const workload& work,
                                     std::span<const unit> units) {
  return std::make_unique<heavy_to_gpus>(work, std::vector<unit>{units.begin(), units.end()});
}

std::string refusal(std::string_view name, scheduling::schedule_factory factory = make_heavy) {
  return support::message_of<error>([&] { register_schedule(name, std::move(factory)); });
}

bool is_listed(std::string_view name) {
  return std::ranges::any_of(scheduling::all(), [&](const auto& info) { return info.name == name; });
}

}  // namespace

TEST_CASE("a registered schedule is made by its name and listed with its texts", "[scheduling]") {
  {
    const std::string name = "heavy", rule = "heavy ones to GPUs";
    register_schedule({.name = name, .options = "chunk=k", .rule = rule}, make_heavy);
  }
  CHECK(scheduling::make("heavy,chunk=3", {.n_tasks = 4}, make_units(1, 1))->describe() ==
        "heavy-to-gpus: anew in every pass");
  CHECK(scheduling::all().back().rule == "heavy ones to GPUs");
  register_schedule("a\\,b", make_heavy);
  CHECK(scheduling::make("a\\,b", {.n_tasks = 4}, make_units(1, 1))->describe() ==
        "heavy-to-gpus: anew in every pass");
  const auto message_of_check = [](const char* spec) {
    return support::message_of<error>([&] { scheduling::check(spec, "YOKE_SCHEDULE"); });
  };
  CHECK(message_of_check("help").find("\n  heavy, chunk=k: heavy ones to GPUs\n") != std::string::npos);
  CHECK(message_of_check("heavi").find("did you mean heavy?") != std::string::npos);
  CHECK(message_of_check("heavy,size=3").find("heavy has no option \"size\"") != std::string::npos);
}

TEST_CASE("a name is registered once, and only a name that can be asked for", "[scheduling][errors]") {
  register_schedule("once", make_heavy);
  CHECK(refusal("once") == "register_schedule(\"once\"): there is such a schedule; give another name");
  CHECK(refusal("auto") == "register_schedule(\"auto\"): there is such a schedule; give another name");
  CHECK(refusal("") == "register_schedule(\"\"): the name is empty");
  CHECK(refusal("a,b") ==
        "register_schedule(\"a,b\"): a name has no comma, but as \"\\,\": options follow it");
  CHECK(refusal("help").find("lists the schedules") != std::string::npos);
  CHECK(refusal("no-factory", {}).find("there is no factory") != std::string::npos);
  CHECK_FALSE(is_listed("no-factory"));
}

TEST_CASE("a factory that gives nothing is a usage error", "[scheduling][errors]") {
  register_schedule("nothing", [](const auto&, const auto&, auto) { return nullptr; });
  CHECK(support::message_of<error>([] { scheduling::check("nothing"); }) ==
        "nothing: its factory gave no schedule (a null pointer)");
}

TEST_CASE("threads may register and make schedules at the same time", "[scheduling][threads]") {
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string name = "of-" + std::to_string(t) + "-" + std::to_string(i);
        register_schedule(name, make_heavy);
        if (scheduling::make(name, {.n_tasks = 1}, make_units(1, 0)) != nullptr) ++made;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(made == 40);
  for (int t = 0; t < 4; ++t) CHECK(is_listed("of-" + std::to_string(t) + "-9"));
}
