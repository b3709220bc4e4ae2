#include "../../docs/examples/user_schedule.hpp"
#include "driver.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/learner.hpp>
#include <yoke/simulated_machine.hpp>
#include <yoke/simulator.hpp>

using namespace driver;

namespace {

/// Hands out what the test says, in pass 0, to unit 0.
class scripted final : public schedule {
 public:
  explicit scripted(std::vector<task_id> tasks) : tasks_{std::move(tasks)} {}
  std::span<const task_id> next(unit_id, pass_id) override { return std::exchange(left_, {}); }
  std::string describe() const override { return "scripted"; }

 private:
  std::vector<task_id> tasks_;
  std::span<const task_id> left_{tasks_};
};

std::string complaint(std::vector<task_id> tasks) {
  scripted plan{std::move(tasks)};
  const workload work{.n_tasks = 2};
  try {
    (void)simulate(plan, work, 1, linear_time(work, {{0, 1}}), 1);
  } catch (const usage_error& e) {
    return e.what();
  }
  return "accepted";
}

/// Runs one pass; true when some unit had stopped before the last batch was started.
bool idles_while_a_task_waits(schedule& plan, const workload& work, const std::vector<speed>& speeds) {
  std::vector<seconds> busy(speeds.size());
  seconds last_start = 0;
  const batch_time linear = linear_time(work, speeds);
  const auto recording = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
    seconds& own = busy[static_cast<std::size_t>(int{unit})];
    last_start = std::max(last_start, own);
    const seconds time = linear(unit, pass, batch);
    own += time;
    return time;
  };
  (void)simulate(plan, work, static_cast<int>(speeds.size()), recording, 1);
  return *std::min_element(busy.begin(), busy.end()) < last_start;
}

simulated_machine three_alike() {
  simulated_machine machine;
  for (const unit& u : make_units(3, 0)) machine.units.push_back({.seen = u, .alone = {0, 1}});
  return machine;
}

/// Counts how often it is told what passes took, and wants so many to warm up.
class meeting_counter final : public schedule, private learner {
 public:
  explicit meeting_counter(std::unique_ptr<schedule> of, pass_id wanted = 0)
      : of_{std::move(of)}, wanted_{wanted} {}
  std::span<const task_id> next(unit_id unit, pass_id pass) override { return of_->next(unit, pass); }
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override {
    of_->done(unit, pass, batch, time);
  }
  void prepare(pass_id pass) override { of_->prepare(pass); }
  pass_plan plan_of(pass_id pass) const override { return of_->plan_of(pass); }
  std::string describe() const override { return of_->describe(); }
  learner* learning() override { return this; }
  int meetings() const { return meetings_; }
  pass_id warmed_up() const { return warmed_up_; }
  seconds warming_took() const { return warming_took_; }

 private:
  void ran(pass_id, pass_id passes, seconds time) override {
    ++meetings_;
    ran_ += passes;
    if (warmed_up_ < 0) warming_took_ += time;
  }
  bool wants_warm_up() const override { return ran_ < wanted_; }
  void time_counts() override { warmed_up_ = ran_; }

  std::unique_ptr<schedule> of_;
  pass_id wanted_, ran_ = 0, warmed_up_ = -1;
  int meetings_ = 0;
  seconds warming_took_ = 0;
};

}  // namespace

TEST_CASE("the simulator reports what two units of different speed do in a pass", "[simulator]") {
  const workload work{.n_tasks = 4};
  const auto plan = scheduling::make("dynamic", work, make_units(2, 0));
  const auto passes = simulate(*plan, work, 2, linear_time(work, {{0.0, 1.0}, {1.0, 2.0}}), 2);
  REQUIRE(passes.size() == 2);
  CHECK(passes[0].map == std::vector{unit_id{0}, unit_id{1}, unit_id{0}, unit_id{0}});
  CHECK(passes[0].busy == std::vector<seconds>{3, 3});
  CHECK(passes[0].makespan() == 3);
  CHECK(passes[1].begin == 3);
  CHECK(passes[1].end == 6);
}

TEST_CASE("without barriers a unit that is done begins the next pass at once", "[simulator]") {
  const workload work{.n_tasks = 3};
  const auto plan = scheduling::make("static", work, make_units(2, 0));
  const auto passes =
      simulate(*plan, work, 2, linear_time(work, {{0, 1}, {0, 1}}), 2, pass_order::overlapping);
  CHECK(passes[0].end == 2);
  CHECK(passes[1].begin == 1);
  CHECK(passes[1].end == 4);
}

