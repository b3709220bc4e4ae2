#include "driver.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/simulator.hpp>

using namespace driver;

TEST_CASE("no space is given more bytes than it has", "[memory][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 200; ++round) {
    workload work = random_workload(rng);
    std::size_t total = 0;
    for (int t = 0; t < work.n_tasks; ++t) {
      work.bytes.push_back(static_cast<std::size_t>(between(rng, 1, 100)));
      total += work.bytes.back();
    }
    const std::size_t limit = 1 + total / static_cast<std::size_t>(between(rng, 2, 8));
    std::vector<unit> units = make_units(between(rng, 1, 3), between(rng, 1, 3), limit);
    units.push_back(units.back());  // two CUs that share a space
    for (const char* name :
         {"static-hybrid,pcf=40", "static-hybrid", "cost", "pool,pcf=40", "pool", "partition"}) {
      const auto plan = scheduling::make(name, work, units);
      CAPTURE(round, name, limit, work.n_tasks);
      const auto passes = simulate(*plan, work, static_cast<int>(units.size()),
                                   linear_time(work, speeds_of(units, {0, 1.0}, {0, 0.02})), 7);
      for (const simulated_pass& pass : passes) {
        std::vector<std::size_t> used(8);
        for (std::size_t t = 0; t < pass.map.size(); ++t) {
          const unit& u = units[static_cast<std::size_t>(int{pass.map[t]})];
          if (u.memory > 0) used[static_cast<std::size_t>(int{u.space})] += work.bytes[t];
        }
        REQUIRE(*std::max_element(used.begin(), used.end()) <= limit);
      }
    }
  }
}

namespace {

/// Tells of what a schedule gives and gets back.
class watched_schedule final : public schedule {
 public:
  using given = std::function<void(unit_id, std::span<const task_id>)>;
  watched_schedule(schedule& inner, given on_batch, std::function<void(unit_id)> on_done)
      : inner_{inner}, on_batch_{std::move(on_batch)}, on_done_{std::move(on_done)} {}
  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    const std::span<const task_id> batch = inner_.next(unit, pass);
    on_batch_(unit, batch);
    return batch;
  }
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override {
    on_done_(unit);
    inner_.done(unit, pass, batch, time);
  }
  std::string describe() const override { return inner_.describe(); }

 private:
  schedule& inner_;
  given on_batch_;
  std::function<void(unit_id)> on_done_;
};

/// Bytes of each space that are in use, as data of tasks move: they need room where they go from the moment
/// in which they are handed out, and where they were until their batch is done.
class account {
 public:
  account(const workload& work, std::span<const unit> units, const std::vector<unit_id>& homes)
      : work_{work}, units_{units}, space_of_(homes.size()), left_(units.size()), used_(8) {
    for (std::size_t t = 0; t < homes.size(); ++t)
      used_[space_of_[t] = space(homes[t])] += bytes(t, homes[t]);
  }

  void begin(unit_id unit, std::span<const task_id> batch) {
    for (const task_id task : batch) {
      const auto t = static_cast<std::size_t>(int{task});
      if (space_of_[t] == space(unit)) continue;
      left_[static_cast<std::size_t>(int{unit})].push_back({space_of_[t], bytes(t, space_of_[t] == 0)});
      used_[space_of_[t] = space(unit)] += bytes(t, unit);
    }
    for (const auto& u : units_)
      if (u.memory > 0) too_much_ = too_much_ || used_[static_cast<std::size_t>(int{u.space})] > u.memory;
  }
  void end(unit_id unit) {
    for (const auto& [space, bytes] : left_[static_cast<std::size_t>(int{unit})]) used_[space] -= bytes;
    left_[static_cast<std::size_t>(int{unit})].clear();
  }
  bool is_too_much() const { return too_much_; }

 private:
  std::size_t space(unit_id unit) const {
    return static_cast<std::size_t>(int{units_[static_cast<std::size_t>(int{unit})].space});
  }
  std::size_t bytes(std::size_t task, bool on_host) const {
    return work_.bytes[task] + (on_host ? 0 : work_.gpu_bytes[task]);
  }
  std::size_t bytes(std::size_t task, unit_id unit) const { return bytes(task, space(unit) == 0); }

  const workload& work_;
  std::span<const unit> units_;
  std::vector<std::size_t> space_of_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> left_;
  std::vector<std::size_t> used_;
  bool too_much_ = false;
};

