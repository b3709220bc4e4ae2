#include "balance.hpp"

#include "../moves/moved_parts.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <numeric>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

using scheduling::balancer;
using scheduling::sharing_unit;

/// Until loops are measured a processor of a GPU counts as three CPUs, as for tasks; one whose processors are
/// not known as one.
double weight_of(const compute_unit& unit) {
  constexpr double cpus_of_processor = 3;
  if (unit.kind == unit_kind::cpu) return static_cast<double>(std::max<std::size_t>(unit.cpus.size(), 1));
  const int processors = unit.dev->info().processors;
  return processors > 1 ? cpus_of_processor * processors : 1;
}

balancer make_balancer(std::int64_t rows, const array_context& context) {
  std::vector<sharing_unit> units;
  for (const compute_unit& unit : context.rt().units().all()) units.push_back({unit.space, weight_of(unit)});
  return {rows, std::move(units)};
}

/// f(contents) for each.
template <class F>
void for_each_balanced(std::int64_t rows, const array_context& context, const F& f) {
  for (const array_state* each : context.arrays) {
    contents* const elements = each->elements();
    if (elements != nullptr && elements->shape().balanced >= 0 && balanced_rows(elements->shape()) == rows)
      f(*elements);
  }
}

double bytes_of_row(std::int64_t rows, const array_context& context) {
  double bytes = 0;
  for_each_balanced(rows, context, [&](const contents& each) {
    bytes += static_cast<double>(bytes_of(each.shape(), box_held_for(each.shape(), each.shape().all())));
  });
  return rows > 0 ? bytes / static_cast<double>(rows) : 0;
}

/// Shapes with other cuts; arrays that share one do so afterwards.
class new_shapes {
 public:
  explicit new_shapes(std::vector<std::int64_t> cuts) : cuts_{std::move(cuts)} {}
  const std::shared_ptr<const layout>& of(const layout& shape) {
    std::shared_ptr<const layout>& made = made_[&shape];
    if (made != nullptr) return made;
    return made = std::make_shared<const layout>(cut_anew(shape, cuts_));
  }

 private:
  std::vector<std::int64_t> cuts_;
  std::map<const layout*, std::shared_ptr<const layout>> made_;
};

}  // namespace

balancer& balancer_of(std::int64_t rows, array_context& context) {
  const auto known = context.balanced.find(rows);
  if (known != context.balanced.end()) return known->second;
  return context.balanced.emplace(rows, make_balancer(rows, context)).first->second;
}

std::vector<std::int64_t> balanced_cuts(const rows_to_cut& rows, array_context& context) {
  std::int64_t least = rows.least;
  bool alone = true;
  for_each_balanced(rows.n, context, [&](const contents& each) {
    alone = false;
    const dimension& cut = each.shape()[each.shape().balanced];
    least = std::max({least, cut.low, cut.high});
  });
  if (alone && !balancer_of(rows.n, context).has_measured()) context.balanced.erase(rows.n);
  balancer& of = balancer_of(rows.n, context);
  const std::vector<std::int64_t> shares = of.shares_of_at_least(least);
  if (!std::ranges::equal(shares, of.shares())) {
    move_balanced(rows.n, shares, context);
    of.move_to(shares);
  }
  return cuts_after(shares);
}

void move_balanced(std::int64_t rows, const std::vector<std::int64_t>& shares, array_context& context) {
  new_shapes shapes{cuts_after(shares)};
  std::list<moved_parts> moves;  // memory for all before anything moves
  for_each_balanced(rows, context,
                    [&](contents& each) { moves.emplace_back(each, shapes.of(each.shape())); });
  move_all(moves, context);
}

bool balance_rows(std::int64_t rows, array_context& context, balancer::haste how) {
  balancer& of = balancer_of(rows, context);
  std::optional<std::vector<std::int64_t>> shares = of.look(bytes_of_row(rows, context), how);
  if (!shares) return false;
  try {
    move_balanced(rows, *shares, context);
  } catch (const out_of_memory& problem) {
    of.refuse(std::move(*shares), problem.what());
    return false;
  }
  of.move_to(std::move(*shares));
  return true;
}

void balance_before_loop(std::span<const array_use> uses, array_context& context) {
  if (context.n_units() == 1) return;
  for (const array_use& use : uses) {
    const layout& shape = use.array->state().usable("for_each").shape();
    if (shape.balanced < 0 || &use.array->state().context() != &context) continue;
    if (balancer_of(balanced_rows(shape), context).is_time_to_look())
      balance_rows(balanced_rows(shape), context);
    return;
  }
}

namespace {

/// Rows that a unit has of the balanced array, and those of them that the loop runs.
struct rows_of_unit {
  std::int64_t all = 0;
  std::int64_t run = 0;
};
rows_of_unit rows_of(const loop_parts& parts, int unit) {
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

}  // namespace

balancer* learner_of(const loop_parts& parts) {
  if (parts.context.n_units() == 1 || parts.shape() == nullptr || parts.shape()->balanced < 0) return nullptr;
  bool learns = runs_half(rows_of_cpus(parts));  // of less it would learn what is not so
  for (const gpu_unit& gpu : parts.context.gpus) {
    const rows_of_unit mine = rows_of(parts, gpu.unit);
    learns = learns && (runs_half(mine) || has_edge_alone(parts, mine));
  }
  return learns ? &balancer_of(balanced_rows(*parts.shape()), parts.context) : nullptr;
}

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

/// A CPU is through with a part of a tile the sooner.
std::vector<std::int64_t> steps_of(const loop_parts& parts) {
  std::vector<std::int64_t> steps(static_cast<std::size_t>(parts.context.n_units()), 1);
  const auto cut = static_cast<std::size_t>(parts.shape()->balanced);
  for (const gpu_unit& gpu : parts.context.gpus)
    steps[static_cast<std::size_t>(gpu.unit)] = parts.who.gpu_tile[cut];
  return steps;
}

}  // namespace yoke::detail
