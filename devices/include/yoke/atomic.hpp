// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Updates of elements that other items of a kernel, or other indices of a loop, update at the same time.
///
///   struct histogram {
///     YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const int, 2> x,
///                             yoke::view<int, 2> bins) const
///     {
///       for (std::int64_t j = at.j; j < x.end(1); j += bins.extent(1))
///         yoke::atomic_add(bins, {at.i, x(at.i, j)}, 1);
///     }
///   };
///
/// Each returns what the element was before. No order with other accesses follows (relaxed): an element that
/// is updated so is read otherwise by a later kernel or loop only. Whole numbers do not depend on the order
/// of updates, nor do the smallest and the largest; sums of floating-point numbers do, in their last bits.
///
/// In a loop over arrays an index may update elements of other indices so, those of the part of its unit:
/// where an array is cut, the elements beyond are another unit's. Where indices are checked, these are
/// refused, as all that lie outside of the view (usage_error).

#include <atomic>
#include <cstring>
#include <type_traits>

#include <yoke/compiler.hpp>
#include <yoke/view.hpp>

namespace yoke {

/// Numbers that processors update in one step: of 4 or 8 bytes.
template <class T>
concept atomic_number = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {

struct element_of_all {
  template <class T, int D>
  YOKE_HD static T* address(const view<T, D>& x, const loop_index<D>& at) {
    return x.address_of_any(at);
  }
};

#if YOKE_DEVICE_PASS

/// What CUDA and HIP have of the same size.
template <class T>
using atomic_bits = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

template <class To, class From>
YOKE_HD To same_bits(const From& from) {
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <class T>
YOKE_HD T add_in_one_step(T* to, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return atomicAdd(to, value);
  } else {
    using bits = atomic_bits<T>;
    return static_cast<T>(atomicAdd(reinterpret_cast<bits*>(to), static_cast<bits>(value)));
  }
}

template <class T, class Wins>
YOKE_HD T replace_in_one_step(T* to, T value, const Wins& wins) {
  using bits = atomic_bits<T>;
  auto* const at = reinterpret_cast<bits*>(to);
  bits last = *static_cast<volatile bits*>(at);
  while (wins(value, same_bits<T>(last))) {
    const bits found = atomicCAS(at, last, same_bits<bits>(value));
    if (found == last) break;
    last = found;
  }
  return same_bits<T>(last);
}

#else

template <class T>
T add_in_one_step(T* to, T value) {
  return std::atomic_ref<T>{*to}.fetch_add(value, std::memory_order_relaxed);
}

template <class T, class Wins>
T replace_in_one_step(T* to, T value, const Wins& wins) {
  const std::atomic_ref<T> at{*to};
  T last = at.load(std::memory_order_relaxed);
  while (wins(value, last) && !at.compare_exchange_weak(last, value, std::memory_order_relaxed)) {
  }
  return last;
}

#endif

struct is_smaller {
  template <class T>
  YOKE_HD bool operator()(T a, T b) const {
    return a < b;
  }
};
struct is_larger {
  template <class T>
  YOKE_HD bool operator()(T a, T b) const {
    return b < a;
  }
};

}  // namespace detail

/// x(at) += value. Integers wrap around.
template <atomic_number T, int D>
  requires(!std::is_const_v<T>)
YOKE_HD T atomic_add(const view<T, D>& x, const std::type_identity_t<loop_index<D>>& at,
                     std::type_identity_t<T> value) {
  return detail::add_in_one_step(detail::element_of_all::address(x, at), value);
}

/// x(at) becomes the smaller of both. A NaN changes nothing, and an element that is one stays.
template <atomic_number T, int D>
  requires(!std::is_const_v<T>)
YOKE_HD T atomic_min(const view<T, D>& x, const std::type_identity_t<loop_index<D>>& at,
                     std::type_identity_t<T> value) {
  return detail::replace_in_one_step(detail::element_of_all::address(x, at), value, detail::is_smaller{});
}

/// The same with the larger one.
template <atomic_number T, int D>
  requires(!std::is_const_v<T>)
YOKE_HD T atomic_max(const view<T, D>& x, const std::type_identity_t<loop_index<D>>& at,
                     std::type_identity_t<T> value) {
  return detail::replace_in_one_step(detail::element_of_all::address(x, at), value, detail::is_larger{});
}

}  // namespace yoke
