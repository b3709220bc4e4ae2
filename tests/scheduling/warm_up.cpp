/// `auto` in programs that run passes before their time counts, and what it does not find out at their cost.

#include "maps_seen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <yoke/learner.hpp>

using namespace yoke;
using driver::machine;
using driver::outcome;
using driver::speeds_of;

TEST_CASE("auto begins anew for nothing before time counts, and later for what pays", "[scheduling][auto]") {
  // Three CPUs turn out three times as fast as they rehearsed, and to bring them more tasks takes 50 passes.
  const std::vector<unit> units = machine(3, 1, 132);
  const auto changes_in = [&](pass_id planned, bool warms_up, bool at_once = false) {
    const workload work{.n_tasks = 60,
                        .bytes = std::vector<std::size_t>(60, 400'000'000),
                        .passes = planned,
                        .warms_up = warms_up};
    const auto plan = scheduling::make("auto", work, units);
    for (int u = 0; u < 3; ++u) plan->learning()->rehearsed(unit_id{u}, 1, 9e-3);
    if (at_once) plan->learning()->time_counts();
    const outcome end = driver::run(
        *plan, work, 4,
        [&](unit_id unit, pass_id, std::span<const task_id> batch) {
          return static_cast<double>(batch.size()) * (int{unit} < 3 ? 3e-3 : 2.5e-4);
        },
        20);
    return end.changes;
  };
  CHECK(changes_in(20, false) == 0);
  CHECK(changes_in(20, true) >= 1);
  CHECK(changes_in(20, true, true) == 0);
  CHECK(changes_in(10'000, false) >= 1);
}

namespace {

/// SP-MZ class C on two H200s with 30 CPUs, of which nobody knows anything: a zone takes one of these three
/// times as long as both GPUs need for all, one GPU nearly twice as long as both.
struct class_c {
  workload work{.n_tasks = 256};
  std::vector<unit> units = machine(30, 2, 132);
  batch_time time = linear_time(work, speeds_of(units, {0, 8.6e-4}, {5e-6, 2.5e-6}));
};

}  // namespace

TEST_CASE("auto ends on both of two GPUs and no CPUs where one GPU and CPUs are worse",
          "[scheduling][auto]") {
  for (const bool warms_up : {true, false}) {
    class_c sp;
    sp.work.passes = 400;
    sp.work.warms_up = warms_up;
    const auto plan = scheduling::make("auto", sp.work, sp.units);
    const outcome seen = driver::run(*plan, sp.work, 32, sp.time, 100);
    INFO(plan->describe());
    CHECK(!driver::uses(seen.map, sp.units, unit_kind::cpu));
    CHECK(std::ranges::count(seen.map, unit_id{30}) > 100);
    CHECK(std::ranges::count(seen.map, unit_id{31}) > 100);
    CHECK(seen.changes <= 2);
  }
}

TEST_CASE("auto wants passes before time counts until its map has been timed and nothing seems better",
          "[scheduling][auto]") {
  class_c sp;
  sp.work.warms_up = true;
  sp.work.passes = 10'000;
  const auto plan = scheduling::make("auto", sp.work, sp.units);
  learner& learns = *plan->learning();
  CHECK(learns.wants_warm_up());
  driver::run(*plan, sp.work, 32, sp.time, 4);
  CHECK(learns.wants_warm_up());
  const auto longer = scheduling::make("auto", sp.work, sp.units);
  driver::run(*longer, sp.work, 32, sp.time, 200);
  CHECK_FALSE(longer->learning()->wants_warm_up());

  const workload small{.n_tasks = 8};
  CHECK_FALSE(scheduling::make("auto", small, machine(2, 0))->learning()->wants_warm_up());
  CHECK_FALSE(scheduling::make("auto", small, machine(0, 1))->learning()->wants_warm_up());
}

namespace {

/// Two GPUs on which passes take so long, and longer on one of them. Those that are timed together look
/// longer by what it takes to begin and end them.
struct two_gpus {
  workload work{
      .n_tasks = 64, .bytes = std::vector<std::size_t>(64, 1'340'000), .passes = 400, .warms_up = true};
  std::vector<unit> units = machine(30, 2, 132);
  seconds both, one, around = 1.5e-4;
  double quick = 0.9;                       ///< of a pass, the first batches of the second GPU
  static constexpr double of_launch = 0.4;  ///< of what the share of a GPU takes
  static constexpr seconds of_cpu = 8e-4;   ///< what a task takes a CPU

  /// Passes before time counts.
  pass_id warms_up_for() const {
    const auto plan = scheduling::make("auto", work, units);
    learner& learns = *plan->learning();
    pass_id pass = 0;
    while (pass < 2000 && (pass == 0 || learns.wants_warm_up())) pass += run_some(*plan, pass);
    return pass;
  }

  /// How many GPUs have tasks after so many passes, of which the first do not count.
  int in_use_after(pass_id passes) const {
    const auto plan = scheduling::make("auto", work, units);
    learner& learns = *plan->learning();
    pass_id newest = 0;
    for (pass_id pass = 0; pass < passes;) {
      if (pass > 0 && !learns.wants_warm_up()) learns.time_counts();
      newest = pass;
      pass += run_some(*plan, pass);
    }
    return gpus_of(plan->plan_of(newest).map);
  }

 private:
  /// As many as NPB-MZ runs at once.
  pass_id run_some(schedule& plan, pass_id pass) const {
    const std::vector<unit_id> before = pass == 0 ? std::vector<unit_id>{} : plan.plan_of(pass - 1).map;
    plan.prepare(pass);
    const pass_plan next = plan.plan_of(pass);
    const pass_id n = pass == 0 ? 1 : std::clamp<pass_id>(next.until - pass, 1, 16);
    for (pass_id p = pass; p < pass + n; ++p) run_pass(plan, p);
    const bool is_new = before != next.map;
    plan.learning()->ran(pass, n, static_cast<seconds>(n) * time_of(next.map) + around + (is_new ? 5e-3 : 0));
    return n;
  }
  int gpus_of(const std::vector<unit_id>& map) const {
    return static_cast<int>(std::ranges::count(map, unit_id{30}) > 0) +
           static_cast<int>(std::ranges::count(map, unit_id{31}) > 0);
  }
  static bool is_on_cpu(unit_id unit) { return int{unit} < 30; }
  seconds time_of(const std::vector<unit_id>& map) const {
    const auto tasks_of_cpus = static_cast<double>(std::ranges::count_if(map, is_on_cpu));
    return std::max(of_cpu * std::ceil(tasks_of_cpus / 30), gpus_of(map) == 2 ? both : one);
  }
  void run_pass(schedule& plan, pass_id pass) const {
    const int gpus = gpus_of(plan.plan_of(pass).map);
    for (int u = 0; u < 32; ++u)
      for (auto batch = plan.next(unit_id{u}, pass); !batch.empty(); batch = plan.next(unit_id{u}, pass)) {
        const double of_share = gpus * static_cast<double>(batch.size()) / work.n_tasks;
        const double part = of_launch + (1 - of_launch) * of_share;
        const seconds on_gpu = (u == 31 && pass < 3 ? quick : 0.9) * part * (gpus == 2 ? both : one);
        plan.done(unit_id{u}, pass, batch, u < 30 ? of_cpu * static_cast<double>(batch.size()) : on_gpu);
      }
  }
};

}  // namespace

TEST_CASE("auto is not fooled by short stretches when it tries one GPU of two", "[scheduling][auto]") {
  CHECK(two_gpus{.both = 1.07e-4, .one = 1.7e-4}.in_use_after(200) == 2);  // SP-MZ class B on two H200s
  CHECK(two_gpus{.both = 3.4e-4, .one = 5.8e-4}.in_use_after(200) == 2);   // class C
  CHECK(two_gpus{.both = 1.07e-4, .one = 1.7e-4, .quick = 0.3}.in_use_after(200) == 2);
  CHECK(two_gpus{.both = 1.5e-4, .one = 1.1e-4}.in_use_after(200) == 1);
}

TEST_CASE("auto wants no end of passes before time counts where these are too short to be known well",
          "[scheduling][auto]") {
  for (const seconds pass : {4.7e-5, 6e-5}) {
    const two_gpus short_passes{.both = pass, .one = 1.6 * pass};
    CAPTURE(pass);
    CHECK(short_passes.warms_up_for() < 1000);
  }
}

namespace {

std::vector<double> zones_of_bt() {
  std::vector<double> weights;
  for (int zone = 0; zone < 16; ++zone) weights.push_back(std::pow(1.647, zone % 4 + zone / 4));
  return weights;
}

}  // namespace

TEST_CASE("auto leaves CPU CUs that hardly save more of a short pass than a GPU needs beside them",
          "[scheduling][auto]") {
  // BT-MZ class A on an H200 with five CUs of three CPUs.
  const std::vector<unit> units = machine(5, 1, 132);
  const workload work{.n_tasks = 16, .weights = zones_of_bt(), .passes = 200, .warms_up = true};
  const double all = std::accumulate(work.weights.begin(), work.weights.end(), 0.0);
  const auto ends_alone = [&](seconds of_cpu) {
    const auto plan = scheduling::make("auto", work, units);
    for (int u = 0; u < 5; ++u) plan->learning()->rehearsed(unit_id{u}, 1, of_cpu / 3);
    const outcome seen = driver::run(
        *plan, work, 6,
        [&](unit_id unit, pass_id, std::span<const task_id> batch) {
          double weight = 0;
          for (const task_id task : batch) weight += yoke::weight_of(work, task);
          return int{unit} < 5 ? of_cpu * weight : 2.8e-4 * weight / all + (batch.size() < 16 ? 8e-5 : 0);
        },
        200);
    CAPTURE(of_cpu, plan->describe());
    CHECK(!driver::uses(seen.map, units, unit_kind::cpu));
  };
  for (const seconds of_cpu : {1e-4, 1.2e-4, 1.6e-4}) ends_alone(of_cpu);
}

namespace {

/// The same with five CUs of six CPUs, where the GPU needs more beside them than its batches tell.
struct bt_class_a {
  seconds alone, more_beside, of_cpu = 2e-5;
  std::vector<unit> units = machine(5, 1, 132);
  workload work{.n_tasks = 16, .weights = zones_of_bt(), .passes = 200, .warms_up = true};

  bool ends_with_cpus() const {
    const auto plan = scheduling::make("auto", work, units);
    learner& learns = *plan->learning();
    for (int u = 0; u < 5; ++u) learns.rehearsed(unit_id{u}, 1, of_cpu);
    std::vector<unit_id> map;
    for (pass_id pass = 0; pass < 200;) {
      if (pass > 0 && !learns.wants_warm_up()) learns.time_counts();
      plan->prepare(pass);
      const pass_plan next = plan->plan_of(pass);
      map = next.map;
      const pass_id n = pass == 0 ? 1 : std::clamp<pass_id>(next.until - pass, 4, 16);
      seconds sum = 1e-4;
      for (pass_id p = pass; p < pass + n; ++p) sum += run_pass(*plan, p);
      learns.ran(pass, n, sum);
      pass += n;
    }
    return driver::uses(map, units, unit_kind::cpu);
  }

 private:
  seconds run_pass(schedule& plan, pass_id pass) const {
    seconds longest = 0;
    for (int u = 0; u < 6; ++u)
      for (auto batch = plan.next(unit_id{u}, pass); !batch.empty(); batch = plan.next(unit_id{u}, pass)) {
        const seconds time = u < 5 ? of_cpu * weight_of(batch) : on_gpu(batch);
        longest = std::max(longest, time + (u == 5 && batch.size() < 16 ? more_beside : 0));
        plan.done(unit_id{u}, pass, batch, time);
      }
    return longest;
  }
  seconds on_gpu(std::span<const task_id> batch) const {
    const double all = std::accumulate(work.weights.begin(), work.weights.end(), 0.0);
    return alone * weight_of(batch) / all;
  }
  double weight_of(std::span<const task_id> batch) const {
    double weight = 0;
    for (const task_id task : batch) weight += yoke::weight_of(work, task);
    return weight;
  }
};

}  // namespace

TEST_CASE("auto tries GPUs alone before time counts where passes with CPU CUs are short",
          "[scheduling][auto]") {
  CHECK_FALSE(bt_class_a{2.8e-4, 1.6e-4}.ends_with_cpus());
  CHECK(bt_class_a{3e-4, 0}.ends_with_cpus());
  CHECK(bt_class_a{9e-4, 0}.ends_with_cpus());
}
