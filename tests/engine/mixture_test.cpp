// Random programs of work, calls of placement and runs.
#include "told_work.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <random>
#include <support/catch.hpp>
#include <thread>

namespace {

using namespace engine_tests;  // NOLINT(google-build-using-namespace)

/// Work, calls of placement and runs in any order, beside what they do one after the other.
class mixture {
 public:
  mixture(yoke::runtime& rt, std::uint64_t seed) : rt_{rt}, on_{runtime_engine::of(rt)}, random_{seed} {
    for (int i = 0; i < 4; ++i) {
      host_.push_back(std::make_unique<std::array<std::int64_t, n>>());
      if (below(2) == 0)
        objects_.emplace_back(rt_, std::span{*host_.back()}, fmt::format("object {}", i));
      else
        objects_.emplace_back(rt_, n, fmt::format("object {}", i));
      model_.push_back({.is_there = objects_.back().where() != yoke::space_id{}});
    }
  }

  std::string run(int n_steps) {
    for (int i = 0; i < n_steps; ++i) {
      if (std::string wrong = go_on(); !wrong.empty()) return fmt::format("step {}: {}", i, wrong);
    }
    for (int p = 0; p < 4; ++p)
      if (std::string wrong = look(p); !wrong.empty()) return wrong;
    return "";
  }

 private:
  struct value {
    std::array<std::int64_t, n> numbers{};
    bool is_there = false;
  };
  int below(int most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most)); }
  value& at(int p) { return model_[static_cast<std::size_t>(p)]; }
  object& it(int p) { return objects_[static_cast<std::size_t>(p)]; }

  std::string go_on() {
    const int p = below(4);
    switch (below(16)) {
      case 0:
        return look(p);
      case 1:
        return change(p);
      case 2:
        return move(p);
      case 3:
        return let_go(p);
      case 4:
        return below(4) == 0 ? run_on_units(p) : "";
      case 5:
        return below(4) == 0 ? replace(p) : "";
      default:
        return tell_step();
    }
  }

  std::string look(int p) {
    if (!at(p).is_there) return "";
    const auto seen = std::as_const(it(p)).host();
    return std::ranges::equal(seen, at(p).numbers) ? "" : fmt::format("object {} is not as in the model", p);
  }
  std::string change(int p) {
    if (!at(p).is_there) return "";
    const int i = below(n), number = below(100);
    it(p).host()[static_cast<std::size_t>(i)] = number;
    at(p).numbers[static_cast<std::size_t>(i)] = number;
    return "";
  }
  std::string move(int p) {
    if (!at(p).is_there) return "";
    const yoke::space_id to{below(rt_.memory().n_spaces())};
    if (below(2) == 0)
      rt_.memory().migrate(it(p).key(), to);
    else
      static_cast<void>(rt_.memory().migrate_async(it(p).key(), to, {}));
    return it(p).where() == to ? "" : "it was not moved";
  }
  std::string let_go(int p) {
    for (int space = 1; space < rt_.memory().n_spaces(); ++space)
      if (it(p).where() != space && rt_.memory().is_allocated(it(p).key(), yoke::space_id{space}))
        rt_.memory().dealloc(it(p).key(), yoke::space_id{space});
    return "";
  }
  std::string run_on_units(int p) {
    if (!at(p).is_there) return "";
    const int unit = below(rt_.units().size());
    rt_.each_unit([&](unit_id id) {
      if (id == unit) it(p).here();
    });
    return "";
  }
  std::string replace(int p) {
    object{rt_, n, "another"}.host();
    it(p) = object{rt_, n, "new"};
    at(p) = {};
    return "";
  }

  std::string tell_step() {
    std::vector<int> which;
    std::vector<placed_argument> arguments;
    unsigned reads = 0, writes = 0;
    for (int k = 1 + below(engine_tests::most_arguments); k > 0; --k) {
      const int p = below(4);
      if (std::ranges::find(which, p) != which.end()) continue;
      const role as = at(p).is_there ? static_cast<role>(below(3)) : role::out;
      if (as != role::out) reads |= 1U << which.size();
      if (as != role::in) writes |= 1U << which.size(), at(p).is_there = true;
      which.push_back(p);
      arguments.push_back(use(it(p), as));
    }
    const std::int64_t number = below(1000);
    tell(on_, below(rt_.units().size()), step(reads, writes, number), arguments);
    engine_tests::step_call call{
        .at = {}, .n = static_cast<int>(which.size()), .reads = reads, .writes = writes, .number = number};
    for (int k = 0; k < call.n; ++k)
      call.at[k] = yoke::device_ptr<std::int64_t>{at(which[static_cast<std::size_t>(k)]).numbers.data()};
    for (std::size_t i = 0; i < n; ++i) call.run(static_cast<std::int64_t>(i));
    return "";
  }

  yoke::runtime& rt_;
  runtime_engine& on_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<std::array<std::int64_t, n>>> host_;
  std::vector<object> objects_;
  std::vector<value> model_;
};

}  // namespace

TEST_CASE("work, calls of placement and runs give what they give one after the other", "[random]") {
  const std::uint64_t seed = Catch::rngSeed();
  yoke::runtime rt;
  for (std::uint64_t i = 0; i < 40; ++i) {
    INFO("seed " << seed + i);
    CHECK(mixture{rt, seed + i}.run(150).empty());
  }
}

TEST_CASE("several host threads mix work and calls of placement", "[random]") {
  const std::uint64_t seed = Catch::rngSeed();
  yoke::runtime rt;
  std::array<std::string, 3> wrong;
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < wrong.size(); ++i)
    threads.emplace_back([&, i] { wrong[i] = mixture{rt, seed * 3 + i}.run(600); });
  threads.clear();
  INFO("seed " << seed);
  for (const std::string& each : wrong) CHECK(each.empty());
}
