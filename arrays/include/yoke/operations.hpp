#pragma once
/// What combines values, in reductions and scans.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <yoke/compiler.hpp>
#include <yoke/index.hpp>

namespace yoke {

template <class T>
concept reducible = std::integral<T> || std::floating_point<T>;

/// A value and the index that it is of: what min_at and max_at find.
template <reducible T, int D>
struct located {
  T value{};
  index<D> at{};
  friend constexpr bool operator==(const located&, const located&) = default;
};

namespace detail {

template <int D>
YOKE_HD constexpr bool is_before(const index<D>& a, const index<D>& b) {
  for (int d = 0; d < D; ++d)
    if (a[d] != b[d]) return a[d] < b[d];
  return false;
}

/// No index comes behind it.
template <int D>
YOKE_HD constexpr index<D> behind_all(const index<D>&) {
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

/// What combines two values, and what it leaves as they are.
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
/// NaNs are left out.
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
/// NaNs are left out.
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

/// The smaller value, of equal ones that whose index comes first in the order of rows. NaNs are left out.
struct smallest_at {
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
/// In reductions it must give the same in any order, in scans in any grouping; up to roundings.
template <class Operation, class T>
concept combines = std::is_trivially_copyable_v<T> && std::default_initializable<T> && requires(T a, T b) {
  { detail::none_of<Operation, T>() } -> std::same_as<T>;
  { Operation::combine(a, b) } -> std::convertible_to<T>;
};

}  // namespace yoke
