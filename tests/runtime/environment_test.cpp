#include <atomic>
#include <limits>
#include <map>
#include <omp.h>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/affinity.hpp>
#include <yoke/topology.hpp>
#include <yoke/yoke.hpp>

using yoke::runtime;
using yoke::runtime_options;
using yoke::sourced;

namespace {

/// Variables for the time of one test case.
class with_environment {
 public:
  explicit with_environment(std::map<std::string, std::string> variables) : variables_{std::move(variables)} {
    for (const auto& [name, value] : variables_) yoke::detail::set_environment(name.c_str(), value);
  }
  ~with_environment() {
    for (const auto& [name, value] : variables_) yoke::detail::unset_environment(name.c_str());
  }

 private:
  std::map<std::string, std::string> variables_;
};

std::string refusal(const runtime_options& options = {}) {
  return support::message_of([&] { const runtime rt{options}; });
}

std::string refusal_in(std::map<std::string, std::string> variables, const runtime_options& options = {}) {
  const with_environment set{std::move(variables)};
  return refusal(options);
}

sourced option(std::string name, std::string value) { return {std::move(value), std::move(name)}; }

yoke::setting_in_force setting(const runtime& rt, const std::string& name) {
  for (const auto& each : rt.settings_in_force()) {
    if (each.name == name) return each;
  }
  return {};
}

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

}  // namespace

TEST_CASE("an unknown YOKE_ variable is refused by its name", "[runtime]") {
  CHECK_THAT(refusal_in({{"YOKE_CUSS", "1x1"}}), StartsWith("YOKE_CUSS=1x1") && Contains("YOKE_CUS"));
}

TEST_CASE("options are plain strings too, and messages name the option", "[runtime]") {
  CHECK_THAT(refusal({.cus = "7x"}), StartsWith("7x (runtime_options.cus): "));
  CHECK_THAT(refusal({.devices = "tpu:0"}), StartsWith("tpu:0 (runtime_options.devices): "));
  CHECK_THAT(refusal({.schedule = std::string{"fastest"}}),
             StartsWith("fastest (runtime_options.schedule): no such schedule"));
  CHECK_THAT(refusal({.cus = "1x1", .trace = "/dev/null/at/all"}),
             StartsWith("/dev/null/at/all (runtime_options.trace): "));
  const runtime rt{{.cus = "1x1", .devices = "none", .schedule = "static"}};
  CHECK(setting(rt, "YOKE_CUS").value == "1x1");
  CHECK(setting(rt, "YOKE_CUS").origin == "runtime_options.cus");
  CHECK(setting(rt, "YOKE_SCHEDULE").value == "static");
}

TEST_CASE("a malformed variable is refused even where an option beats it", "[runtime]") {
  CHECK_THAT(refusal_in({{"YOKE_CUS", "7x"}}, {.cus = option("--cus", "1x1")}), StartsWith("YOKE_CUS=7x"));
  CHECK_THAT(refusal_in({{"YOKE_DEVICES", "tpu:0"}}, {.devices = option("--devices", "none")}),
             StartsWith("YOKE_DEVICES=tpu:0"));
  CHECK_THAT(refusal_in({{"YOKE_SCHEDULE", "fastest"}}, {.schedule = option("--schedule", "static")}),
             StartsWith("YOKE_SCHEDULE=fastest"));
  CHECK_THAT(refusal_in({{"YOKE_EMULATED", "memory=x"}}), StartsWith("YOKE_EMULATED=memory=x"));
  CHECK_THAT(refusal_in({{"YOKE_SMT", "2"}}), StartsWith("YOKE_SMT=2"));
  CHECK_THAT(refusal_in({{"YOKE_CHECK", "on"}}), StartsWith("YOKE_CHECK=on"));
  CHECK_THAT(refusal_in({{"YOKE_DISPLAY_ENV", "yes"}}), StartsWith("YOKE_DISPLAY_ENV=yes"));
}

TEST_CASE("an option is named as the option in messages", "[runtime]") {
  CHECK_THAT(refusal({.cus = option("--cus", "0x2+1")}), StartsWith("--cus 0x2+1"));
  CHECK_THAT(support::message_of([] { const runtime rt{"7x"}; }), Contains("runtime(\"7x\")"));
  CHECK_THAT(refusal({.schedule = option("--schedule", "dynamic,chunk=0")}),
             StartsWith("--schedule dynamic,chunk=0"));
}

