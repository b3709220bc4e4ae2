#include "speeds.hpp"

#include "../maps/assignment.hpp"
#include "median.hpp"

namespace yoke::scheduling {

std::optional<speed> median_speed(unit_kind kind, std::span<const unit> units, speed_fits fits) {
  std::vector<double> launches;
  std::vector<double> per_weights;
  for (const std::size_t u : units_of(kind, units))
    if (const std::optional<speed>& fit = fits[u]) {
      launches.push_back(fit->launch);
      per_weights.push_back(fit->per_weight);
    }
  if (launches.empty()) return std::nullopt;
  return speed{.launch = detail::median(launches), .per_weight = detail::median(per_weights)};
}

std::optional<std::vector<speed>> fitted_speeds(std::span<const unit> units, speed_fits fits) {
  std::vector<speed> speeds(units.size());
  for (const unit_kind kind : {unit_kind::cpu, unit_kind::gpu}) {
    const std::vector<std::size_t> members = units_of(kind, units);
    if (members.empty()) continue;
    const std::optional<speed> usual = median_speed(kind, units, fits);
    if (!usual) return std::nullopt;
    for (const std::size_t u : members) speeds[u] = fits[u].value_or(*usual);
  }
  return speeds;
}

namespace {

/// By which factor the ratio of speeds that processors promise may be wrong.
constexpr double error_of_promise = 3;

}  // namespace

std::optional<std::vector<speed>> known_or_promised_speeds(std::span<const unit> units, speed_fits fits) {
  std::vector<std::optional<speed>> all{fits.begin(), fits.end()};
  const std::optional<speed> cpu = median_speed(unit_kind::cpu, units, fits);
  const std::optional<speed> gpu = median_speed(unit_kind::gpu, units, fits);
  if (!cpu && !gpu) return std::nullopt;
  const double pcf = promised_pcf(units);
  for (std::size_t u = 0; u < units.size(); ++u) {
    const bool is_cpu = units[u].kind == unit_kind::cpu;
    if (is_cpu && !cpu) all[u] = speed{.launch = 0, .per_weight = pcf * gpu->per_weight / error_of_promise};
    if (!is_cpu && !gpu) all[u] = speed{.launch = 0, .per_weight = cpu->per_weight / pcf / error_of_promise};
  }
  return fitted_speeds(units, all);
}

}  // namespace yoke::scheduling