TEST_CASE("by dataflow a task begins when those that it exchanges with have ended the pass before",
          "[simulator]") {
  const workload work{.n_tasks = 3, .weights = {1, 4, 1}, .edges = {{task_id{0}, task_id{1}, 8}}};
  const auto plan = scheduling::make("static", work, make_units(3, 0));
  std::vector<std::pair<int, seconds>> begun;  // unit, in pass 1
  simulation_options how{.passes = 2, .order = pass_order::dataflow};
  how.watcher = [&](const simulated_batch& one) {
    if (one.pass == 1) begun.emplace_back(int{one.unit}, one.begin);
  };
  const auto passes = simulate(*plan, work, three_alike(), how);
  CHECK(begun == std::vector<std::pair<int, seconds>>{{2, 1}, {0, 4}, {1, 4}});
  CHECK(passes[1].end == 8);
}

TEST_CASE("by dataflow all units meet where a schedule may change its map, and nowhere else", "[simulator]") {
  const workload work{.n_tasks = 4};
  for (const auto& [name, meetings] : {std::pair{"dynamic", 6}, {"static", 1}, {"memorizing", 2}}) {
    CAPTURE(name);
    meeting_counter plan{scheduling::make(name, work, make_units(2, 0))};
    (void)simulate(plan, work, 2, linear_time(work, {{0, 1}, {0, 2}}), 6, pass_order::dataflow);
    CHECK(plan.meetings() == meetings);
  }
}

TEST_CASE("by dataflow tasks of a unit that is gone hold up nobody for longer than barriers do",
          "[simulator]") {
  workload work{.n_tasks = 8};
  for (int t = 1; t < work.n_tasks; ++t) work.edges.push_back({task_id{t - 1}, task_id{t}, 8});
  simulated_machine machine;
  for (const unit& u : make_units(8, 0)) machine.units.push_back({.seen = u, .alone = {0, 1}, .noise = 0.2});
  const auto end = [&](const std::vector<speed_change>& changes, pass_order order, int undone) {
    machine.changes = changes;
    const auto plan = scheduling::make("static", work, machine.seen());
    const auto passes = simulate(*plan, work, machine, {.passes = 20, .order = order});
    int seen = 0;
    for (const simulated_pass& pass : passes) seen += pass.undone;
    CHECK(seen == undone);
    return std::ranges::max(passes, {}, &simulated_pass::end).end;
  };
  const std::vector<speed_change> gone{{unit_id{1}, 5, 0}};
  const std::vector<speed_change> back{{unit_id{1}, 5, 0}, {unit_id{1}, 6, 1}};
  CHECK(end(gone, pass_order::dataflow, 15) <= end(gone, pass_order::barrier, 15));
  CHECK(end(back, pass_order::dataflow, 1) <= end(back, pass_order::barrier, 1));
}

TEST_CASE("passes that warm up are neither returned nor watched, and nothing changes in them",
          "[simulator]") {
  const workload work{.n_tasks = 3, .warms_up = true};
  simulated_machine machine = three_alike();
  machine.changes = {{unit_id{1}, 1, 0.5}};
  for (const auto order : {pass_order::barrier, pass_order::overlapping, pass_order::dataflow}) {
    meeting_counter plan{scheduling::make("static", work, machine.seen()), 6};
    std::vector<pass_id> watched;
    simulation_options how{.passes = 40, .order = order, .warm_up = true};
    how.watcher = [&](const simulated_batch& one) {
      watched.push_back(one.pass);
      CHECK(one.end - one.begin == (one.pass >= 1 && one.unit == 1 ? 2 : 1));
    };
    const auto passes = simulate(plan, work, machine, how);
    CHECK(plan.warmed_up() == 9);  // one, and fours until it has six
    CHECK(plan.warming_took() == 9);
    REQUIRE(passes.size() == 40);
    CHECK(passes[0].begin == 0);
    CHECK(passes[0].end == 1);
    CHECK(passes[1].end == 3);
    CHECK(watched.size() == 120);
    CHECK(std::ranges::count(watched, 0) == 3);
    CHECK(std::ranges::count(watched, 39) == 3);
  }
}

