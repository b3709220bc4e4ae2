// What a schedule that learns is told of passes, and who takes part in them.

#include "helpers.hpp"

#include <algorithm>
#include <support/catch.hpp>
#include <vector>

#include <yoke/learner.hpp>

using yoke::pass_id;
using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;
using yoke::unit_id;

namespace {

/// A map that holds until a pass which may be put off, on a schedule that keeps what it is told.
class told_of_passes final : public by_map, private yoke::learner {
 public:
  struct stretch {
    pass_id passes;
    yoke::seconds time;
  };
  told_of_passes(std::vector<unit_id> map, pass_id until, int n_units)
      : by_map{n_units}, map_{std::move(map)}, until_{until} {}

  yoke::pass_plan plan_of(pass_id) const override { return {.map = map_, .until = until_}; }
  std::string describe() const override { return "told"; }
  yoke::learner* learning() override { return this; }

  void put_off(pass_id until) { until_ = until; }

  std::vector<stretch> told;
  bool counts = false;

 private:
  const std::vector<unit_id>& map_of(pass_id) const override { return map_; }
  void ran(pass_id, pass_id passes, yoke::seconds time) override { told.push_back({passes, time}); }
  void time_counts() override { counts = true; }

  std::vector<unit_id> map_;
  pass_id until_;
};

void spin_for(yoke::seconds time) {
  for (const yoke::ticks from = yoke::now(); yoke::elapsed(from, yoke::now()) < time;) {
  }
}

}  // namespace

TEST_CASE("passes are timed by what was run, and not by a CU that has little to do and is ahead",
          "[runtime]") {
  runtime rt;
  const int n_units = rt.units().size();
  if (n_units < 2) return support::skip("needs two CUs");
  constexpr int n_tasks = 64;
  constexpr yoke::seconds each = 5e-5;
  std::vector<unit_id> map(n_tasks, unit_id{n_units - 1});
  map.front() = unit_id{0};
  auto plan = std::make_unique<told_of_passes>(map, yoke::pass_plan::for_good, n_units);
  const told_of_passes& schedule = *plan;
  task_loop loop = rt.make_loop(std::move(plan), {.n_tasks = n_tasks});
  std::vector<pass_id> more{0, 10, 10};
  rt.run(
      loop, 10,
      [&](std::span<const task_id> batch, pass_id) {
        if (rt.units().calling().id != 0) spin_for(each * static_cast<double>(batch.size()));
      },
      [&](pass_id) {
        const pass_id passes = more.back();
        more.pop_back();
        return passes;
      });
  CHECK(loop.pass() == 30);
  CHECK(!schedule.told.empty());
  for (const told_of_passes::stretch& one : schedule.told) {
    CAPTURE(one.passes, one.time);
    CHECK(one.time / static_cast<double>(one.passes) > 0.5 * (n_tasks - 1) * each);
  }
}

TEST_CASE("CUs without tasks stay away where the map holds for longer than was said before", "[runtime]") {
  runtime rt;
  const int n_units = rt.units().size();
  auto plan = std::make_unique<told_of_passes>(std::vector<unit_id>(8, unit_id{n_units - 1}), 4, n_units);
  told_of_passes& schedule = *plan;
  task_loop loop = rt.make_loop(std::move(plan), {.n_tasks = 8});
  const auto nothing = [](std::span<const task_id>, pass_id) {};
  const auto no_more = [](pass_id) -> pass_id { return 0; };
  rt.run(loop, 2, nothing, no_more);
  schedule.put_off(20);
  rt.run(loop, 6, nothing, no_more);
  CHECK(schedule.asked == 2 * 8);  // by one CU, twice in each pass
}

TEST_CASE("a loop whose times are reset tells its schedule that time counts", "[runtime]") {
  runtime rt;
  auto plan = std::make_unique<told_of_passes>(std::vector<unit_id>(8, unit_id{0}), 4, rt.units().size());
  const told_of_passes& schedule = *plan;
  task_loop loop = rt.make_loop(std::move(plan), {.n_tasks = 8});
  rt.run(loop, [](std::span<const task_id>) {});
  CHECK_FALSE(schedule.counts);
  loop.reset_times();
  CHECK(schedule.counts);
}
