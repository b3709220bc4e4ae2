// What a schedule is asked and told about zones, without units.
#include "step_leader.hpp"
#include "zone_dealer.hpp"

#include <algorithm>
#include <support/catch.hpp>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/learner.hpp>
#include <yoke/runtime.hpp>
#include <yoke/scheduling.hpp>

namespace {

using yoke::pass_id;
using yoke::task_id;
using yoke::unit_id;
using yoke::detail::zone_dealer;

const yoke::workload four{.n_tasks = 4, .weights = {1, 1, 1, 1}};

/// Gives one map for three passes, then another for good, and keeps what it is told.
class in_two_stretches final : public yoke::schedule, public yoke::learner {
 public:
  explicit in_two_stretches(pass_id first = 3) : first_{first} {}
  struct told {
    unit_id unit;
    pass_id pass;
    std::size_t tasks;
    yoke::seconds time;
  };

  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    std::vector<task_id>& batch = batches_[static_cast<std::size_t>(int{unit})];
    const bool is_first = std::exchange(asked_[static_cast<std::size_t>(int{unit})], pass) < pass;
    batch.clear();
    for (int task = 0; is_first && task < 4; ++task)
      if (map_of(pass, first_)[static_cast<std::size_t>(task)] == unit) batch.emplace_back(task);
    return batch;
  }
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, yoke::seconds time) override {
    all.push_back({unit, pass, batch.size(), time});
  }
  std::string describe() const override { return "in two stretches"; }
  yoke::pass_plan plan_of(pass_id pass) const override {
    return {.map = map_of(pass, first_), .until = pass < first_ ? first_ : yoke::pass_plan::for_good};
  }
  yoke::learner* learning() override { return this; }
  bool wants_rehearsal() const override { return true; }
  void rehearsed(unit_id unit, double weight, yoke::seconds time) override {
    rehearsals.push_back({unit, weight, time});
  }
  void ran(pass_id first, pass_id passes, yoke::seconds time) override {
    stretches.push_back({first, passes, time});
  }

  static std::vector<unit_id> map_of(pass_id pass, pass_id first = 3) {
    const unit_id a{0}, b{1};
    return pass < first ? std::vector{a, a, a, b} : std::vector{a, b, b, b};
  }

  std::vector<told> all;
  struct stretch {
    pass_id first, passes;
    yoke::seconds time;
  };
  std::vector<stretch> stretches;
  struct rehearsal {
    unit_id unit;
    double weight;
    yoke::seconds time;
  };
  std::vector<rehearsal> rehearsals;

 private:
  pass_id first_;
  std::vector<task_id> batches_[2];
  pass_id asked_[2] = {-1, -1};
};

std::vector<yoke::seconds> two_units() { return {1e-6, 1e-6}; }

}  // namespace

TEST_CASE("a schedule with maps gets them, and the times of its passes", "[zones]") {
  yoke::runtime rt{{.cus = "1x1+1", .devices = "emulated:1"}};
  auto made = std::make_unique<in_two_stretches>();
  in_two_stretches& plan = *made;
  zone_dealer dealer{rt.make_loop(std::move(made), four), two_units()};
  CHECK(dealer.map() == in_two_stretches::map_of(0));
  CHECK(dealer.steps_left() == 3);
  dealer.count(2);
  CHECK(dealer.steps_left() == 1);
  dealer.count(1);
  const std::vector<yoke::seconds> measured{2, 5};
  dealer.tell(3, measured, 18.0);
  REQUIRE(plan.all.size() == 6);
  for (const auto& each : plan.all) {
    CHECK(each.tasks == (each.unit == 0 ? 3u : 1u));
    CHECK(each.time == (each.unit == 0 ? 6.0 : 5.0));
  }
  REQUIRE(plan.stretches.size() == 1);
  CHECK(plan.stretches[0].passes == 3);
  CHECK(plan.stretches[0].time == 18.0);
  CHECK(dealer.map() == in_two_stretches::map_of(3));
  CHECK(dealer.holds());
}

