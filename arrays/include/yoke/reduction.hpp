#pragma once
/// Values that all indices of a loop contribute to.
///
/// The bits do not depend on configuration, schedule or device, where the contributions do not: indices along
/// a row between two multiples of 1024 form a leaf, of which an index belongs to lane index mod 32. The
/// contributions of a lane are combined in the order of indices, then lanes, then leaves, each by a tree that
/// depends on the bounds of the loop alone.

#include <concepts>
#include <cstdint>

#include <yoke/compiler.hpp>
#include <yoke/operations.hpp>

namespace yoke {

/// What a kernel gets for a reduction: an index contributes by take, to a sum by += too.
template <class T, class Operation = plus>
  requires combines<Operation, T>
class partial {
 public:
  YOKE_HD constexpr partial() : value_{detail::none_of<Operation, T>()} {}

  YOKE_HD constexpr void take(T value) { value_ = Operation::combine(value_, value); }
  YOKE_HD constexpr partial& operator+=(T value)
    requires std::same_as<Operation, plus>
  {
    take(value);
    return *this;
  }
  YOKE_HD constexpr T value() const { return value_; }

 private:
  T value_;
};

namespace detail {

template <class T, class Operation>
struct reduction_role {
  using value_type = T;
  using operation = Operation;
  T* result;
};

template <class>
inline constexpr bool is_reduction = false;
template <class T, class Operation>
inline constexpr bool is_reduction<reduction_role<T, Operation>> = true;

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

}  // namespace detail

namespace loops {

/// Each index adds to `result`, which counts once itself, too. The kernel gets a partial<T>&. It is there
/// when for_each returns.
template <reducible T>
detail::reduction_role<T, plus> sum(T& result) {
  return {&result};
}
/// The smallest of `result` and what indices contribute; the kernel gets a partial<T, smallest>&.
template <reducible T>
detail::reduction_role<T, smallest> min(T& result) {
  return {&result};
}
template <reducible T>
detail::reduction_role<T, largest> max(T& result) {
  return {&result};
}
/// The smallest value and its index; of equal ones the first in the order of rows. The kernel gets a
/// partial<located<T, D>, smallest_at>& and gives {value, index} to its take.
template <reducible T, int D>
detail::reduction_role<located<T, D>, smallest_at> min_at(located<T, D>& result) {
  return {&result};
}
/// The same with the largest.
template <reducible T, int D>
detail::reduction_role<located<T, D>, largest_at> max_at(located<T, D>& result) {
  return {&result};
}
/// By an operation of one's own (see combines); the kernel gets a partial<T, Operation>&.
template <class Operation, class T>
  requires combines<Operation, T>
detail::reduction_role<T, Operation> reduce(T& result) {
  return {&result};
}

}  // namespace loops

}  // namespace yoke
