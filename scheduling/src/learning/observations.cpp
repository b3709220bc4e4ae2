#include "observations.hpp"

#include "../kinds.hpp"
#include "../speeds/median.hpp"
#include "../speeds/speeds.hpp"
#include "looks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

/// A GPU has one batch in a pass. Two H200s at their power limit are slower than each other by turns, for
/// some sixty passes each: a map for that would be wrong before it is won back.
constexpr std::size_t most_of_gpu = 256;
/// Passes of a period that say what a usual one is.
constexpr std::size_t most_of_period = 256;
/// Batches of GPUs hardly vary: where the usual one takes so many times as long as the quickest, something
/// else delays them.
constexpr double delayed = 2, far_slower = 1.5;
/// Of fewer batches the quickest tenth may be one that is too quick: what it waited for others does not
/// count.
constexpr std::size_t fewest_rates = 16;
/// Of the speed of a kind that was never heard of: what its processors promise is the best that it may be.
constexpr double error_of_promise = 1;

}  // namespace

observations::observations(std::span<const unit> units, double task)
    : units_{units}, task_{task}, told_(units.size()) {
  for (const std::size_t gpu : units_of(unit_kind::gpu, units_)) told_[gpu].record = unit_record{most_of_gpu};
}

void observations::add(unit_id unit, pass_id pass, double weight, seconds time, bool is_warm) {
  told& of = told_[index(unit)];
  const std::lock_guard guard{of.lock};
  of.record.add(weight, time, is_warm);
  of.is_heard = true;
  if (!is_warm) return;
  of.busy += time;
  if (units_[index(unit)].kind == unit_kind::cpu) of.passes_of.add({pass, weight, time});
}

void observations::finished(unit_id unit) {
  told& of = told_[index(unit)];
  const std::lock_guard guard{of.lock};
  of.finish();
}

void observations::told::finish() {
  const seconds time = std::exchange(busy, 0);
  of_passes += time;
  if (newest.size() < most_of_period)
    newest.push_back(time);
  else
    newest[static_cast<std::size_t>(passes) % most_of_period] = time;
  ++passes;
}

void observations::ran(pass_id passes, seconds time, double overlap) {
  if (!detail::amounts_or_none.has(time)) return;
  const std::lock_guard guard{clock_lock_};
  by_clock_.add(time, passes, overlap, meeting);
}

void observations::rehearsed(unit_id unit, double weight, seconds time) {
  told& of = told_[index(unit)];
  const std::lock_guard guard{of.lock};
  of.record.add(weight, time, true);
  of.is_heard = true;
}

void observations::recalled(unit_id unit, double weight, seconds time) {
  told& of = told_[index(unit)];
  const std::lock_guard guard{of.lock};
  of.record.add(weight, time, true);
}

bool observations::is_heard(std::size_t unit) const {
  const std::lock_guard guard{told_[unit].lock};
  return told_[unit].is_heard;
}

bool observations::is_told(std::size_t unit) const {
  const std::lock_guard guard{told_[unit].lock};
  return !told_[unit].record.is_empty();
}

bool observations::cover(const assignment& shares) const {
  bool pool_is_used = false, pool_is_told = false;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const bool has_tasks = !shares[u].empty(), told = is_told(u);
    if (units_[u].kind == unit_kind::gpu && has_tasks && !told) return false;
    if (units_[u].kind == unit_kind::gpu) continue;
    pool_is_used = pool_is_used || has_tasks;
    pool_is_told = pool_is_told || told;
  }
  return !pool_is_used || pool_is_told;
}

std::size_t observations::changes_of(unit_kind kind) const {
  std::size_t changes = 0;
  for (const std::size_t u : units_of(kind, units_)) {
    const std::lock_guard guard{told_[u].lock};
    changes += told_[u].record.changes();
  }
  return changes;
}

std::optional<kind_model> observations::fit(unit_kind kind) const {
  fitted& last = fitted_[static_cast<std::size_t>(kind)];
  const std::lock_guard fitting{last.lock};
  const std::size_t changes = changes_of(kind);
  if (changes == last.changes) return last.model;
  last.changes = changes;
  std::vector<unit_samples> all, doubtful;
  for (const std::size_t u : units_of(kind, units_)) {
    const std::lock_guard guard{told_[u].lock};
    all.push_back(told_[u].record.samples());
    doubtful.push_back(told_[u].record.doubtful());
  }
  last.model = fit_kind(all, usual_launch(kind, task_), doubtful,
                        kind == unit_kind::gpu ? usual_of_gpus : usual_of_cpus);
  return last.model;
}

