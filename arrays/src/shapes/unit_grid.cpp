#include "unit_grid.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

std::string text_of(std::span<const int> sides) {
  std::string text;
  for (const int side : sides)
    text += (text.empty() ? "" : " x ") + (side == dist::any ? std::string{"any"} : fmt::format("{}", side));
  return text;
}

void check_listed(std::span<const int> listed, int n_units) {
  if (listed.empty()) throw usage_error{"dist::units: no unit is listed; one at least"};
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (listed[i] < 0 || listed[i] >= n_units)
      throw usage_error{
          fmt::format("dist::units: there is no unit {}; the runtime has [0, {})", listed[i], n_units)};
    if (std::ranges::count(listed, listed[i]) > 1)
      throw usage_error{fmt::format("dist::units: unit {} is listed twice; each has one place", listed[i])};
  }
}

std::vector<int> units_of(const unit_choice& which, const array_context& context) {
  using kind = unit_choice::kind;
  const int n = context.n_units();
  if (which.of() == kind::listed) {
    check_listed(which.listed(), n);
    return {which.listed().begin(), which.listed().end()};
  }
  const int begin = which.of() == kind::gpus ? context.n_cpu_units : 0;
  const int end = which.of() == kind::cpus ? context.n_cpu_units : n;
  if (begin == end)
    throw usage_error{fmt::format("a grid over dist::{}: the runtime has no {} CU",
                                  begin == 0 ? "cpu_units" : "gpus", begin == 0 ? "CPU" : "GPU")};
  std::vector<int> units(static_cast<std::size_t>(end - begin));
  std::iota(units.begin(), units.end(), begin);
  return units;
}

void check_sides(std::span<const int> sides) {
  if (sides.empty() || sides.size() > 4)
    throw usage_error{fmt::format("a grid of {} dimensions; 1 to 4", sides.size())};
  for (const int side : sides)
    if (side < 1 && side != dist::any)
      throw usage_error{
          fmt::format("a grid of {}: a side is 1 or more, or dist::any, not {}", text_of(sides), side)};
}

/// The largest divisor of n that is no larger than its root of this degree.
int divisor_near_root(int n, int degree) {
  const auto power = [degree](int of) {
    std::int64_t made = 1;
    for (int i = 0; i < degree; ++i) made *= of;
    return made;
  };
  int best = 1;
  for (int d = 1; power(d) <= n; ++d)
    if (n % d == 0) best = d;
  return best;
}

/// Longer sides first.
std::vector<int> even_sides(int n, int how_many) {
  std::vector<int> sides;
  for (int left = how_many; left > 0; --left) {
    sides.push_back(left == 1 ? n : divisor_near_root(n, left));
    n /= sides.back();
  }
  std::ranges::sort(sides, std::ranges::greater{});
  return sides;
}

unit_grid fill(std::span<const int> sides, std::vector<int> units) {
  unit_grid made{.dimensions = static_cast<int>(sides.size()), .units = std::move(units)};
  const auto n = static_cast<int>(made.units.size());
  std::int64_t fixed = 1;
  for (const int side : sides) fixed *= side == dist::any ? 1 : side;
  const auto n_any = static_cast<int>(std::ranges::count(sides, dist::any));
  if (n_any == 0 ? fixed != n : fixed > n || n % fixed != 0)
    throw usage_error{fmt::format("a grid of {} for {} compute units; its sides make {} as many",
                                  text_of(sides), n, n_any == 0 ? "exactly" : "a divisor of")};
  const std::vector<int> free_sides = even_sides(n / static_cast<int>(fixed), n_any);
  std::size_t next = 0;
  for (std::size_t g = 0; g < sides.size(); ++g)
    made.sides[g] = sides[g] == dist::any ? free_sides[next++] : sides[g];
  return made;
}

}  // namespace

std::array<int, 4> unit_grid::coordinates_of(int place) const {
  std::array<int, 4> at{};
  for (std::size_t g = 4; g-- > 0; place /= sides[g]) at[g] = place % sides[g];
  return at;
}

unit_grid make_grid(const dist::grid& what, const array_context& context) {
  check_sides(what.sides());
  return fill(what.sides(), units_of(what.over(), context));
}

unit_grid grid_of_all(int dimensions, const array_context& context) {
  const std::vector<int> sides(static_cast<std::size_t>(std::max(dimensions, 1)), dist::any);
  return fill(sides, units_of(dist::all_units, context));
}

}  // namespace yoke::detail
