#pragma once
/// What a loop does with an array.
/// Source: Communicators (Alonso-Mayo et al.), the roles IN, OUT and IO.

#include <cstdint>
#include <limits>

#include <yoke/array.hpp>
#include <yoke/loop.hpp>
#include <yoke/view.hpp>

namespace yoke {

/// Rows below and above a part that a loop reads, where that is less than the halo.
struct reach {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Nothing beside own elements is read.
struct interior_only {};
inline constexpr interior_only interior{};

namespace detail {

/// An array in its role; a kernel gets a View.
template <class View>
struct array_role {
  using view_type = View;
  array_use use;
};

template <class>
inline constexpr bool is_array_role = false;
template <class View>
inline constexpr bool is_array_role<array_role<View>> = true;

}  // namespace detail

namespace loops {

/// Read: the kernel gets a view<const T>, with the halo, which is made current first.
template <class T, int D>
detail::array_role<view<const T, D>> in(const array<T, D>& x) {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  return {{.array = &x.handle(), .how = detail::role::in, .low = all, .high = all}};
}
/// The same with fewer rows of the halo in dimension 0.
template <class T, int D>
detail::array_role<view<const T, D>> in(const array<T, D>& x, reach rows) {
  return {{.array = &x.handle(), .how = detail::role::in, .low = rows.low, .high = rows.high}};
}
/// The same without halo and edges: nothing is exchanged.
template <class T, int D>
detail::array_role<view<const T, D>> in(const array<T, D>& x, interior_only) {
  return {{.array = &x.handle(), .how = detail::role::in, .has_halo = false}};
}
/// Overwritten at each index of the loop; the kernel gets a view<T>. Other elements keep their values.
template <class T, int D>
detail::array_role<view<T, D>> out(array<T, D>& x) {
  return {{.array = &x.handle(), .how = detail::role::out, .has_halo = false}};
}
/// Read and written: an index its own element.
template <class T, int D>
detail::array_role<view<T, D>> inout(array<T, D>& x) {
  return {{.array = &x.handle(), .how = detail::role::inout, .has_halo = false}};
}

}  // namespace loops

}  // namespace yoke