std::optional<unit_speeds> observations::speeds() const {
  unit_speeds made;
  std::vector<std::optional<speed>> known(units_.size());
  for (const unit_kind kind : {unit_kind::cpu, unit_kind::gpu}) {
    const std::vector<std::size_t> alike = units_of(kind, units_);
    const std::optional<kind_model> fitted = fit(kind);
    if (!fitted && !alike.empty()) {
      (kind == unit_kind::cpu ? made.cpu_error : made.gpu_error) = error_of_promise;
      if (kind == unit_kind::cpu) made.are_cpus_promised = true;
    }
    if (!fitted) continue;
    for (std::size_t i = 0; i < alike.size(); ++i) known[alike[i]] = fitted->units[i];
    (kind == unit_kind::cpu ? made.cpu_spread : made.gpu_spread) = fitted->spread;
    if (kind == unit_kind::cpu) {
      made.cpu_error = fitted->error_of_all;
    } else {
      made.gpu_error = fitted->error;
      made.gpu_seen = fitted->seen;
    }
  }
  std::optional<std::vector<speed>> all = known_or_promised_speeds(units_, known);
  if (!all) return std::nullopt;
  made.usual = *std::move(all);
  made.late = late_cpus(made.usual);
  return made;
}

lateness observations::late_cpus(std::span<const speed> usual) const {
  std::vector<std::vector<passes_of_unit::batch>> batches(units_.size());
  for (const std::size_t u : units_of(unit_kind::cpu, units_)) {
    const std::lock_guard guard{told_[u].lock};
    const auto all = told_[u].passes_of.all();
    batches[u].assign(all.begin(), all.end());
  }
  return lateness_of(batches, usual);
}

std::optional<pass_time> observations::pass(double spread, bool waits_for_clock) const {
  {
    const std::lock_guard guard{clock_lock_};
    if (const std::optional<pass_time> by_clock = by_clock_.get(spread)) return by_clock;
  }
  if (waits_for_clock) return std::nullopt;
  const busy_pass cpus = busiest(unit_kind::cpu), gpus = busiest(unit_kind::gpu);
  const busy_pass& longest = gpus.mean > cpus.mean ? gpus : cpus;
  pass_times by_units;
  if (longest.mean > 0) by_units.add(longest.mean * static_cast<seconds>(longest.passes), longest.passes);
  return by_units.get(spread);
}

observations::busy_pass observations::busiest(unit_kind kind) const {
  busy_pass longest;
  for (const std::size_t u : units_of(kind, units_)) {
    const told& of = told_[u];
    const std::lock_guard guard{of.lock};
    if (of.passes == 0) continue;
    const seconds mean = of.of_passes / static_cast<seconds>(of.passes);
    if (mean > longest.mean) longest = {mean, of.passes};
  }
  return longest;
}

/// A batch that is late now and then makes no unit busy.
seconds observations::usual_of_busiest(unit_kind kind) const {
  seconds longest = 0;
  for (const std::size_t u : units_of(kind, units_)) {
    const told& of = told_[u];
    const std::lock_guard guard{of.lock};
    std::vector<seconds> passes = of.newest;
    if (!passes.empty()) longest = std::max(longest, detail::median(passes));
  }
  return longest;
}

observations::undelayed observations::gpus_undelayed(double weight) const {
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units_);
  const launch_guess launch = usual_launch(unit_kind::gpu, task_);
  std::vector<double> rates, delays;  // seconds for a weight of 1, launches being work as well
  for (const std::size_t u : gpus) {
    const std::lock_guard guard{told_[u].lock};
    for (const auto& [of_batch, time] : told_[u].record.samples())
      rates.push_back(time / (of_batch + launch.weight));
    std::ranges::copy(told_[u].record.delays(launch.most()), std::back_inserter(delays));
  }
  if (rates.size() < fewest_rates) return {};
  const double share = weight / static_cast<double>(gpus.size());
  return {detail::lower_quantile(rates, unit_record::quickest) * (share + launch.weight),
          detail::median(delays) > delayed};
}

void observations::forget_delayed() {
  const double most_of_launch = usual_launch(unit_kind::gpu, task_).most();
  for (const std::size_t u : units_of(unit_kind::gpu, units_)) {
    const std::lock_guard guard{told_[u].lock};
    told_[u].record.forget_delayed(most_of_launch, far_slower);
  }
}

void observations::begin_period() {
  for (told& of : told_) {
    const std::lock_guard guard{of.lock};
    of.of_passes = 0;
    of.passes = 0;
    of.newest.clear();
  }
  const std::lock_guard guard{clock_lock_};
  by_clock_.clear();
}

void observations::forget(const assignment& shares) {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (shares[u].empty()) continue;
    const std::lock_guard guard{told_[u].lock};
    told_[u].record.forget();
    told_[u].passes_of.forget();
  }
}

}  // namespace yoke::scheduling
