// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// In which order the contributions of a loop are combined (see reduction.hpp).

#include <cstdint>

#include <yoke/operations.hpp>

namespace yoke::detail {

/// Indices along a row of one leaf, and lanes of a leaf.
inline constexpr std::int64_t leaf_length = 1024;
inline constexpr int n_lanes = 32;
/// Leaves that a device combines, from one multiple of this number to the next: a power of two, so that the
/// tree of all leaves goes through the trees of these.
inline constexpr int leaves_of_tree = 256;

/// The lanes of a leaf, in place.
template <class Operation, class T>
T tree_of_lanes(T* lanes) {
  for (int width = n_lanes / 2; width > 0; width /= 2)
    for (int lane = 0; lane < width; ++lane)
      lanes[lane] = Operation::combine(lanes[lane], lanes[lane + width]);
  return lanes[0];
}

/// Neighbours, then neighbours of these, …; the one that is left over goes up as it is. Overwrites `values`.
/// none() without values.
template <class Operation, class T>
T tree_of_leaves(T* values, std::int64_t n) {
  if (n == 0) return none_of<Operation, T>();
  for (; n > 1; n = (n + 1) / 2) {
    for (std::int64_t i = 0; i < n / 2; ++i) values[i] = Operation::combine(values[2 * i], values[2 * i + 1]);
    if (n % 2 == 1) values[n / 2] = values[n - 1];
  }
  return values[0];
}

/// A leaf whose contributions lie in `values`, of offsets [begin, end) from the multiple of 1024.
template <class Operation, class T>
T leaf_of(const T* values, std::int64_t begin, std::int64_t end) {
  T lanes[n_lanes];
  for (T& lane : lanes) lane = none_of<Operation, T>();
  std::int64_t at = begin;
  for (; at < end && at % n_lanes != 0; ++at)
    lanes[at % n_lanes] = Operation::combine(lanes[at % n_lanes], values[at]);
  for (; at + n_lanes <= end; at += n_lanes)
    for (int lane = 0; lane < n_lanes; ++lane)
      lanes[lane] = Operation::combine(lanes[lane], values[at + lane]);
  for (; at < end; ++at) lanes[at % n_lanes] = Operation::combine(lanes[at % n_lanes], values[at]);
  return tree_of_lanes<Operation>(lanes);
}

}  // namespace yoke::detail
