#include "../speeds/speed_model.hpp"
#include "../speeds/speeds.hpp"
#include "heard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace yoke::scheduling {

namespace {

/// Of one unit, the newest.
constexpr std::size_t most_of_fit = 64;
/// Batches whose weights differ by this factor tell a launch from the work.
constexpr double clearly_heavier = 1.5;
/// A batch that takes so many times as long as usual does not show in the spread of the others.
constexpr double times_late = 2.5;

bool tell_launch(std::span<const unit_samples> all) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const unit_samples& own : all)
    for (const auto& [weight, time] : own) {
      least = std::min(least, weight);
      most = std::max(most, weight);
    }
  return most > clearly_heavier * least;
}

}  // namespace

std::vector<heard_batches::batches> heard_batches::of_kind(unit_kind kind) const {
  std::vector<batches> all;
  for (const std::size_t u : units_of(kind, units_)) {
    const std::lock_guard guard{each_[u].lock};
    const auto newest = static_cast<std::ptrdiff_t>(std::min(each_[u].kept.size(), most_of_fit));
    all.emplace_back(each_[u].kept.end() - newest, each_[u].kept.end());
  }
  return all;
}

/// One that has one processor runs tasks one after the other; of another one nobody knows more than that a
/// launch takes no longer.
std::optional<speed> heard_batches::of_rehearsed_gpu(std::size_t gpu) const {
  const std::lock_guard guard{each_[gpu].lock};
  const auto [weight, time] = each_[gpu].rehearsed;
  if (!(time > 0)) return std::nullopt;
  if (units_[gpu].processors <= 1) return speed{.launch = 0, .per_weight = time / weight};
  return speed{.launch = time / 2, .per_weight = time / weight / units_[gpu].processors};
}

/// What lines through usual batches leave out.
lateness heard_batches::late_cpus(std::span<const speed> usual) const {
  double batches = 0, late = 0;
  seconds by = 0;
  for (const std::size_t u : units_of(unit_kind::cpu, units_)) {
    const std::lock_guard guard{each_[u].lock};
    for (const auto& [weight, time] : each_[u].kept) {
      const seconds expected = usual[u].launch + usual[u].per_weight * weight;
      batches += 1;
      if (time < times_late * expected) continue;
      late += 1;
      by += time - expected;
    }
  }
  return late > 1 ? lateness{(late - 1) / batches, by / late} : lateness{};  // a single one is no rate
}

std::optional<heard_speeds> heard_batches::speeds() const {
  heard_speeds made;
  std::vector<std::optional<speed>> known(units_.size());
  for (const unit_kind kind : {unit_kind::cpu, unit_kind::gpu}) {
    const bool is_gpu = kind == unit_kind::gpu;
    const std::vector<std::size_t> alike = units_of(kind, units_);
    const std::vector<batches> all = of_kind(kind);
    const std::optional<kind_model> fitted =
        fit_kind(all, usual_launch(kind, task_), is_gpu ? usual_of_gpus : usual_of_cpus);
    if (is_gpu) made.is_launch_known = tell_launch(all);
    for (std::size_t i = 0; i < alike.size(); ++i)
      known[alike[i]] = fitted   ? std::optional{fitted->units[i]}
                        : is_gpu ? of_rehearsed_gpu(alike[i])
                                 : std::nullopt;
    if (!fitted) {
      (is_gpu ? made.are_gpus_guessed : made.are_cpus_guessed) = !alike.empty();
      continue;
    }
    (is_gpu ? made.speeds.gpu_spread : made.speeds.cpu_spread) = fitted->spread;
    (is_gpu ? made.speeds.gpu_error : made.speeds.cpu_error) = is_gpu ? fitted->error : fitted->error_of_all;
  }
  const std::optional<speed> cpu = median_speed(unit_kind::cpu, units_, known),
                             gpu = median_speed(unit_kind::gpu, units_, known);
  if (!cpu && !gpu) return std::nullopt;
  const double pcf = promised_pcf(units_);
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const bool is_cpu = units_[u].kind == unit_kind::cpu;
    if (is_cpu && !cpu) known[u] = speed{.launch = 0, .per_weight = pcf * gpu->per_weight};
    if (!is_cpu && !gpu) known[u] = speed{.launch = 0, .per_weight = cpu->per_weight / pcf};
  }
  made.speeds.usual = *fitted_speeds(units_, known);
  if (gpu) made.task_on_gpu = median_speed(unit_kind::gpu, units_, known)->per_weight * task_;
  made.speeds.late = late_cpus(made.speeds.usual);
  return made;
}

}  // namespace yoke::scheduling
