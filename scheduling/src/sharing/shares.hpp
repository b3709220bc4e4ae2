#pragma once
/// Shares of consecutive indices, in the order of units.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <yoke/balancer.hpp>
#include <yoke/performance.hpp>

namespace yoke::scheduling {

using share_list = std::vector<std::int64_t>;

/// By performance functions; nothing, or `least` at least, for each.
share_list shares_by(std::int64_t n, std::span<const performance_function> functions,
                     std::vector<amount_limits> limits, std::int64_t least);
/// Errors: usage_error for a weight outside of 1e-200 to 1e200.
std::vector<double> weights_of(std::span<const sharing_unit> units);
/// In proportion to weights; 0 takes nothing.
share_list shares_by_weight(std::int64_t n, std::span<const double> weights, std::int64_t least);

/// Of the units with indices that are like this one, the one of median speed.
std::optional<std::size_t> usual_unit_like(const sharing_unit& unit, std::span<const sharing_unit> units,
                                           const share_list& shares, std::span<const seconds> times);
/// Those where units have indices, in order.
std::vector<space_id> memories_of(const share_list& shares, std::span<const sharing_unit> units);
int memories_in(const share_list& shares, std::span<const sharing_unit> units);
bool uses_the_same_units(const share_list& a, const share_list& b);
/// What travels when indices change memory.
seconds time_of_move(const share_list& from, const share_list& to, std::span<const sharing_unit> units,
                     double bytes);
/// Those that may do all the work: all units, those of one memory, those of all devices.
std::vector<std::vector<bool>> sets_of_units(std::span<const sharing_unit> units);

}  // namespace yoke::scheduling
