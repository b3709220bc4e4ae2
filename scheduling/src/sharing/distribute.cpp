/// The least longest time: bisection over times; a time is enough when what each unit can have in it adds up.
#include "../maps/reachable_sums.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <ranges>

#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>
#include <yoke/performance.hpp>

namespace yoke::scheduling {

namespace {

/// Amounts in blocks of the granularity.
struct problem {
  std::span<const performance_function> functions;
  std::vector<interval> allowed;  ///< of each unit that has any; empty: first > last
  std::int64_t blocks;
  std::int64_t granularity;

  seconds time(std::size_t unit, std::int64_t of) const { return functions[unit].time(of * granularity); }
  std::int64_t step(std::size_t unit) const { return functions[unit].step(); }
};

using choices = std::vector<interval>;

/// What of [first, last], along which the time only grows or only falls, takes `limit` at most.
void add_piece(const problem& in, std::size_t unit, std::int64_t first, std::int64_t last, seconds limit,
               choices& to) {
  if (first > last) return;
  const bool begins = in.time(unit, first) <= limit, ends = in.time(unit, last) <= limit;
  if (!begins && !ends) return;
  std::int64_t inside = begins ? first : last, outside = begins ? last : first;
  if (begins && ends) inside = last;
  while (begins != ends && std::abs(outside - inside) > 1) {
    const std::int64_t middle = inside + (outside - inside) / 2;
    (in.time(unit, middle) <= limit ? inside : outside) = middle;
  }
  const interval found = begins ? interval{first, inside} : interval{inside, last};
  if (!to.empty() && to.back().last + 1 >= found.first) {
    to.back().last = std::max(to.back().last, found.last);
  } else {
    to.push_back(found);
  }
}

/// What a unit can have within a time: intervals in order, 0 among them.
choices within(const problem& in, std::size_t unit, seconds limit) {
  choices found{{0, 0}};
  const interval& allowed = in.allowed[unit];
  std::int64_t first = allowed.first;
  for (const performance_point& point : in.functions[unit].points()) {
    const std::int64_t step = in.step(unit), in_steps = point.amount / step * step;
    const std::int64_t last = std::min(in_steps / in.granularity, allowed.last);
    add_piece(in, unit, first, last, limit, found);
    first = std::max(first, last + 1);
  }
  add_piece(in, unit, first, allowed.last, limit, found);
  return found;
}

std::vector<choices> within(const problem& in, seconds limit) {
  std::vector<choices> all;
  for (std::size_t unit = 0; unit < in.functions.size(); ++unit) all.push_back(within(in, unit, limit));
  return all;
}

bool is_enough(const problem& in, seconds limit) {
  const std::vector<choices> all = within(in, limit);
  std::int64_t most = 0;
  for (const choices& each : all) most += each.back().last;
  if (most < in.blocks) return false;
  if (std::ranges::all_of(all, [](const choices& each) { return each.size() == 1; })) return true;
  reachable_sums sums{in.blocks};
  for (const choices& each : all) sums = sums.plus(each);
  return sums.has(in.blocks);
}

/// The least time that is enough, to the last bit: numbers from 0 up are ordered as their bits are.
seconds least_time(const problem& in) {
  std::uint64_t low = 0, high = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max());
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (is_enough(in, std::bit_cast<double>(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::bit_cast<double>(high);
}

/// The number of `from` next to `wanted` that leaves a sum of the others.
std::int64_t nearest(const choices& from, std::int64_t wanted, std::int64_t left,
                     const reachable_sums& others) {
  const auto has = [&](std::int64_t x) {
    return std::ranges::any_of(from, [&](const interval& each) { return each.first <= x && x <= each.last; });
  };
  for (std::int64_t away = 0;; ++away) {
    for (const std::int64_t x : {wanted - away, wanted + away})
      if (x >= 0 && has(x) && others.has(left - x)) return x;
  }
}

/// As much as takes no longer: whole steps.
std::int64_t in_whole_steps(const problem& in, std::size_t unit, std::int64_t blocks, std::int64_t most) {
  return std::min(next_multiple(blocks * in.granularity, in.step(unit)) / in.granularity, most);
}

/// Those with whole steps first: what they take more or less is then everybody's, not that of whoever is
/// last.
std::vector<std::size_t> those_with_steps_first(const problem& in) {
  std::vector<std::size_t> order;
  for (const bool has_steps : {true, false})
    for (std::size_t unit = 0; unit < in.functions.size(); ++unit)
      if ((in.step(unit) > 1) == has_steps) order.push_back(unit);
  return order;
}

/// Shares in proportion to the most that each can have in that time, as nearly as they add up.
std::vector<std::int64_t> shares_within(const problem& in, seconds limit) {
  const std::vector<choices> all = within(in, limit);
  const std::vector<std::size_t> order = those_with_steps_first(in);
  std::vector<reachable_sums> of_later{reachable_sums{in.blocks}};
  double most = 0;
  for (const std::size_t unit : std::views::reverse(order)) {
    of_later.push_back(of_later.back().plus(all[unit]));
    most += static_cast<double>(all[unit].back().last);
  }
  std::vector<std::int64_t> shares(all.size());
  std::int64_t left = in.blocks;
  for (const std::size_t unit : order) {
    of_later.pop_back();
    const std::int64_t most_of_unit = all[unit].back().last;
    const double share = most > 0 ? static_cast<double>(most_of_unit) / most : 0;
    const std::int64_t in_proportion = std::llround(share * static_cast<double>(left));
    shares[unit] =
        nearest(all[unit], in_whole_steps(in, unit, in_proportion, most_of_unit), left, of_later.back());
    left -= shares[unit];
    most -= static_cast<double>(most_of_unit);
  }
  return shares;
}

void check_amount(std::int64_t n, std::int64_t granularity) {
  constexpr std::int64_t most_multiples = std::int64_t{1} << 32;  // of which there is a bit each
  if (n < 0 || n > detail::most_indices)
    throw usage_error{
        fmt::format("distribute: an amount of {}; 0 or more, {} at most", n, detail::most_indices)};
  if (granularity < 1)
    throw usage_error{fmt::format("distribute: a granularity of {}; 1 or more", granularity)};
  if (n / granularity > most_multiples)
    throw usage_error{
        fmt::format("distribute: a granularity of {} for {}; {} or more, so that there are {} "
                    "multiples of it at most",
                    granularity, n, n / most_multiples + 1, most_multiples)};
}

void check_arguments(std::int64_t n, std::size_t functions, std::size_t limits, std::int64_t granularity) {
  check_amount(n, granularity);
  if (functions == 0) throw usage_error{"distribute: no functions; one for each unit"};
  if (limits != 0 && limits != functions)
    throw usage_error{
        fmt::format("distribute: {} limits for {} functions; one for each, or none", limits, functions)};
}

}  // namespace

std::vector<std::int64_t> distribute(std::int64_t n, std::span<const performance_function> functions,
                                     std::span<const amount_limits> limits, std::int64_t granularity) {
  check_arguments(n, functions.size(), limits.size(), granularity);
  problem in{functions, {}, n == 0 ? 0 : (n - 1) / granularity + 1, granularity};
  const std::int64_t missing = in.blocks * granularity - n;  // of one share, whichever that is
  for (std::size_t unit = 0; unit < functions.size(); ++unit) {
    const amount_limits of = limits.empty() ? amount_limits{} : limits[unit];
    const std::int64_t at_least = std::min(of.least, n + 1);  // no more than nobody can have
    const std::int64_t least = at_least > 0 ? (at_least - 1 + missing) / granularity + 1 : 1;
    in.allowed.push_back({std::max<std::int64_t>(least, 1), std::min(of.most / granularity, in.blocks)});
  }
  if (!is_enough(in, std::numeric_limits<double>::max()))
    throw usage_error{
        fmt::format("distribute: the limits of {} units do not add up to {}", functions.size(), n)};
  std::vector<std::int64_t> shares = shares_within(in, least_time(in));
  for (std::int64_t& share : shares) share *= granularity;
  if (missing > 0) *std::ranges::find_if(shares, [](std::int64_t share) { return share > 0; }) -= missing;
  return shares;
}

}  // namespace yoke::scheduling
