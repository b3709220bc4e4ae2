#include "../../docs/examples/user_schedule.hpp"
#include "driver.hpp"

#include <yoke/error.hpp>
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
