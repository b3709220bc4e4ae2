/// What loops over balanced arrays, and loops that are dealt, teach.
#include "balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace yoke::detail {

using scheduling::balancer;

namespace {

/// Rows that a unit has of the balanced array, and those of them that the loop runs.
struct rows_of_unit {
  std::int64_t all = 0;
  std::int64_t run = 0;
};
/// Of a loop that is dealt, of its parts: those that are meant for the unit, and what that came to.
rows_of_unit dealt_rows_of(const loop_parts& parts, int unit) {
  const std::vector<int>& units = parts.deals->units;
  const auto at = std::ranges::find(units, unit) - units.begin();
  if (at == std::ssize(units)) return {};
  const auto run = static_cast<__int128>(parts.dealt[static_cast<std::size_t>(unit)].size());
  return {parts.deals->sharing.shares()[static_cast<std::size_t>(at)],
          static_cast<std::int64_t>(run * dealt_loops::parts / parts.over[0].size())};
}
rows_of_unit rows_of(const loop_parts& parts, int unit) {
  if (parts.shape() == nullptr) return dealt_rows_of(parts, unit);
  const layout& shape = *parts.shape();
  const bound mine = shape.part_of(unit)[shape.balanced].hull();
  return {mine.size(), common(mine, parts.over[shape.balanced]).size()};
}

/// Of all CPU CUs together, which are alike: one may have a row of the edge alone.
rows_of_unit rows_of_cpus(const loop_parts& parts) {
  rows_of_unit sum;
  for (int unit = 0; unit < parts.context.n_cpu_units; ++unit) {
    const rows_of_unit mine = rows_of(parts, unit);
    sum.all += mine.all;
    sum.run += mine.run;
  }
  return sum;
}

bool runs_half(const rows_of_unit& of) { return 2 * of.run >= of.all; }

/// Whether the loop leaves out all that a unit has, and that is no more than loops over inner rows do.
bool has_edge_alone(const loop_parts& parts, const rows_of_unit& of) {
  if (parts.shape() == nullptr) return of.all == 0;
  const dimension& cut = (*parts.shape())[parts.shape()->balanced];
  return of.run == 0 && of.all <= cut.low + cut.high;
}

/// Rows a second and weight, of units that have run some.
double usual_rate(std::span<const seconds> times, const loop_parts& parts) {
  double rows = 0, weighted = 0;
  for (const compute_unit& unit : parts.context.rt().units().all()) {
    const auto run = static_cast<double>(rows_of(parts, int{unit.id}).run);
    rows += run;
    if (run > 0) weighted += times[static_cast<std::size_t>(int{unit.id})] * weight_of(unit);
  }
  return weighted > 0 ? rows / weighted : 0;
}

/// CPU CUs that share tiles are through at the same time, whatever each has run: as if each had run its own
/// rows, and the one with most of them the whole time.
void as_for_own_rows(std::span<seconds> times, const loop_parts& parts) {
  std::vector<double> rows;
  for (std::size_t unit = 0; unit < times.size(); ++unit)
    rows.push_back(static_cast<double>(rows_of(parts, static_cast<int>(unit)).run));
  const double most = std::ranges::max(rows);
  const seconds last = std::ranges::max(times);
  for (std::size_t unit = 0; unit < times.size(); ++unit)
    times[unit] = most > 0 ? last * rows[unit] / most : 0;
}

balancer* balancer_of(const loop_parts& parts) {
  if (parts.shape() == nullptr) return parts.deals != nullptr ? &parts.deals->sharing : nullptr;
  const layout& shape = *parts.shape();
  return shape.balanced >= 0 ? &balancer_of(balanced_rows(shape), parts.context) : nullptr;
}

/// What its units needed for the rows that it runs becomes what all of their rows take. A CPU CU that runs
/// none is as fast as the others, a GPU as its weight beside theirs says.
void as_for_all_rows(std::vector<seconds>& times, const loop_parts& parts) {
  const rows_of_unit cpus = rows_of_cpus(parts);
  if (parts.tiles)
    as_for_own_rows(std::span{times}.first(static_cast<std::size_t>(parts.context.n_cpu_units)), parts);
  const seconds of_cpus = std::accumulate(times.begin(), times.begin() + parts.context.n_cpu_units, 0.0);
  const double rate = usual_rate(times, parts);
  for (const compute_unit& unit : parts.context.rt().units().all()) {
    seconds& mine = times[static_cast<std::size_t>(int{unit.id})];
    const auto [all, run] = rows_of(parts, int{unit.id});
    if (run > 0)
      mine *= static_cast<double>(all) / static_cast<double>(run);
    else if (unit.kind == unit_kind::cpu && cpus.run > 0)
      mine = of_cpus * static_cast<double>(all) / static_cast<double>(cpus.run);
    else if (rate > 0)
      mine = static_cast<double>(all) / (rate * weight_of(unit));
  }
}

/// How many rows each unit runs at once. A CPU is through with a part of a tile the sooner.
std::vector<std::int64_t> steps_of(const loop_parts& parts) {
  std::vector<std::int64_t> steps(static_cast<std::size_t>(parts.context.n_units()), 1);
  const auto cut = static_cast<std::size_t>(parts.shape()->balanced);
  for (const gpu_unit& gpu : parts.context.gpus)
    steps[static_cast<std::size_t>(gpu.unit)] = parts.who.gpu_tile[cut];
  return steps;
}

/// As if it had the most indices of those that it learns with.
void as_among_dealt(scheduling::timed_loop& took, const loop_parts& parts) {
  double scale = std::ldexp(1.0, digits_of(parts.over));
  for (int d = 0; d < parts.over.dimensions; ++d) scale /= static_cast<double>(parts.over[d].size());
  const std::vector<seconds> all = std::move(took.units);
  took.units.clear();
  for (const int unit : parts.deals->units) took.units.push_back(scale * all[static_cast<std::size_t>(unit)]);
  took.all *= scale;
  took.with_host *= scale;
}

}  // namespace

balancer* learner_of(const loop_parts& parts) {
  balancer* const of = parts.context.n_units() > 1 ? balancer_of(parts) : nullptr;
  if (of == nullptr) return nullptr;
  bool learns = runs_half(rows_of_cpus(parts));  // of less it would learn what is not so
  for (const gpu_unit& gpu : parts.context.gpus) {
    const rows_of_unit mine = rows_of(parts, gpu.unit);
    learns = learns && (runs_half(mine) || has_edge_alone(parts, mine));
  }
  return learns ? of : nullptr;
}

void learn(const loop_parts& parts, scheduling::timed_loop took) {
  as_for_all_rows(took.units, parts);
  if (parts.shape() == nullptr)
    as_among_dealt(took, parts);
  else
    took.steps = steps_of(parts);
  balancer_of(parts)->add(parts.name, took);
}

}  // namespace yoke::detail
