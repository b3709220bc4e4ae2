#include "shares.hpp"

#include "../maps/moving.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

/// Shares are multiples of this: a search over so many costs is nothing, and parts of long arrays of one
/// dimension end where leaves of reductions do.
std::int64_t granularity_of(std::int64_t n) {
  constexpr std::int64_t most = 16'384, leaf = 1024;
  if (n >= leaf * leaf) return (n / most / leaf + 1) * leaf;
  return std::max<std::int64_t>(1, n / most);
}

/// The share that is no multiple becomes the last one, as far as that leaves it `least`.
void end_on_multiples(share_list& shares, std::int64_t granularity, std::int64_t least) {
  const auto odd = std::ranges::find_if(shares, [&](std::int64_t share) { return share % granularity != 0; });
  const auto last =
      std::find_if(shares.rbegin(), shares.rend(), [](std::int64_t share) { return share > 0; });
  if (odd == shares.end()) return;
  const std::int64_t missing = granularity - *odd % granularity;
  if (*last - missing < std::max<std::int64_t>(least, 1)) return;
  *odd += missing;
  *last -= missing;
}

}  // namespace

share_list shares_by(std::int64_t n, std::span<const performance_function> functions,
                     std::vector<amount_limits> limits, std::int64_t least) {
  for (amount_limits& each : limits) each.least = std::min(least, n);
  const std::int64_t granularity = granularity_of(n);
  share_list shares = distribute(n, functions, limits, granularity);
  end_on_multiples(shares, granularity, least);
  return shares;
}

std::vector<double> weights_of(std::span<const sharing_unit> units) {
  std::vector<double> weights;
  for (const sharing_unit& each : units) {
    if (!detail::amounts.has(each.weight))
      throw usage_error{
          fmt::format("balancer: a unit of weight {}; {}", each.weight, detail::amounts.accepted())};
    weights.push_back(each.weight);
  }
  return weights;
}

share_list shares_by_weight(std::int64_t n, std::span<const double> weights, std::int64_t least) {
  const double largest = std::ranges::max(weights);
  std::vector<performance_function> functions;
  std::vector<amount_limits> limits;
  for (const double weight : weights) {
    functions.push_back(by_weight(weight, largest));
    limits.push_back(weight > 0 ? amount_limits{} : amount_limits{.most = 0});
  }
  return shares_by(n, functions, std::move(limits), least);
}

std::optional<std::size_t> usual_unit_like(const sharing_unit& unit, std::span<const sharing_unit> units,
                                           const share_list& shares, std::span<const seconds> times) {
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t other = 0; other < units.size(); ++other)
    if (shares[other] > 0 && units[other] == unit)
      found.emplace_back(times[other] / static_cast<double>(shares[other]), other);
  if (found.empty()) return std::nullopt;
  const auto middle = found.begin() + std::ssize(found) / 2;
  std::ranges::nth_element(found, middle);
  return middle->second;
}

std::vector<space_id> memories_of(const share_list& shares, std::span<const sharing_unit> units) {
  std::set<space_id> memories;
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    if (shares[unit] > 0) memories.insert(units[unit].memory);
  return {memories.begin(), memories.end()};
}

int memories_in(const share_list& shares, std::span<const sharing_unit> units) {
  return static_cast<int>(memories_of(shares, units).size());
}

bool uses_the_same_units(const share_list& a, const share_list& b) {
  return std::ranges::equal(
      a, b, {}, [](std::int64_t x) { return x > 0; }, [](std::int64_t x) { return x > 0; });
}

seconds time_of_move(const share_list& from, const share_list& to, std::span<const sharing_unit> units,
                     double bytes) {
  seconds time = 0;
  std::int64_t at = 0, from_end = from[0], to_end = to[0];
  for (std::size_t a = 0, b = 0; a < units.size() && b < units.size();) {
    const std::int64_t next = std::min(from_end, to_end);
    if (units[a].memory != units[b].memory)
      time += of_parts.time_of(static_cast<double>(next - at) * bytes, units[a].memory, units[b].memory);
    at = next;
    if (from_end == at && ++a < units.size()) from_end += from[a];
    if (to_end == at && ++b < units.size()) to_end += to[b];
  }
  return of_parts.in_all(time);
}

std::vector<std::vector<bool>> sets_of_units(std::span<const sharing_unit> units) {
  std::set<int> memories;
  for (const sharing_unit& each : units) memories.insert(int{each.memory});
  std::set<std::vector<bool>> sets{std::vector<bool>(units.size(), true)};
  const auto add = [&](const auto& takes_part) {
    std::vector<bool> set;
    for (const sharing_unit& each : units) set.push_back(takes_part(each.memory));
    if (std::ranges::find(set, true) != set.end()) sets.insert(set);
  };
  for (const int memory : memories) add([&](space_id at) { return int{at} == memory; });
  add([](space_id at) { return at != host_space; });
  return {sets.begin(), sets.end()};
}

}  // namespace yoke::scheduling
