#include "zone_dealer.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/learner.hpp>
#include <yoke/scheduling.hpp>

namespace yoke::detail {

namespace {

/// Schedules that hand out tasks and learn from it have settled by then.
constexpr int passes_to_settle = 24;
/// Steps of which such a schedule is told at once: a cold one, and five that one disturbance does not move.
constexpr std::int64_t steps_of_asking = 6;
/// Passes in which a schedule hears of units, the last ones of many alike: it keeps few, and nobody works
/// meanwhile. In those before nobody asks.
constexpr pass_id most_told = 8;
/// Maps of it that are judged by what units took: after the third nothing is left to learn of steady speeds.
constexpr int most_askings = 4;
/// What another map of it must save of a step before everything moves for it.
constexpr double worth_moving = 0.05;

/// As far as units were measured; others keep their guess, as far as that was off.
std::vector<seconds> with_measured(std::span<const seconds> guessed, std::span<const seconds> measured) {
  double ratio = 0;
  int n = 0;
  for (std::size_t unit = 0; unit < measured.size(); ++unit)
    if (measured[unit] > 0) {
      ratio += measured[unit] / guessed[unit];
      ++n;
    }
  std::vector<seconds> all;
  for (std::size_t unit = 0; unit < measured.size(); ++unit)
    all.push_back(measured[unit] > 0 ? measured[unit] : n == 0 ? guessed[unit] : guessed[unit] * ratio / n);
  return all;
}

/// Errors: usage_error for a task that there is not, and one that has a unit.
void take(std::vector<unit_id>& map, task_id task, unit_id unit) {
  if (task < 0 || task >= std::ssize(map))
    throw usage_error{fmt::format("the schedule gave zone {} of {} to unit {}: no such zone", int{task},
                                  map.size(), int{unit})};
  unit_id& taken = map[static_cast<std::size_t>(int{task})];
  if (taken >= 0)
    throw usage_error{fmt::format("the schedule gave zone {} twice in a pass: to unit {} and to unit {}",
                                  int{task}, int{taken}, int{unit})};
  taken = unit;
}

/// A unit in virtual time.
struct asking_unit {
  seconds now = 0;
  std::span<const task_id> batch;
  bool is_through = false;
};

}  // namespace

std::vector<seconds> guessed_times(std::span<const unit> units) {
  std::vector<seconds> times;
  for (const unit& each : units)
    times.push_back(1e-6 / (each.kind == unit_kind::cpu ? each.cpus : 3 * each.processors));
  return times;
}

std::vector<unit_id> run_pass(schedule& plan, const workload& work, pass_id pass,
                              std::span<const seconds> times) {
  std::vector<unit_id> map(static_cast<std::size_t>(work.n_tasks), unit_id{-1});
  std::vector<asking_unit> units(times.size());
  for (std::size_t n_through = 0; n_through < units.size();) {
    std::size_t u = 0;
    for (std::size_t other = 0; other < units.size(); ++other)
      if (!units[other].is_through && (units[u].is_through || units[other].now < units[u].now)) u = other;
    asking_unit& next = units[u];
    const unit_id unit{static_cast<int>(u)};
    if (!next.batch.empty()) plan.done(unit, pass, next.batch, weight_of(work, next.batch) * times[u]);
    next.batch = plan.next(unit, pass);
    for (const task_id task : next.batch) take(map, task, unit);
    next.now += weight_of(work, next.batch) * times[u];
    if (!next.batch.empty()) continue;
    next.is_through = true;
    ++n_through;
  }
  if (const auto left = std::ranges::find(map, unit_id{-1}); left != map.end())
    throw usage_error{fmt::format("the schedule gave zone {} of {} to no unit in pass {}", left - map.begin(),
                                  map.size(), pass)};
  return map;
}

std::vector<int> ranks_of_zones(const workload& work, std::span<const seconds> times) {
  std::vector<unit> as_units(times.size());
  for (std::size_t rank = 0; rank < as_units.size(); ++rank)
    as_units[rank].space = space_id{static_cast<int>(rank)};  // what is within one exchanges nothing
  const std::unique_ptr<schedule> plan = scheduling::make("partition", work, as_units, "ranks");
  std::vector<int> all;
  pass_id pass = 0;
  while (pass < passes_to_settle) {
    all.clear();
    for (const unit_id each : run_pass(*plan, work, pass++, times)) all.push_back(each);
  }
  return all;
}

zone_dealer::zone_dealer(task_loop loop, std::vector<seconds> times)
    : loop_{std::move(loop)}, times_{std::move(times)} {
  look();
}

/// What the slowest unit takes for a step.
seconds zone_dealer::longest(std::span<const unit_id> map) const {
  std::vector<seconds> all(times_.size());
  for (int task = 0; task < std::ssize(map); ++task) {
    const auto unit = static_cast<std::size_t>(int{map[static_cast<std::size_t>(task)]});
    all[unit] += weight_of(loop_.work(), task_id{task}) * times_[unit];
  }
  return *std::ranges::max_element(all);
}

void zone_dealer::look() {
  plan().prepare(pass_);
  is_open_ = !follow(plan().plan_of(pass_));
  if (is_open_) ask();
}

/// False where it tells no map.
bool zone_dealer::follow(pass_plan next) {
  if (next.is_open()) return false;
  cpus_share_ = next.cpus_share;
  left_ = next.is_settled() ? for_good : std::max<pass_id>(next.until - pass_, 1);
  map_ = std::move(next.map);
  return true;
}

void zone_dealer::ask() {
  std::vector<unit_id> map;
  for (int i = 0; i < passes_to_settle; ++i) {
    map = run_pass(plan(), loop_.work(), pass_++, times_);
    plan().prepare(pass_);
    if (pass_plan known = plan().plan_of(pass_); !known.is_open()) {
      map = std::move(known.map);
      break;
    }
  }
  cpus_share_ = true;
  const bool is_first = map_.empty();
  if (!is_first && longest(map) > (1 - worth_moving) * longest(map_)) return hold();
  map_ = std::move(map);
  left_ = ++asked_ < most_askings ? steps_of_asking : for_good;
}

void zone_dealer::tell(std::int64_t steps, std::span<const seconds> measured, std::optional<seconds> time) {
  times_ = with_measured(times_, measured);
  if (!is_open_) {
    const pass_id first = pass_;
    pass_ += std::max<pass_id>(steps - most_told, 0);
    while (pass_ < first + steps) run_pass(plan(), loop_.work(), pass_++, times_);
    if (learner* const of = plan().learning(); of != nullptr && time) of->ran(first, steps, *time);
  }
  look();
}

bool zone_dealer::wants_rehearsal() {
  const learner* const of = plan().learning();
  return pass_ == 0 && of != nullptr && of->wants_rehearsal();
}

void zone_dealer::rehearse(std::span<const seconds> measured) {
  times_ = with_measured(times_, measured);
  std::vector<double> weights(measured.size());
  for (int task = 0; task < std::ssize(map_); ++task)
    weights[static_cast<std::size_t>(int{map_[static_cast<std::size_t>(task)]})] +=
        weight_of(loop_.work(), task_id{task});
  learner* const of = plan().learning();
  for (std::size_t u = 0; u < measured.size(); ++u)
    if (measured[u] > 0) of->rehearsed(unit_id{static_cast<int>(u)}, weights[u], weights[u] * measured[u]);
  look();
}

void zone_dealer::time_counts() {
  if (learner* const of = plan().learning()) of->time_counts();
}

}  // namespace yoke::detail
