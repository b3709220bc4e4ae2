// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a loop does with an array: in, out, inout. From the roles follow what travels before the loop, which
/// halos are stale after it, and who runs which index (for_each.hpp).
///
///   yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(old), in(f, yoke::interior), out(u));
///
/// A call finds them by its argument, without a using-directive. Where the program has a variable of that
/// name, it says yoke::roles::in(x).
///
/// A role refers to its array and is for the call that it is made in. Nothing traces what the body does;
/// where checks are on (YOKE_CHECK=1, emulated devices), an index outside of the view is refused, and so is a
/// use of another index's element of what the loop writes.
/// Source: Communicators (Alonso-Mayo et al.), the roles IN, OUT and IO; HOMP (Yan et al.), halo_update, for
/// one side of a halo.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include <yoke/array.hpp>
#include <yoke/detail/loop.hpp>
#include <yoke/interior.hpp>
#include <yoke/view.hpp>

namespace yoke {

/// Elements below and above a part that a loop reads in one dimension, where that is less than the halo; each
/// 0 or more, and at most the halo's width counts. {1, 0}: one below, so that nothing comes from above.
struct reach {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// The halo without corners: what lies beside a part in one of the dimensions that are cut.
struct faces_only {};
/// in(x, yoke::faces), for stencils that step along one dimension at a time.
inline constexpr faces_only faces{};

/// All elements, whoever owns them.
struct all_elements {};
/// in(x, yoke::everywhere).
inline constexpr all_elements everywhere{};

namespace detail {

/// An array in its role; a kernel gets a View.
template <class View>
struct array_role {
  using view_type = View;
  array_use use;

  /// Errors: usage_error for an array that was moved from.
  ordered_uses ordered() const { return {{&use.array->order(), use.how != role::out, use.how != role::in}}; }
};

template <class>
inline constexpr bool is_array_role = false;
template <class View>
inline constexpr bool is_array_role<array_role<View>> = true;

}  // namespace detail

namespace detail {

template <class T>
constexpr void require_writable() {
  static_assert(!std::is_const_v<T>, "an array<const T, D> is read alone, by in(x); out and inout write");
}

/// The first dimensions reach as far as is said, others as far as the halo.
inline array_use reading(const array_handle& x, std::initializer_list<reach> first, bool has_corners) {
  array_use use{.array = &x, .how = role::in, .has_corners = has_corners};
  use.low.fill(std::numeric_limits<std::int64_t>::max());
  use.high.fill(std::numeric_limits<std::int64_t>::max());
  std::size_t d = 0;
  for (const reach& each : first) {
    use.low[d] = each.low;
    use.high[d++] = each.high;
  }
  return use;
}

}  // namespace detail

namespace roles {

/// Read: the kernel gets a view<const T>, with the halo, which is made current first: where elements may have
/// changed since the last exchange, and not else. The view has the part of the unit and what is around it, by
/// the indices of the whole array. CPU CUs share memory and exchange nothing with each other; edges
/// (distribution::edge) are filled too.
///
/// Cost: copies of the halo, queued on GPUs ahead of the loop; CPU CUs wait for those that come to or from
/// the host.
template <class T, int D>
detail::array_role<view<const T, D>> in(const array<T, D>& x) {
  return {detail::reading(x.handle(), {}, true)};
}
/// The same with less of the halo: a reach for dimension 0, for dimensions 0 and 1, …; of those without one
/// the whole halo. Less travels, and the view ends there.
template <class T, int D, std::same_as<reach>... Others>
  requires(sizeof...(Others) < D)
detail::array_role<view<const T, D>> in(const array<T, D>& x, reach rows, Others... others) {
  return {detail::reading(x.handle(), {rows, others...}, true)};
}
/// The same without corners, whose elements are anything then: fewer messages on a grid.
template <class T, int D>
detail::array_role<view<const T, D>> in(const array<T, D>& x, faces_only) {
  return {detail::reading(x.handle(), {}, false)};
}
template <class T, int D, std::same_as<reach>... Others>
  requires(sizeof...(Others) < D)
detail::array_role<view<const T, D>> in(const array<T, D>& x, faces_only, reach rows, Others... others) {
  return {detail::reading(x.handle(), {rows, others...}, false)};
}
/// The same without halo and edges: nothing is exchanged.
template <class T, int D>
detail::array_role<view<const T, D>> in(const array<T, D>& x, interior_only) {
  return {{.array = &x.handle(), .how = detail::role::in, .has_halo = false}};
}
/// Read by any index, whoever owns the element: a vector that the rows of a sparse matrix multiply. The view
/// has all elements, by the indices of the whole array, without edges. Those that loops have written since
/// all were everywhere are brought first. It says nothing of who runs what: x may be cut in any way.
///
/// Cost: from the first such role on each memory has room for all of x (out_of_memory, before anything
/// moves); copies of what has changed, as for a halo.
template <class T, int D>
detail::array_role<view<const T, D>> in(const array<T, D>& x, all_elements) {
  return {{.array = &x.handle(), .how = detail::role::in, .is_everywhere = true}};
}
/// Overwritten at each index of the loop; the kernel gets a view<T> of the part, without a halo. Other
/// elements keep their values. What an element had before is not to be read: a part that is overwritten as a
/// whole is not brought to its GPU. Halos of x are stale afterwards, in every memory.
/// Requires: x has as many dimensions as the loop or more, all indices of the loop, and no other role in it
/// (usage_error).
template <class T, int D>
detail::array_role<view<T, D>> out(array<T, D>& x) {
  detail::require_writable<T>();
  return {{.array = &x.handle(), .how = detail::role::out, .has_halo = false}};
}
/// Read and written: an index its own element, and no other one's. Else as out.
template <class T, int D>
detail::array_role<view<T, D>> inout(array<T, D>& x) {
  detail::require_writable<T>();
  return {{.array = &x.handle(), .how = detail::role::inout, .has_halo = false}};
}

}  // namespace roles

}  // namespace yoke
