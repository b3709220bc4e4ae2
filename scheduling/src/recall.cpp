#include "recall.hpp"

#include "memory_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace yoke::scheduling {

namespace {

constexpr int enough_runs = 3, runs_to_idle_a_gpu = 2;
constexpr int batches_of_few = 4, batches_of_many = 10;

constexpr std::array<std::pair<use, std::string_view>, 4> names{
    {{use::both_kinds, "both-kinds"}, {use::gpus, "gpus"}, {use::one_gpu, "one-gpu"}, {use::cpus, "cpus"}}};

seconds time_of(const speed& line, double weight) { return line.launch + line.per_weight * weight; }

/// Of two sizes, so that launch cost and slope come out again, and two that took longer of many.
void tell_unit(unit_id unit, const unit_profile& of, double weight, observations& told) {
  const int n = of.runs < enough_runs ? batches_of_few : batches_of_many;
  for (int i = 0; i < n; ++i) {
    const double size = i % 2 == 0 ? weight : weight / 2;
    const bool is_late = n == batches_of_many && i >= n - 2;
    told.recalled(unit, size, time_of(is_late ? of.careful : of.usual, size));
  }
}

std::optional<alternative> to_alternative(const map_profile& one, const workload& work,
                                          std::span<const unit> units) {
  const auto* const at = std::ranges::find(names, one.use, &std::pair<use, std::string_view>::second);
  if (at == names.end() || one.number < 0 || !(one.pass > 0) || !std::isfinite(one.pass)) return std::nullopt;
  const bool has_both = !units_of(unit_kind::gpu, units).empty() && !units_of(unit_kind::cpu, units).empty();
  const auto number = static_cast<std::size_t>(one.number);
  switch (at->first) {
    case use::both_kinds:
      if (!has_both || one.number < 1 || one.number >= work.n_tasks) return std::nullopt;
      return alternative{.how = use::both_kinds, .cut = one.number};
    case use::one_gpu:
      if (number >= units.size() || units[number].kind != unit_kind::gpu) return std::nullopt;
      return alternative{.how = use::one_gpu, .gpu = number};
    case use::cpus:
      if (units_of(unit_kind::cpu, units).empty()) return std::nullopt;
      return alternative{.how = use::cpus, .cut = work.n_tasks};
    case use::gpus:
      break;
  }
  if (units_of(unit_kind::gpu, units).empty()) return std::nullopt;
  return alternative{.how = use::gpus};
}

map_profile to_map(const alternatives::seen& one) {
  const auto* const at = std::ranges::find(names, one.what.how, &std::pair<use, std::string_view>::first);
  const int number = one.what.how == use::one_gpu ? static_cast<int>(one.what.gpu) : one.what.cut;
  return {.use = std::string{at->second}, .number = number, .pass = one.time.usual, .error = one.time.error};
}

bool leaves_unsure_gpu_out(const assignment& shares, const profile& earlier, std::span<const unit> units) {
  for (std::size_t u = 0; u < units.size(); ++u) {
    const bool is_idle = units[u].kind == unit_kind::gpu && shares[u].empty();
    if (is_idle && earlier.units[u].runs < runs_to_idle_a_gpu) return true;
  }
  return false;
}

}  // namespace

void tell_again(const profile& earlier, const workload& work, std::span<const unit> units,
                observations& told) {
  const double all = weight_of(work, all_tasks(work.n_tasks));
  const auto gpus = static_cast<double>(units_of(unit_kind::gpu, units).size());
  for (std::size_t u = 0; u < units.size(); ++u) {
    const unit_profile& of = earlier.units[u];
    const double weight = units[u].kind == unit_kind::gpu ? all / gpus : all / work.n_tasks * units[u].cpus;
    if (of.is_known()) tell_unit(unit_id{static_cast<int>(u)}, of, weight, told);
  }
}

std::optional<recollection> recollect(const profile& earlier, const workload& work,
                                      std::span<const unit> units) {
  if (earlier.units.size() != units.size()) return std::nullopt;
  observations told{units};
  tell_again(earlier, work, units, told);
  const std::optional<unit_speeds> speeds = told.speeds();
  if (!speeds) return std::nullopt;
  recollection found;
  for (const map_profile& one : earlier.maps)
    if (const std::optional<alternative> what = to_alternative(one, work, units))
      found.known.recall(*what, {one.pass, one.error});
  const forecast model{work, units, *speeds};
  found.best =
      found.known.all().empty() ? found.known.best(work, units, model) : found.known.best_seen(model);
  std::optional<assignment> shares = try_fit(shares_of(found.best, work, units, speeds->usual), work, units);
  if (!shares || leaves_unsure_gpu_out(*shares, earlier, units)) return std::nullopt;
  found.shares = std::move(*shares);
  return found;
}

profile to_profile(const observations& told, const alternatives& known, const alternative& present) {
  const std::optional<unit_speeds> speeds = told.speeds();
  if (!speeds) return {};
  profile all;
  for (std::size_t u = 0; u < speeds->usual.size(); ++u)
    all.units.push_back(told.is_heard(u)
                            ? unit_profile{.usual = speeds->usual[u], .careful = speeds->careful[u]}
                            : unit_profile{.runs = 0});
  alternatives seen = known;
  if (const std::optional<pass_time> now = told.pass()) seen.note(present, *now);
  for (const alternatives::seen& one : seen.all())
    if (!one.is_recalled) all.maps.push_back(to_map(one));
  return all;
}

}  // namespace yoke::scheduling
