// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Prefix sums, and prefixes under other operations.
///
///   yoke::array<std::int64_t, 1> counts{rt, {n}}, offsets{rt, {n}};
///   const std::int64_t all = yoke::exclusive_scan(rt, counts, offsets);      // offsets[i]: counts before i
///
/// Arrays of one dimension; each unit scans its own part. The file that calls it is one of
/// yoke_kernel_sources.

#include <concepts>
#include <type_traits>

#include <yoke/array.hpp>
#include <yoke/detail/run_scan.hpp>
#include <yoke/operations.hpp>

namespace yoke {

inline namespace YOKE_LAUNCHERS {

/// to[i] combines from[0] … from[i]; gives that of all elements. `to` may be `from`. The bits depend on the
/// elements alone, not on configuration or device: elements are combined by runs of 8, groups of 8 runs and
/// leaves of 16 groups, always from left to right, so that Operation need not be commutative.
///
/// Cost: elements are read twice and written once, with a wait between; the host keeps one T for 1024
/// elements and combines these one after the other. A block on a GPU has 1168 T on chip (device_error where
/// that is too much). Of NaNs, see the operation.
///
/// Has finished on return; halos of `to` are stale. Not for recordings. When it throws, the elements of `to`
/// are undefined. Errors: usage_error for arrays of unequal extents, or cut at other indices; those of
/// for_each.
template <class Operation = plus, class From, class T>
  requires(std::same_as<std::remove_const_t<From>, T>)
T inclusive_scan(runtime& rt, const array<From, 1>& from, array<T, 1>& to) {
  return detail::run_scan<Operation, detail::scan_kind::inclusive>(rt, from, to,
                                                                   detail::none_of<Operation, T>());
}

/// to[i] combines `start` and from[0] … from[i - 1], so that to[0] is `start`; gives that of `start` and all
/// elements, `start` where there are none. The rest as for inclusive_scan.
template <class Operation = plus, class From, class T>
  requires(std::same_as<std::remove_const_t<From>, T>)
T exclusive_scan(runtime& rt, const array<From, 1>& from, array<T, 1>& to,
                 std::type_identity_t<T> start = detail::none_of<Operation, T>()) {
  return detail::run_scan<Operation, detail::scan_kind::exclusive>(rt, from, to, start);
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
