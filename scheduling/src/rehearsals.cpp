#include "rehearsals.hpp"

#include "forecast.hpp"

#include <algorithm>
#include <limits>

namespace yoke::scheduling {

namespace {

/// One sample of each says little.
constexpr double to_spare = 2;

}  // namespace

bool rehearsals::rule_out_gpus() const {
  if (work_.n_tasks == 0 || !can_tell() ||
      std::ranges::any_of(samples_, [](const sample& one) { return !(one.time > 0 && one.weight > 0); }))
    return false;
  double rate = 0;
  seconds quickest_cpu = std::numeric_limits<seconds>::infinity(), quickest_gpu = quickest_cpu;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const seconds per_weight = samples_[u].time / samples_[u].weight;
    if (units_[u].kind == unit_kind::gpu) {
      quickest_gpu = std::min(quickest_gpu, per_weight);
    } else {
      quickest_cpu = std::min(quickest_cpu, per_weight);
      rate += 1 / per_weight;
    }
  }
  const std::vector<task_id> tasks = all_tasks(work_.n_tasks);
  const auto weight = [&](task_id task) { return weight_of(work_, task); };
  const auto [lightest, heaviest] = std::ranges::minmax(tasks, {}, weight);
  const seconds on_cpus = std::max(weight_of(work_, tasks) / rate, weight(heaviest) * quickest_cpu);
  return weight(lightest) * quickest_gpu > to_spare * on_cpus;
}

std::optional<shared_map> rehearsals::on_cpus_alone(observations& told) const {
  if (!rule_out_gpus()) return std::nullopt;
  for (const std::size_t gpu : units_of(unit_kind::gpu, units_))
    told.rehearsed(unit_id{static_cast<int>(gpu)}, samples_[gpu].weight, samples_[gpu].time);
  const std::optional<unit_speeds> speeds = told.speeds();
  return speeds ? best_of_cpus(work_, units_, forecast{work_, units_, *speeds}) : std::nullopt;
}

}  // namespace yoke::scheduling