/// Tasks with work memory on GPUs.
workload random_tasks_with_bytes(generator& rng) {
  workload work = random_workload(rng);
  for (int t = 0; t < work.n_tasks; ++t) {
    work.bytes.push_back(static_cast<std::size_t>(between(rng, 1, 100)));
    work.gpu_bytes.push_back(static_cast<std::size_t>(between(rng, 0, 50)));
  }
  return work;
}

/// Told to a schedule, and what its units then have.
std::vector<unit> limit_spaces(workload& work, std::vector<unit> units, generator& rng) {
  const std::size_t total = std::accumulate(work.bytes.begin(), work.bytes.end(), std::size_t{0});
  for (int s = 0; s < 4; ++s) work.room.push_back(total * static_cast<std::size_t>(between(rng, 0, 16)) / 10);
  for (unit& u : units) u.memory = work.room[static_cast<std::size_t>(int{u.space})];
  return units;
}

}  // namespace

TEST_CASE("schedules that decide by asking hand out every task and fill no space beyond its memory",
          "[memory][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  int refused = 0, limited = 0;
  for (int round = 0; round < 300; ++round) {
    workload work = random_tasks_with_bytes(rng);
    std::vector<unit> units = random_units(rng);
    units.push_back(units.back());  // two CUs that share a space
    const std::vector<unit> given = units;
    units = limit_spaces(work, std::move(units), rng);
    const int n_units = static_cast<int>(units.size()), passes = 5;
    for (const char* name : {"dynamic,chunk=2", "guided", "memorizing,gpu_chunk=3"}) {
      CAPTURE(round, name, work.n_tasks, n_units);
      std::unique_ptr<schedule> plan;
      try {
        plan = scheduling::make(name, work, given);
      } catch (const out_of_memory&) {
        ++refused;
        continue;
      }
      const std::vector<unit_id> homes = plan->homes();
      if (homes.empty()) continue;
      ++limited;
      account bytes{work, units, homes};
      watched_schedule watched{
          *plan, [&](unit_id unit, std::span<const task_id> batch) { bytes.begin(unit, batch); },
          [&](unit_id unit) { bytes.end(unit); }};
      const record seen = run_interleaved(watched, work.n_tasks, n_units, passes, rng,
                                          [](unit_id, pass_id, std::span<const task_id>) { return 1.0; });
      REQUIRE(seen.twice == 0);
      REQUIRE(seen.missing() == 0);
      REQUIRE(seen.spans_changed == 0);
      REQUIRE_FALSE(bytes.is_too_much());
    }
  }
  CHECK(refused > 10);
  CHECK(limited > 100);
}

TEST_CASE("where there is room for all tasks in each space, schedules by asking have no homes", "[memory]") {
  workload work{.n_tasks = 4, .bytes = {10, 10, 10, 10}, .gpu_bytes = {5, 5, 5, 5}};
  for (const char* name : {"dynamic", "guided", "memorizing"}) {
    CAPTURE(name);
    work.room = {40, 60};
    CHECK(scheduling::make(name, work, make_units(1, 1))->homes().empty());
    work.room = {40, 59};
    CHECK(scheduling::make(name, work, make_units(1, 1))->homes() == std::vector<unit_id>(4, unit_id{0}));
    work.room = {20, 60};
    CHECK(std::ranges::count(scheduling::make(name, work, make_units(1, 1))->homes(), unit_id{1}) == 2);
  }
}

TEST_CASE("tasks that cannot fit are refused with the numbers", "[memory][errors]") {
  const workload work{.n_tasks = 3, .bytes = {400, 500, 600}};
  for (const char* name : {"static-hybrid,pcf=2", "static-hybrid", "cost", "pool", "partition"}) {
    CAPTURE(name);
    std::string message = "accepted";
    try {
      (void)scheduling::make(name, work, make_units(0, 2, 700));
    } catch (const out_of_memory& e) {
      message = e.what();
      CHECK(e.bytes_wanted() == 1500);
      CHECK(e.bytes_free() == 1400);
    }
    CHECK(
        message.ends_with(": 3 tasks of 1500 bytes together (the largest 600) do not fit into the memory of "
                          "the units: space 1 700 bytes, space 2 700 bytes; use more devices, CPU CUs or a "
                          "smaller problem"));
  }
  CHECK_NOTHROW(scheduling::make("static-hybrid", work, make_units(0, 2, 900)));
  CHECK_NOTHROW(scheduling::make("cost", work, make_units(1, 1, 1)));
}
