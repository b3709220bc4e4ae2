#include "balance.hpp"

#include "../moves/moved_parts.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <numeric>

#include <yoke/error.hpp>

namespace yoke::detail {

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

balancer make_balancer(std::int64_t rows, std::span<const int> some, const array_context& context) {
  std::vector<sharing_unit> units;
  for (const int each : some) {
    const compute_unit& unit = context.rt().units().at(unit_id{each});
    units.push_back({unit.space, weight_of(unit)});
  }
  return {rows, std::move(units)};
}

namespace {

std::vector<int> every_unit(const array_context& context) {
  std::vector<int> all(static_cast<std::size_t>(context.n_units()));
  std::iota(all.begin(), all.end(), 0);
  return all;
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
  return context.balanced.emplace(rows, make_balancer(rows, every_unit(context), context)).first->second;
}

std::vector<std::int64_t> balanced_cuts(const rows_to_cut& rows, array_context& context) {
  std::int64_t least = rows.least;
  bool alone = true;
  for_each_balanced(rows.n, context, [&](const contents& each) {
    alone = false;
    const dimension& cut = each.shape()[each.shape().balanced];
    least = std::max({least, cut.low, cut.high});
  });
  balancer& of = balancer_of(rows.n, context);
  if (alone && of.moves() > 0 && !of.has_measured())
    of = make_balancer(rows.n, every_unit(context), context);  // who needed long parts has ended
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

void look_at_rows(std::int64_t rows, array_context& context) {
  if (balancer_of(rows, context).is_time_to_look()) balance_rows(rows, context);
}

bool is_left_behind(const loop_parts& parts) {
  if (parts.own == nullptr || parts.own->balanced < 0) return false;
  const dimension_cut& cut = parts.own->cut_of(parts.own->balanced);
  const balancer& of = balancer_of(balanced_rows(*parts.own), parts.context);
  return (cut.follows_rows() ? cut.row_cuts : cut.cuts) != cuts_after(of.shares());
}

void balance_before_loop(std::span<const array_use> uses, const loop_sharing* sharing, const any_box& over,
                         array_context& context) {
  if (context.n_units() == 1) return;
  const auto look_at = [&](const array_handle& array) {
    const layout& shape = array.state().usable("for_each").shape();
    if (shape.balanced < 0 || &array.state().context() != &context) return false;
    look_at_rows(balanced_rows(shape), context);
    return true;
  };
  if (sharing != nullptr && sharing->as() != nullptr) {
    look_at(*sharing->as());
  } else if (sharing != nullptr) {
    for (std::size_t d = 0; d < std::min<std::size_t>(sharing->dims().size(), 4); ++d)
      if (kind_of(sharing->dims()[d]).is_balanced && over.sides[d].end > 0)
        look_at_rows(over.sides[d].end, context);
  } else {
    for (const array_use& use : uses)
      if (!use.is_everywhere && look_at(*use.array)) return;
  }
}

}  // namespace yoke::detail