TEST_CASE("asking for help lists what is accepted", "[runtime]") {
  CHECK(refusal_in({{"YOKE_DEVICES", "help"}}) ==
        "YOKE_DEVICES: the devices of the GPU compute units, in order; accepted: auto | none | item{;item}, "
        "item = cuda:i{,i} | hip:i{,i} | emulated:c, i = index[/parts[:part] | @sms | *spaces], "
        "c = count[/parts[:part] | @sms | *spaces]");
  CHECK(refusal_in({{"YOKE_EMULATED", "help"}}) ==
        "YOKE_EMULATED: properties of emulated devices; accepted: option=value{,option=value}; options "
        "memory=BYTES[KiB|MiB|GiB], slowdown=X (X >= 1), processors=N (N >= 1), "
        "shared-memory=BYTES[KiB|MiB|GiB], peers=n (n >= 0), fail-alloc=n, fail-copy=n, fail-launch=n, "
        "fail-call=n (n >= 1), lost-after=n (n >= 0)");
  CHECK_THAT(refusal_in({{"YOKE_SCHEDULE", "help"}}), Contains("memorizing"));
  CHECK_THAT(refusal({.devices = option("--devices", "help")}), StartsWith("--devices: "));
}

TEST_CASE("more GPU CUs than devices are refused with the way to name more", "[runtime]") {
  const std::string message =
      refusal({.cus = option("--cus", "1x1+2"), .devices = option("--devices", "emulated:1")});
  CHECK_THAT(message, StartsWith("--cus 1x1+2: 2 GPU CUs asked for, but --devices emulated:1 has 1 device"));
  CHECK_THAT(message, Contains("YOKE_DEVICES=emulated:2"));
  CHECK_THAT(refusal({.cus = option("--cus", "+1"), .devices = option("--devices", "none")}),
             Contains("has 0 devices"));
}

TEST_CASE("a trace that cannot be written is refused at the start", "[runtime]") {
  CHECK_THAT(refusal({.cus = option("--cus", "1x1"), .trace = option("--trace", "/dev/null/trace.json")}),
             StartsWith("--trace /dev/null/trace.json"));
}

// From here on libomp has started with the places of 1x1+1.
TEST_CASE("an option beats its variable, which beats the default", "[runtime]") {
  const with_environment set{{{"YOKE_CUS", "+1"}, {"YOKE_DEVICES", "emulated:1"}}};
  const runtime rt{{.cus = option("--cus", "1x1"), .schedule = option("--schedule", "static")}};
  CHECK(rt.units().shape().text() == "1x1");
  CHECK(setting(rt, "YOKE_CUS").origin == "--cus");
  CHECK(setting(rt, "YOKE_DEVICES").origin == "YOKE_DEVICES");
  CHECK(setting(rt, "YOKE_SCHEDULE").value == "static");
  CHECK(setting(rt, "YOKE_SMT").origin == "default");
}

TEST_CASE("a configuration without GPU CUs opens no device", "[runtime]") {
  const runtime rt{{.cus = option("--cus", "1x1"), .devices = option("--devices", "emulated:2")}};
  CHECK(rt.devices().empty());
  int left_out = 0;
  for (const std::string& note : rt.notes())
    left_out += note.find("is left out") != std::string::npos ? 1 : 0;
  CHECK(left_out == 2);
}

TEST_CASE("a runtime may have other places than an earlier one; its threads are then bound by Yoke",
          "[runtime]") {
  if (yoke::topology::of_this_machine().usable_cpus(false).size() < 2) return support::skip("one CPU only");
  const runtime first{"1x1"};
  runtime second{"1x2"};
  CHECK(second.thread_placement().by == yoke::bound_by::yoke);
  REQUIRE(second.notes().size() >= 1);
  CHECK_THAT(second.notes().back(), StartsWith("runtime(\"1x2\"): OpenMP had started with other places"));
  auto loop = second.make_loop("static", {.n_tasks = 1});
  std::atomic<int> right{0};
  second.run(loop, [&](std::span<const yoke::task_id>) {
#pragma omp parallel num_threads(2)
    right += yoke::is_bound_to(second.units().at(yoke::unit_id{0}).cpus) ? 1 : 0;
  });
  CHECK(right == 2);
  CHECK(second.thread_placement().mended == 0);
}

