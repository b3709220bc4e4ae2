// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays whose two dimensions change places.
///
///   yoke::array<double, 2> a{rt, {n, m}}, b{rt, {m, n}};
///   yoke::transpose(a, b);                               // b(j, i) is a(i, j)
///
/// The file that calls it is one of yoke_kernel_sources.

#include <yoke/array.hpp>
#include <yoke/detail/transpose_tiles.hpp>

namespace yoke {

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// b(j, i) is a(i, j) for all i and j, however both are cut; `a` stays as it is, halos of b are stale. Needs
/// as much memory again as `a` in each memory while it runs. Has happened on return.
///
/// Cost: each unit transposes its own part where it is, by tiles on chip where an element has 512 bytes or
/// less; then boxes travel to the parts of b. Where b is cut in dimension 1 at the indices at which `a` is in
/// dimension 0, or the other way round, nothing travels from memory to memory.
///
/// Errors: usage_error for another runtime, extents that do not go together, b being a, or in a recording;
/// out_of_memory; device_error, and the elements of b are undefined then.
template <class From, class T>
  requires(std::same_as<std::remove_const_t<From>, T>)
void transpose(const array<From, 2>& a, array<T, 2>& b) {
  detail::check_transposed(a.handle(), b.handle());
  const auto nobody_cuts_anew = a.handle().hold();
  const detail::array_handle between = a.handle().transposed();
  detail::transpose_parts(a, between);
  detail::copy_contents(between, b.handle());
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
