#pragma once
/// Arrays whose two dimensions change places.
///
///   yoke::array<double, 2> a{rt, {n, m}}, b{rt, {m, n}};
///   yoke::transpose(a, b);                               // b(j, i) is a(i, j)
///
/// The file that calls it is one of yoke_kernel_sources.

#include <yoke/for_each.hpp>

namespace yoke {

namespace detail {

/// A unit's rows, column by column in its rows of `packed`.
struct pack_transposed {
  template <class T>
  YOKE_HD void operator()(index<2> at, view<const T, 2> a, view<T, 2> packed) const {
    *(packed.first() + (at.j * packed.extent(0) + at.i - packed.begin(0))) = a(at);
  }
};

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// b(j, i) is a(i, j) for all i and j, however both are cut. Needs as much memory again as `a` in each memory
/// while it runs. Has happened on return. Errors: usage_error for another runtime or extents that do not go
/// together; out_of_memory; device_error, and the elements of b are undefined then.
template <class T>
void transpose(const array<T, 2>& a, array<T, 2>& b) {
  detail::check_transposed(a.handle(), b.handle());
  const auto nobody_cuts_anew = a.handle().hold();
  const detail::array_handle packed = a.handle().cut_alike();
  const detail::array_role<view<T, 2>> to{{.array = &packed, .how = detail::role::out, .has_halo = false}};
  for_each<detail::pack_transposed>(a.handle().rt(), {a.extent(0), a.extent(1)}, loops::in(a, interior), to);
  detail::unpack_transposed(packed, b.handle());
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