TEST_CASE("runtimes of different places that run by turns each have their threads on their own CPUs",
          "[runtime]") {
  if (yoke::topology::of_this_machine().usable_cpus(false).size() < 2) return support::skip("one CPU only");
  runtime wide{"1x2"}, narrow{"2x1"};
  for (runtime* rt : {&wide, &narrow, &wide, &narrow}) {
    std::atomic<int> elsewhere{0};
    rt->each_unit(
        [&](yoke::unit_id unit) { elsewhere += yoke::is_bound_to(rt->units().at(unit).cpus) ? 0 : 1; });
    CHECK(elsewhere == 0);
  }
}

TEST_CASE("a thread that something else has moved is put back by the next run, and counted", "[runtime]") {
  if (yoke::topology::of_this_machine().usable_cpus(false).size() < 2) return support::skip("one CPU only");
  runtime rt{"1x1"};
  auto loop = rt.make_loop("static", {.n_tasks = 1});
  const auto is_home = [&] {
    bool home = false;
    rt.run(loop, [&](std::span<const yoke::task_id>) {
      home = yoke::is_bound_to(rt.units().at(yoke::unit_id{0}).cpus);
    });
    return home;
  };
  CHECK(is_home());
  const long long before = rt.thread_placement().mended;
  const int elsewhere = yoke::topology::of_this_machine().usable_cpus(false).back();
  REQUIRE(yoke::bind_this_thread({&elsewhere, 1}));
  CHECK(is_home());
  CHECK(rt.thread_placement().mended == before + 1);
}

TEST_CASE("a run has its teams whatever the program has asked of OpenMP in general", "[runtime]") {
  if (yoke::topology::of_this_machine().usable_cpus(false).size() < 2) return support::skip("one CPU only");
  runtime rt{"1x2"};
  auto loop = rt.make_loop("static", {.n_tasks = 1});
  omp_set_max_active_levels(1);
  omp_set_dynamic(1);
  int threads = 0;
  rt.run(loop, [&](std::span<const yoke::task_id>) {
#pragma omp parallel num_threads(2) reduction(+ : threads)
    threads += 1;
  });
  CHECK(threads == 2);
  CHECK(omp_get_max_active_levels() == 1);
  CHECK(omp_get_dynamic() == 1);
  omp_set_dynamic(0);
}

TEST_CASE("where no configuration is given, CPUs are put together as suits the tasks, and a line says why",
          "[runtime]") {
  const std::size_t cpus = yoke::topology::of_this_machine().usable_cpus(false).size();
  const runtime one{{.devices = "none", .weights = {1}}};
  CHECK(one.units().shape() == yoke::configuration{1, static_cast<int>(cpus), 0});
  REQUIRE(one.notes().size() >= 1);
  CHECK_THAT(one.notes().front(), StartsWith(one.units().shape().text() + ": chosen for 1 tasks on "));
  const runtime many{{.devices = "none", .weights = std::vector<double>(64 * cpus, 2.5)}};
  CHECK(many.units().shape() == yoke::configuration{static_cast<int>(cpus), 1, 0});
  const runtime beside{{.devices = "emulated:1", .weights = {1}}};
  CHECK(beside.units().shape() == yoke::configuration{1, static_cast<int>(cpus), 1});
  const runtime given{{.cus = "1x1", .devices = "none", .weights = {1, 1}}};
  CHECK(given.units().shape() == yoke::configuration{1, 1, 0});
  for (const std::string& note : given.notes()) CHECK(note.find("chosen for") == std::string::npos);
}

TEST_CASE("weights that are none are refused before anything is chosen", "[runtime]") {
  for (const double wrong : {0.0, -1.0, 1e-320, 1e308, std::numeric_limits<double>::infinity()})
    CHECK_THAT(support::message_of<yoke::usage_error>([&] { const runtime rt{{.weights = {1, wrong}}}; }),
               StartsWith("runtime_options.weights: that of task 1 is "));
}

TEST_CASE("models of teams that are none are refused, with what a model is", "[runtime]") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const yoke::scheduling::team_model wrong :
       {yoke::scheduling::team_model{-0.1, 0}, {1.1, 0}, {0, -1}, {0, infinite}, {0, 1e-320}, {0, 0, -1}})
    CHECK_THAT(support::message_of<yoke::usage_error>([&] { const runtime rt{{.team = wrong}}; }),
               StartsWith("runtime_options.team: {") && Contains("fixed_share is from 0 to 1"));
}