TEST_CASE("with the same batches dataflow takes no longer than barriers, and no less than overlapping passes",
          "[simulator][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  constexpr int passes = 5;
  int less = 0, more = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<unit> units = random_units(rng);
    workload work = random_workload(rng);
    for (int e = between(rng, 0, 2 * work.n_tasks); e > 0; --e)
      work.edges.push_back(
          {task_id{between(rng, 0, work.n_tasks - 1)}, task_id{between(rng, 0, work.n_tasks - 1)}, 8});
    std::vector<std::array<seconds, passes>> takes(units.size());  // a batch, by unit and pass
    for (auto& of_unit : takes)
      for (seconds& one : of_unit) one = real(rng, 0.1, 5);
    const auto end = [&](pass_order order) {
      const auto plan = scheduling::make("static", work, units);
      const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id>) {
        return takes[static_cast<std::size_t>(int{unit})][static_cast<std::size_t>(pass)];
      };
      const auto seen = simulate(*plan, work, static_cast<int>(units.size()), time, passes, order);
      return std::ranges::max(seen, {}, &simulated_pass::end).end;
    };
    const seconds barrier = end(pass_order::barrier), dataflow = end(pass_order::dataflow),
                  overlapping = end(pass_order::overlapping);
    CAPTURE(round, units.size(), work.n_tasks, work.edges.size());
    REQUIRE(dataflow <= barrier * (1 + 1e-12));
    REQUIRE(overlapping <= dataflow * (1 + 1e-12));
    less += dataflow < barrier * (1 - 1e-6) ? 1 : 0;
    more += overlapping < dataflow * (1 - 1e-6) ? 1 : 0;
  }
  CHECK(less > 0);
  CHECK(more > 0);
}

TEST_CASE("the simulator refuses a schedule that repeats, invents or forgets a task", "[simulator][errors]") {
  CHECK(complaint({task_id{0}, task_id{1}}) == "accepted");
  CHECK(complaint({task_id{0}, task_id{0}}) ==
        "the schedule gave task 0 twice in pass 0: to unit 0 and to unit 0");
  CHECK(complaint({task_id{0}, task_id{2}}) ==
        "the schedule gave task 2 of 2 to unit 0 in pass 0: no such task");
  CHECK(complaint({task_id{0}}) == "the schedule gave task 1 to no unit in pass 0");
}

TEST_CASE("no unit is idle while a task waits under the dynamic schedules", "[simulator][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  int static_idles = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<unit> units = random_units(rng);
    const workload work = random_workload(rng);
    std::vector<speed> speeds;
    for (std::size_t u = 0; u < units.size(); ++u) speeds.push_back({real(rng, 0, 1), real(rng, 0.1, 5)});
    for (const char* name : {"dynamic", "dynamic,chunk=3", "guided", "memorizing"}) {
      CAPTURE(round, name, units.size(), work.n_tasks);
      REQUIRE_FALSE(idles_while_a_task_waits(*scheduling::make(name, work, units), work, speeds));
    }
    static_idles += idles_while_a_task_waits(*scheduling::make("static", work, units), work, speeds) ? 1 : 0;
  }
  CHECK(static_idles > 0);  // the question can be answered with yes
}

TEST_CASE("the example of a user's schedule runs each task exactly once in every pass", "[scheduling]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 50; ++round) {
    const std::vector<unit> units = random_units(rng);
    const workload work = random_workload(rng);
    heavy_to_gpus plan{work, units};
    const record seen = run_interleaved(plan, work.n_tasks, static_cast<int>(units.size()), 5, rng, no_time);
    REQUIRE(seen.twice == 0);
    REQUIRE(seen.missing() == 0);
  }
  heavy_to_gpus plan{{.n_tasks = 40}, make_units(2, 1)};
  CHECK(run_threads(plan, 40, 3, 50, no_time) == 0);
}

TEST_CASE("the example of a user's schedule gives the heaviest tasks to the GPU CUs", "[scheduling]") {
  const workload work{.n_tasks = 4, .weights = {3, 1, 4, 2}};
  heavy_to_gpus plan{work, make_units(1, 1)};
  const auto passes = simulate(plan, work, 2, linear_time(work, {{0, 1}, {0, 1}}), 1);
  CHECK(passes[0].map == std::vector{unit_id{0}, unit_id{0}, unit_id{1}, unit_id{0}});
}
