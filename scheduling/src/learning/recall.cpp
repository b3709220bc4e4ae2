#include "recall.hpp"

#include "../maps/cuts.hpp"
#include "../maps/memory_limits.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

constexpr int enough_runs = 3, runs_to_idle_a_gpu = 2;
constexpr int batches_of_few = 4, batches_of_many = 10;

/// What nine batches of ten keep to, in deviations of a normal distribution.
constexpr double kept_by_nine_of_ten = 1.28;

/// The words of a profile. Maps in which each CPU CU has tasks of its own are found again by the speeds
/// alone.
constexpr std::array<std::pair<use, std::string_view>, 4> names{
    {{use::both_kinds, "both-kinds"}, {use::gpus, "gpus"}, {use::one_gpu, "one-gpu"}, {use::cpus, "cpus"}}};
constexpr std::string_view both_with_own = "both-kinds-own", cpus_with_own = "cpus-own";

seconds time_of(const speed& line, double weight) { return line.launch + line.per_weight * weight; }

/// Of two sizes, so that launch cost and slope come out again, and two that took longer of many.
void tell_unit(unit_id unit, const unit_profile& of, double weight, heard_batches& told) {
  const int n = of.runs < enough_runs ? batches_of_few : batches_of_many;
  for (int i = 0; i < n; ++i) {
    const double size = i % 2 == 0 ? weight : weight / 2;
    const bool is_late = n == batches_of_many && i >= n - 2;
    told.recall(unit, size, time_of(is_late ? of.careful : of.usual, size));
  }
}

bool has_both_kinds(std::span<const unit> units) {
  return !units_of(unit_kind::gpu, units).empty() && !units_of(unit_kind::cpu, units).empty();
}

/// Which tasks each unit gets then; nullopt where these units or this work know no such map.
std::optional<assignment> shares_of(use how, int number, const workload& work, std::span<const unit> units,
                                    const forecast& model) {
  const auto at = static_cast<std::size_t>(number);
  switch (how) {
    case use::both_kinds:
      if (!has_both_kinds(units) || number < 1 || number >= work.n_tasks) return std::nullopt;
      return cut_at(number, work, units, model);
    case use::one_gpu:
      if (at >= units.size() || units[at].kind != unit_kind::gpu) return std::nullopt;
      return on_one(at, work.n_tasks, units.size());
    case use::cpus:
      if (units_of(unit_kind::cpu, units).empty()) return std::nullopt;
      return cut_at(work.n_tasks, work, units, model);
    case use::gpus:
      break;
  }
  if (units_of(unit_kind::gpu, units).empty()) return std::nullopt;
  return cut_at(0, work, units, model);
}

std::optional<alternative> to_alternative(const map_profile& one, const workload& work,
                                          std::span<const unit> units, const forecast& model) {
  if (one.number < 0 || !detail::amounts.has(one.pass)) return std::nullopt;
  if (one.use == both_with_own) {
    std::optional<shared_map> own =
        has_both_kinds(units) ? best_shared(work, units, model, map_family::own_tasks) : std::nullopt;
    if (!own) return std::nullopt;
    return make_alternative(std::move(own->shares), units, own->cpus);
  }
  if (one.use == cpus_with_own) {
    std::optional<assignment> own = own_tasks_of_cpus(work, units, model);
    if (!own) return std::nullopt;
    return make_alternative(*std::move(own), units, cpu_tasks::own);
  }
  const auto* const at = std::ranges::find(names, one.use, &std::pair<use, std::string_view>::second);
  if (at == names.end()) return std::nullopt;
  std::optional<assignment> shares = shares_of(at->first, one.number, work, units, model);
  if (shares) shares = try_fit(*std::move(shares), work, units);
  if (!shares) return std::nullopt;
  return make_alternative(*std::move(shares), units);
}

map_profile to_map(const candidate& one, std::span<const unit> units) {
  const alternative& what = one.what;
  const auto* const at = std::ranges::find(names, what.how, &std::pair<use, std::string_view>::first);
  const auto gpu = std::ranges::find_if(what.shares, [](const auto& share) { return !share.empty(); });
  const bool own = what.cpus == cpu_tasks::own;
  const bool own_of_both = own && what.how == use::both_kinds, own_of_cpus = own && what.how == use::cpus;
  const int number = what.how == use::one_gpu ? static_cast<int>(gpu - what.shares.begin())
                                              : tasks_on(unit_kind::cpu, what.shares, units);
  const estimate pass = one.now();
  return {.use = std::string{own_of_both   ? both_with_own
                             : own_of_cpus ? cpus_with_own
                                           : at->second},
          .number = number,
          .pass = pass.pass,
          .error = pass.error};
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
                heard_batches& told) {
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
  heard_batches told{units, usual_weight(work)};
  tell_again(earlier, work, units, told);
  const std::optional<heard_speeds> heard = told.speeds();
  if (!heard) return std::nullopt;
  recollection found;
  const forecast model{work, units, heard->speeds};
  for (const map_profile& one : earlier.maps)
    if (std::optional<alternative> what = to_alternative(one, work, units, model))
      found.known.push_back({*std::move(what), {one.pass, one.error}});
  if (found.known.empty()) {
    std::vector<alternative> ways = ways_of_using(work, units, model);
    if (ways.empty()) return std::nullopt;
    const auto time = [&](const alternative& one) { return model.of(one.shares, one.cpus); };
    found.best = in_regions(*std::ranges::min_element(ways, {}, time), work, units, model);
  } else {
    found.best =
        std::ranges::min_element(found.known, {}, [](const timed_map& one) { return one.pass.pass; })->what;
  }
  if (leaves_unsure_gpu_out(found.best.shares, earlier, units)) return std::nullopt;
  return found;
}

profile to_profile(const heard_batches& told, const heard_speeds& heard, const candidates& known,
                   std::span<const unit> units) {
  profile all;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const double spread = units[u].kind == unit_kind::cpu ? heard.speeds.cpu_spread : heard.speeds.gpu_spread;
    const speed usual = heard.speeds.usual[u];
    const double late = 1 + kept_by_nine_of_ten * spread;
    const speed careful{.launch = late * usual.launch, .per_weight = late * usual.per_weight};
    all.units.push_back(told.is_heard(u) ? unit_profile{.usual = usual, .careful = careful}
                                         : unit_profile{.runs = 0});
  }
  const candidate* winner = nullptr;
  for (const candidate& one : known.all())
    if (one.is_timed() && !one.is_recalled && (winner == nullptr || one.now().pass < winner->now().pass))
      winner = &one;
  if (winner != nullptr) all.maps.push_back(to_map(*winner, units));
  return all;
}

}  // namespace yoke::scheduling