TEST_CASE("of many steps a schedule hears of the last ones, and of the time of all", "[zones]") {
  yoke::runtime rt{{.cus = "1x1+1", .devices = "emulated:1"}};
  auto made = std::make_unique<in_two_stretches>(1000);
  in_two_stretches& plan = *made;
  zone_dealer dealer{rt.make_loop(std::move(made), four), two_units()};
  dealer.count(1000);
  const std::vector<yoke::seconds> measured{2, 5};
  dealer.tell(1000, measured, 6000.0);
  CHECK(plan.all.size() == 2 * 8);
  CHECK(plan.all.back().pass == 999);
  REQUIRE(plan.stretches.size() == 1);
  CHECK(plan.stretches[0].first == 0);
  CHECK(plan.stretches[0].passes == 1000);
  CHECK(dealer.holds());
}

TEST_CASE("steps that others have interrupted are told without a time of all", "[zones]") {
  yoke::runtime rt{{.cus = "1x1+1", .devices = "emulated:1"}};
  auto made = std::make_unique<in_two_stretches>();
  in_two_stretches& plan = *made;
  zone_dealer dealer{rt.make_loop(std::move(made), four), two_units()};
  dealer.count(3);
  const std::vector<yoke::seconds> measured{2, 5};
  dealer.tell(3, measured, std::nullopt);
  CHECK(plan.all.size() == 6);
  CHECK(plan.stretches.empty());
}

TEST_CASE("a rehearsal tells what units took for their zones, before the first pass alone", "[zones]") {
  yoke::runtime rt{{.cus = "1x1+1", .devices = "emulated:1"}};
  auto made = std::make_unique<in_two_stretches>();
  in_two_stretches& plan = *made;
  zone_dealer dealer{rt.make_loop(std::move(made), four), two_units()};
  REQUIRE(dealer.wants_rehearsal());
  const std::vector<yoke::seconds> measured{2, 5};
  dealer.rehearse(measured);
  REQUIRE(plan.rehearsals.size() == 2);
  CHECK(plan.rehearsals[0].weight == 3);
  CHECK(plan.rehearsals[0].time == 6);
  CHECK(plan.rehearsals[1].weight == 1);
  CHECK(plan.rehearsals[1].time == 5);
  CHECK(dealer.steps_left() == 3);
  dealer.count(3);
  dealer.tell(3, measured, 18.0);
  CHECK(!dealer.wants_rehearsal());
}

TEST_CASE("of several recordings the one that has done most leads, or the one that is chosen", "[zones]") {
  const int start = 0, step = 0, other = 0;
  yoke::detail::step_leader leader;
  leader.has_done(&start, 2);
  CHECK(leader.is(&start));
  CHECK(leader.steps_before(0) == 3);
  CHECK(leader.steps_before(2) == 1);
  leader.has_done(&step, 2);
  CHECK(leader.is(&start));
  leader.has_done(&step, 3);
  CHECK(leader.is(&step));
  leader.choose(&other);
  leader.has_done(&other, 1);
  leader.has_done(&step, 100);
  CHECK(leader.is(&other));
  CHECK(!leader.steps_before(100));
  leader.forget(&step);
  CHECK(leader.is(&other));
  leader.forget(&other);
  CHECK(leader.steps_before(0) == 1);
}

TEST_CASE("a schedule without maps is asked in virtual time, until nothing is won", "[zones]") {
  yoke::runtime rt{{.cus = "1x1+1", .devices = "emulated:1"}};
  zone_dealer dealer{rt.make_loop("dynamic", {.n_tasks = 8, .weights = std::vector<double>(8, 1.0)}),
                     two_units()};
  const auto of_first = [&] { return std::ranges::count(dealer.map(), unit_id{0}); };
  CHECK(of_first() == 4);
  REQUIRE(!dealer.holds());
  const std::int64_t steps = dealer.steps_left();
  dealer.count(steps);
  const std::vector<yoke::seconds> three_times{1e-6, 3e-6};
  dealer.tell(steps, three_times, 1.0);
  CHECK(of_first() == 6);
  dealer.count(dealer.steps_left());
  dealer.tell(steps, three_times, 1.0);
  CHECK(of_first() == 6);
  CHECK(dealer.holds());
}

TEST_CASE("a pass of a schedule that forgets a zone is refused", "[zones]") {
  struct forgetful final : yoke::schedule {
    std::span<const task_id> next(unit_id, pass_id) override { return {}; }
    std::string describe() const override { return "forgetful"; }
  } plan;
  CHECK_THROWS_AS(yoke::detail::run_pass(plan, four, 0, two_units()), yoke::usage_error);
}
