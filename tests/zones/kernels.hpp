#pragma once
/// Launches of tests over zones, of integers, so that any wrong neighbour shows.

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include <yoke/zone_sum.hpp>

namespace zone_tests {

using number = std::uint64_t;

template <int D>
YOKE_HD yoke::loop_index<D> loop_index_of(const std::int64_t* where) {
  if constexpr (D == 1)
    return {where[0]};
  else if constexpr (D == 2)
    return {where[0], where[1]};
  else
    return {where[0], where[1], where[2]};
}

/// How far a point looks in each dimension.
struct reach {
  std::int64_t of[3] = {0, 0, 0};
  bool has_corners = false;  ///< and at both ends of a diagonal
};

/// v = 3 v + the sum of u along the axes, as far as that.
template <int D>
void smooth(yoke::zone_step& s, const yoke::zoned<number, D>& u, yoke::zoned<number, D>& v, const reach& far);
/// u = 5 u + factor (zone + 1) + the last index.
template <int D>
void change(yoke::zone_step& s, yoke::zoned<number, D>& u, number factor);
/// The same by a function for batches that sends faces itself; `halo`: of u.
template <int D>
void change_and_send(yoke::zone_step& s, yoke::zoned<number, D>& u, number factor,
                     const std::array<std::int64_t, 3>& halo);
/// Of 1 / (1 + u), whose bits depend on the order.
template <int D>
double sum_of_inverses(yoke::zones& of, const yoke::zoned<number, D>& u);
template <int D>
double largest(yoke::zones& of, const yoke::zoned<number, D>& u);
/// A sum that reads the halo.
double sum_with_halo(yoke::zones& of, const yoke::zoned<number, 1>& u);
/// v = 3 v + u and its four neighbours; of one value, and of each of three.
void add_neighbours(yoke::zone_step& s, const yoke::zoned<number, 2>& u, yoke::zoned<number, 2>& v);
void add_neighbours(yoke::zone_step& s, const yoke::zoned<number[3], 2>& u, yoke::zoned<number[3], 2>& v);
/// Of the third.
double sum_of_components(yoke::zones& of, const yoke::zoned<number[3], 2>& u);
/// What sets each point of `to` to the one before it in `from`, by a kernel for each zone; `dev`: null on a
/// CPU CU.
std::function<void(yoke::stream_handle)> shifting(yoke::device* dev,
                                                  std::span<const yoke::view<const number, 1>> from,
                                                  std::span<const yoke::view<number, 1>> to);
/// Reads one point further than the halo of u.
void look_too_far(yoke::zone_step& s, const yoke::zoned<number, 1>& u, yoke::zoned<number, 1>& v);

}  // namespace zone_tests
