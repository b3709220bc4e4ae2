// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Halos that are made current without a loop.

#include <concepts>
#include <type_traits>

#include <yoke/array.hpp>

namespace yoke {

namespace detail {
template <class>
inline constexpr bool is_array = false;
template <class T, int D>
inline constexpr bool is_array<array<T, D>> = true;
/// An array, or one that is const.
template <class X>
concept any_array = is_array<std::remove_const_t<X>>;
}  // namespace detail

/// Makes halos current, corners and edges too; loops do so themselves for what is in(x), where they are
/// stale. This copies in any case. Queued on GPUs; CPU CUs' halos are there on return. Errors: usage_error,
/// device_error.
template <detail::any_array X>
void exchange(X& x) {
  detail::exchange_halos(x.handle());
}
// By references to anything: an array that is not const would go to std::exchange first where both are seen.
template <detail::any_array X, detail::any_array Y, detail::any_array... Others>
void exchange(X& x, Y& y, Others&... others) {
  detail::exchange_halos(x.handle());
  exchange(y, others...);
}

/// The same of some sides of one array, without corners: exchange(u, side::low(0)) brings what lies below
/// each part in dimension 0, as far as the halo goes there. Errors: as above; usage_error for a dimension
/// that the array lacks.
template <detail::any_array X, std::same_as<side>... Sides>
void exchange(X& x, side first, Sides... others) {
  const side all[] = {first, others...};
  detail::exchange_sides(x.handle(), all);
}

}  // namespace yoke
