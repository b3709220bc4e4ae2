// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What combines values, in reductions of loops and tasks and in scans: plus, smallest, largest, smallest_at,
/// largest_at, or an operation of the program's own.
///
/// An operation is a type without state. It has two functions for host and device: none(), the value that
/// leaves others as they are, and combine(a, b). Values travel between memories and are combined on every
/// unit, so both functions must be pure.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <yoke/compiler.hpp>
#include <yoke/loop_index.hpp>

namespace yoke {

/// What plus, smallest and largest combine: numbers, bool and characters among them. An operation of one's
/// own may combine other types (see combines).
template <class T>
concept reducible = std::integral<T> || std::floating_point<T>;

/// A value and the index that it is of: what min_at and max_at find.
///
/// The default is 0 at index 0 and counts like a contribution. Begin with what leaves others as they are:
///
///   auto nearest = yoke::smallest_at::none<yoke::located<double, 2>>();     // infinity, behind all indices
template <reducible T, int D>
struct located {
  T value{};
  loop_index<D> at{};
  friend constexpr bool operator==(const located&, const located&) = default;
};

namespace detail {

template <int D>
YOKE_HD constexpr bool is_before(const loop_index<D>& a, const loop_index<D>& b) {
  for (int d = 0; d < D; ++d)
    if (a[d] != b[d]) return a[d] < b[d];
  return false;
}

/// No index comes behind it.
template <int D>
YOKE_HD constexpr loop_index<D> behind_all(const loop_index<D>&) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  if constexpr (D == 1) {
    return {last};
  } else if constexpr (D == 2) {
    return {last, last};
  } else if constexpr (D == 3) {
    return {last, last, last};
  } else {
    return {last, last, last, last};
  }
}

}  // namespace detail

/// Sums, in T itself: one of 32 bits overflows as T does. Floating-point sums are rounded in the order that
/// reduction.hpp and scan.hpp say, which no configuration changes.
struct plus {
  template <reducible T>
  YOKE_HD static constexpr T none() {
    return T{0};
  }
  template <reducible T>
  YOKE_HD static constexpr T combine(T a, T b) {
    return static_cast<T>(a + b);
  }
};
/// The smaller value; of equal ones, as +0 and -0 are, the one that is combined first. NaNs are left out;
/// without other values the result is none(), infinity or the largest integer.
struct smallest {
  template <reducible T>
  YOKE_HD static constexpr T none() {
    if constexpr (std::floating_point<T>) {
      return std::numeric_limits<T>::infinity();
    } else {
      return std::numeric_limits<T>::max();
    }
  }
  template <reducible T>
  YOKE_HD static constexpr T combine(T a, T b) {
    return b < a ? b : a;
  }
};
/// The larger value; of equal ones the one that is combined first. NaNs are left out; without other values
/// the result is none(), minus infinity or the lowest integer.
struct largest {
  template <reducible T>
  YOKE_HD static constexpr T none() {
    if constexpr (std::floating_point<T>) {
      return -std::numeric_limits<T>::infinity();
    } else {
      return std::numeric_limits<T>::lowest();
    }
  }
  template <reducible T>
  YOKE_HD static constexpr T combine(T a, T b) {
    return a < b ? b : a;
  }
};

/// The smaller value, of equal ones that whose index comes first in the order of rows; so the result is the
/// same in any order of combination. NaNs are left out; without other values it is none(), whose index is the
/// largest number in each dimension and no element's.
struct smallest_at {
  /// Located: a located<T, D>.
  template <class Located>
  YOKE_HD static constexpr Located none() {
    return {smallest::none<decltype(Located::value)>(), detail::behind_all(Located{}.at)};
  }
  template <reducible T, int D>
  YOKE_HD static constexpr located<T, D> combine(const located<T, D>& a, const located<T, D>& b) {
    return b.value < a.value || (b.value == a.value && detail::is_before(b.at, a.at)) ? b : a;
  }
};
/// The same with the larger value.
struct largest_at {
  template <class Located>
  YOKE_HD static constexpr Located none() {
    return {largest::none<decltype(Located::value)>(), detail::behind_all(Located{}.at)};
  }
  template <reducible T, int D>
  YOKE_HD static constexpr located<T, D> combine(const located<T, D>& a, const located<T, D>& b) {
    return a.value < b.value || (a.value == b.value && detail::is_before(b.at, a.at)) ? b : a;
  }
};

namespace detail {

/// `none` may be a function of the operation, or a template over the type of values.
template <class Operation, class T>
YOKE_HD constexpr T none_of() {
  if constexpr (requires { Operation::template none<T>(); }) {
    return Operation::template none<T>();
  } else {
    return Operation::none();
  }
}

}  // namespace detail

/// An operation on values of T, of one's own too:
///
///   struct times {
///     YOKE_HD static double none() { return 1; }                             // leaves values as they are
///     YOKE_HD static double combine(double a, double b) { return a * b; }    // in any grouping
///   };
///
/// In reductions it must give the same in any order, in scans in any grouping; up to roundings. T is any
/// trivially copyable type that has a default value, a struct of several sums say. Which contributions are
/// combined with which does not depend on configuration or device, so the bits of the result do not either.
///
/// Cost of a reduction: one T on the host for each leaf (reduction.hpp). On a GPU a block combines 256 leaves
/// in memory on chip, of which the T of all reductions of a loop together may have a 256th (device_error).
template <class Operation, class T>
concept combines = std::is_trivially_copyable_v<T> && std::default_initializable<T> && requires(T a, T b) {
  { detail::none_of<Operation, T>() } -> std::same_as<T>;
  { Operation::combine(a, b) } -> std::convertible_to<T>;
};

}  // namespace yoke
