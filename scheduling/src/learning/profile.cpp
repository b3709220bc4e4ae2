#include "../maps/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <yoke/profile.hpp>
#include <yoke/schedule.hpp>

namespace yoke {

namespace {

constexpr double half_life = 30, forgotten_after = 180;  // days
constexpr double of_gpus = 0.25, of_others = 0.4;

double trust_in(const aged_profile& run) {
  return run.days < forgotten_after ? std::exp2(-std::max(run.days, 0.0) / half_life) : 0;
}

template <class Value>
struct candidate {
  seconds time;
  double trust;
  const Value* value;
};

/// The one at the quantile, by time; null where nobody is trusted.
template <class Value>
const Value* at_quantile(std::vector<candidate<Value>> all, double quantile) {
  std::ranges::sort(all, {}, [](const auto& one) { return one.time; });
  double total = 0, below = 0;
  for (const auto& one : all) total += one.trust;
  for (const auto& one : all) {
    below += one.trust;
    if (one.trust > 0 && below >= quantile * total) return one.value;
  }
  return nullptr;
}

/// Lines are compared by what they say of a fair share, since launch and slope of one belong together.
unit_profile merged_unit(std::span<const aged_profile> runs, std::size_t u, double weight, double quantile) {
  std::vector<candidate<unit_profile>> seen;
  for (const aged_profile& run : runs) {
    if (u >= run.learnt.units.size() || trust_in(run) == 0) continue;
    const unit_profile& one = run.learnt.units[u];
    if (!one.is_known()) continue;
    seen.push_back({one.usual.launch + one.usual.per_weight * weight, trust_in(run), &one});
  }
  const int n = static_cast<int>(seen.size());
  const unit_profile* found = at_quantile(std::move(seen), quantile);
  if (found == nullptr) return {.runs = 0};
  return {.usual = found->usual, .careful = found->careful, .runs = n};
}

bool is_same(const map_profile& a, const map_profile& b) { return a.use == b.use && a.number == b.number; }

void add_map(std::vector<map_profile>& maps, std::span<const aged_profile> runs, const map_profile& wanted) {
  if (std::ranges::any_of(maps, [&](const map_profile& one) { return is_same(one, wanted); })) return;
  std::vector<candidate<map_profile>> seen;
  for (const aged_profile& run : runs)
    for (const map_profile& one : run.learnt.maps)
      if (is_same(one, wanted)) seen.push_back({one.pass, trust_in(run), &one});
  if (const map_profile* found = at_quantile(std::move(seen), of_others)) maps.push_back(*found);
}

}  // namespace

profile merged(std::span<const aged_profile> runs, const workload& work, std::span<const unit> units) {
  profile all;
  const double share = yoke::weight_of(work, scheduling::all_tasks(work.n_tasks)) /
                       static_cast<double>(std::max<std::size_t>(units.size(), 1));
  bool is_known = false;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const double quantile = units[u].kind == unit_kind::gpu ? of_gpus : of_others;
    all.units.push_back(merged_unit(runs, u, share, quantile));
    is_known = is_known || all.units.back().is_known();
  }
  if (!is_known) return {};
  all.days = std::ranges::min(runs, {}, &aged_profile::days).days;
  for (const aged_profile& run : runs)
    for (const map_profile& one : run.learnt.maps) add_map(all.maps, runs, one);
  return all;
}

}  // namespace yoke
