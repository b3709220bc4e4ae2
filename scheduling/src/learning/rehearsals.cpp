#include "rehearsals.hpp"

#include "../maps/forecast.hpp"
#include "../maps/memory_limits.hpp"

#include <algorithm>
#include <limits>

namespace yoke::scheduling {

namespace {

/// One sample of each says little.
constexpr double to_spare = 2;
/// A part of the CPUs' pass that GPUs must promise to save.
constexpr double least_gain_of_rehearsal = 0.1;

}  // namespace

bool rehearsals::note(unit_id unit, double weight, seconds time, observations& told) {
  if (!is_sample(weight, time)) return false;
  samples_[index(unit)] = {weight, time};
  const bool is_cpu = units_[index(unit)].kind == unit_kind::cpu;
  if (is_cpu) told.rehearsed(unit, weight, time);
  return is_cpu;
}

bool rehearsals::heard_all() const {
  return std::ranges::all_of(samples_, [](const sample& one) { return one.time > 0 && one.weight > 0; });
}

/// The quickest of a kind.
seconds rehearsals::per_weight(unit_kind kind) const {
  seconds least = std::numeric_limits<seconds>::infinity();
  for (const std::size_t u : units_of(kind, units_))
    least = std::min(least, samples_[u].time / samples_[u].weight);
  return least;
}

double rehearsals::rate_of_cpus() const {
  double rate = 0;
  for (const std::size_t u : units_of(unit_kind::cpu, units_)) rate += samples_[u].weight / samples_[u].time;
  return rate;
}

/// Whether each GPU has one processor, as an emulated one.
bool rehearsals::are_serial() const {
  return std::ranges::all_of(units_,
                             [](const unit& u) { return u.kind == unit_kind::cpu || u.processors == 1; });
}

/// With the lightest tasks on GPUs, any number of which run in the time of the heaviest of them, or one after
/// the other on one processor, and to spare.
rehearsals::best_case rehearsals::best() const {
  std::vector<task_id> tasks = longest_first(all_tasks(work_.n_tasks), work_);
  const seconds on_gpu = per_weight(unit_kind::gpu) / to_spare, on_cpu = per_weight(unit_kind::cpu);
  const double rate = rate_of_cpus();
  double rest = weight_of(work_, tasks);
  const auto of_cpus = [&](std::size_t n) {
    return n == 0 ? 0 : std::max(rest / rate, weight_of(work_, tasks.front()) * on_cpu);
  };
  best_case found{.of_cpus = of_cpus(tasks.size()), .pass = of_cpus(tasks.size()), .for_gpus = {}};
  std::size_t n_on_cpus = tasks.size();
  const bool is_serial = are_serial();
  const auto n_gpus = static_cast<double>(units_of(unit_kind::gpu, units_).size());
  double light = 0;
  for (std::size_t n = tasks.size(); n-- > 0;) {
    const double weight = weight_of(work_, tasks[n]);
    rest = n == 0 ? 0 : rest - weight;
    light += weight;
    const double at_least = is_serial ? std::max(weight, light / n_gpus) : weight;
    const seconds pass = std::max(at_least * on_gpu, of_cpus(n));
    if (pass > found.pass) continue;
    found.pass = pass;
    n_on_cpus = n;
  }
  found.for_gpus.assign(tasks.begin() + static_cast<std::ptrdiff_t>(n_on_cpus), tasks.end());
  return found;
}

std::optional<shared_map> rehearsals::on_cpus_alone(observations& told) const {
  for (const std::size_t gpu : units_of(unit_kind::gpu, units_))
    told.rehearsed(unit_id{static_cast<int>(gpu)}, samples_[gpu].weight, samples_[gpu].time);
  const std::optional<unit_speeds> speeds = told.speeds();
  return speeds ? best_of_cpus(work_, units_, forecast{work_, units_, *speeds}) : std::nullopt;
}

/// The heavier ones in a pool of the CPU CUs.
std::optional<shared_map> rehearsals::with_lightest_on_gpus(std::vector<task_id> light) const {
  assignment shares(units_.size());
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units_);
  for (std::size_t i = 0; i < light.size(); ++i) shares[gpus[i % gpus.size()]].push_back(light[i]);
  const std::size_t pool = units_of(unit_kind::cpu, units_).front();
  std::ranges::sort(light);
  for (const task_id task : all_tasks(work_.n_tasks))
    if (!std::ranges::binary_search(light, task)) shares[pool].push_back(task);
  for (std::vector<task_id>& each : shares) std::ranges::sort(each);
  std::optional<assignment> fitting = try_fit(std::move(shares), work_, units_);
  if (!fitting) return std::nullopt;
  return shared_map{*std::move(fitting), cpu_tasks::shared};
}

std::optional<shared_map> rehearsals::first_map(observations& told) const {
  if (work_.n_tasks == 0 || !can_tell() || !heard_all()) return std::nullopt;
  best_case found = best();
  if (std::ssize(found.for_gpus) == work_.n_tasks) return std::nullopt;
  if (found.pass > (1 - least_gain_of_rehearsal) * found.of_cpus) return on_cpus_alone(told);
  return with_lightest_on_gpus(std::move(found.for_gpus));
}

}  // namespace yoke::scheduling
