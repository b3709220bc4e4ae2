// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Values that all indices of a loop contribute to: a sum, an extreme and where it is, or what an operation
/// of the program's own makes of them.
///
///   double error = 0;
///   yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(old), out(u), sum(error), omega);
///   // in the body: … yoke::partial<double>& error … error += resid * resid;
///
/// The bits do not depend on configuration, schedule or device, where the contributions do not: indices along
/// a row between two multiples of 1024 form a leaf, of which an index belongs to lane index mod 32. The
/// contributions of a lane are combined in the order of indices, then lanes, then leaves, each by a tree that
/// depends on the bounds of the loop alone. The variable comes last.
///
/// A loop with reductions into variables waits: they have their values when for_each returns, and the work of
/// GPUs has finished. Indices that several memories compute, of an array that is replicated, contribute once.
/// When the loop throws, the variables are as they were. Each reduction of a loop has a variable of its own,
/// which no array is attached to (usage_error). Not for tiled bodies, whole parts and streaming loops.

#include <concepts>

#include <yoke/array.hpp>
#include <yoke/compiler.hpp>
#include <yoke/operations.hpp>

namespace yoke {

/// What a kernel gets for a reduction, as a reference: an index contributes by take, to a sum by += too, as
/// often as it likes; one that does not contributes nothing. It is the index's own and begins with none().
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
  /// What this index has contributed so far; of others it has nothing.
  YOKE_HD constexpr T value() const { return value_; }

 private:
  T value_;
};

namespace detail {

/// A reduction among the arguments of a loop.
template <class T, class Operation>
struct reduction_role {
  using value_type = T;
  using operation = Operation;
  T* result;
  const array_handle* into = nullptr;  ///< in place of a variable
};

template <class>
inline constexpr bool is_reduction = false;
template <class T, class Operation>
inline constexpr bool is_reduction<reduction_role<T, Operation>> = true;

}  // namespace detail

namespace loops {

/// Each index adds to `result`, which counts once itself, too: set it to 0 before the loop, or go on with
/// what an earlier one has left. The kernel gets a partial<T>&. `result` lives until for_each returns, in a
/// recording as long as that.
template <reducible T>
detail::reduction_role<T, plus> sum(T& result) {
  return {&result};
}
/// The smallest of `result` and what indices contribute; the kernel gets a partial<T, smallest>&. NaNs are
/// left out, one in `result` too.
template <reducible T>
detail::reduction_role<T, smallest> min(T& result) {
  return {&result};
}
/// The same with the largest; the kernel gets a partial<T, largest>&.
template <reducible T>
detail::reduction_role<T, largest> max(T& result) {
  return {&result};
}
/// The smallest value and its index; of equal ones the first in the order of rows. `result` counts too, its
/// index with it (see located for what to begin with). The kernel gets a partial<located<T, D>, smallest_at>&
/// and gives {value, index} to its take.
template <reducible T, int D>
detail::reduction_role<located<T, D>, smallest_at> min_at(located<T, D>& result) {
  return {&result};
}
/// The same with the largest; the kernel gets a partial<located<T, D>, largest_at>&.
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

/// Into the element of an array that each memory has, {1} with {dist::duplicate}: later loops read it by in,
/// and a loop over {1} that writes such arrays computes with it, in each memory. The host need not know it:
/// on one GPU alone the loop does not wait. In a recording it is there before the next loop. Requires: one
/// element, in each memory, and no other role of the array in the loop (usage_error).
template <reducible T>
detail::reduction_role<T, plus> sum(array<T, 1>& result) {
  return {nullptr, &result.handle()};
}
template <reducible T>
detail::reduction_role<T, smallest> min(array<T, 1>& result) {
  return {nullptr, &result.handle()};
}
template <reducible T>
detail::reduction_role<T, largest> max(array<T, 1>& result) {
  return {nullptr, &result.handle()};
}
template <class Operation, class T>
  requires combines<Operation, T>
detail::reduction_role<T, Operation> reduce(array<T, 1>& result) {
  return {nullptr, &result.handle()};
}

}  // namespace loops

}  // namespace yoke
