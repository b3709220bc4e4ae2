#include "balance.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/detail/array_handle.hpp>
#include <yoke/detail/recorder.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// One number where all are alike.
std::string text_of_lengths(std::span<const std::int64_t> lengths) {
  const bool are_alike = std::ranges::count(lengths, lengths.front()) == std::ssize(lengths);
  return fmt::format("{}", fmt::join(are_alike ? lengths.first(1) : lengths, ", "));
}

std::string text_of(const dimension_cut& cut) {
  if (cut.goes_round()) return fmt::format("blocks of {}, which go round", text_of_lengths(cut.round));
  std::string text;
  for (std::size_t place = 0; place + 1 < cut.cuts.size(); ++place)
    text += fmt::format("{}[{}, {})", place > 0 ? " " : "", cut.cuts[place], cut.cuts[place + 1]);
  return text;
}

std::string text_of(const layout& shape, int d) {
  return fmt::format("dimension {}, [0, {})", d, shape[d].extent);
}

std::string text_of(const unit_grid& grid) {
  std::string text = "units";
  for (const int unit : grid.units) text += fmt::format(" {}", unit);
  text += " make a grid of ";
  for (int g = 0; g < grid.dimensions; ++g) text += fmt::format("{}{}", g > 0 ? " x " : "", grid.side(g));
  return text;
}

bool has_all_units_in_line(const layout& shape) {
  return shape.grid.dimensions == 1 && std::ssize(shape.grid.units) == shape.n_units &&
         std::ranges::is_sorted(shape.grid.units);
}

std::string explain_grid(const layout& shape) {
  std::string text = text_of(shape.grid);
  for (int d = 0; d < shape.dimensions; ++d)
    if (shape.is_cut(d))
      text += fmt::format("\n{}, follows dimension {} of the grid: {}", text_of(shape, d),
                          shape.cut_of(d).grid_side, text_of(shape.cut_of(d)));
  for (const cell& each : shape.cells)
    if (each.units.size() > 1) return text + fmt::format("\neach part is there {} times", each.units.size());
  return text;
}

}  // namespace

bool array_handle::balance() const {
  refuse_in_region("balance");
  refuse_in_recording("balance");
  const std::lock_guard guard{state().context().lock};
  const layout& shape = state().usable("balance").shape();
  if (shape.balanced < 0)
    throw usage_error{fmt::format("balance: {} is not balanced; make it with dist::balanced in dimension 0",
                                  state().called())};
  return balance_rows(balanced_rows(shape), state().context(), scheduling::balancer::haste::now);
}

std::string array_handle::explain() const {
  refuse_in_region("explain");
  const std::lock_guard guard{state().context().lock};
  const layout& shape = state().usable("explain").shape();
  if (!has_all_units_in_line(shape)) return explain_grid(shape);
  for (int d = 0; d < shape.dimensions; ++d) {
    if (!shape.is_cut(d)) continue;
    const std::string cuts = fmt::format("{}, is cut into {}", text_of(shape, d), text_of(shape.cut_of(d)));
    if (shape.balanced < 0) return cuts + " and stays so";
    return cuts + "; balanced: " + balancer_of(balanced_rows(shape), state().context()).explain();
  }
  return text_of(shape, 0) + ": all of it in each memory";
}

}  // namespace yoke::detail
