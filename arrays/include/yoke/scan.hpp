#pragma once
/// Prefix sums, and prefixes under other operations.
///
///   yoke::array<std::int64_t, 1> counts{rt, {n}}, offsets{rt, {n}};
///   const std::int64_t all = yoke::exclusive_scan(rt, counts, offsets);      // offsets[i]: counts before i
///
/// The file that calls it is one of yoke_kernel_sources.

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include <yoke/array.hpp>
#include <yoke/operations.hpp>
#include <yoke/recorder.hpp>
#include <yoke/roles.hpp>
#include <yoke/scan_loop.hpp>

namespace yoke {

namespace detail {

/// Errors: usage_error naming both.
void check_equal_extents(const char* call, std::int64_t from, std::int64_t to);

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class Operation, scan_kind Kind, class T>
T run_scan(runtime& rt, const array<T, 1>& from, array<T, 1>& to, T start) {
  static_assert(combines<Operation, T>,
                "a scan needs an operation on the array's elements, see operations.hpp");
  constexpr const char* name = Kind == scan_kind::inclusive ? "inclusive_scan" : "exclusive_scan";
  refuse_in_recording(name);
  const bool in_place = &from == &to;
  const std::array<array_use, 2> uses{in_place ? loops::inout(to).use : loops::in(from, interior).use,
                                      loops::out(to).use};
  check_equal_extents(name, from.extent(0), to.extent(0));
  const any_box over = box<1>{{from.extent(0)}}.sides();
  loop all{rt, name, over, std::span{uses}.first(in_place ? 1 : 2)};
  scan_leaves<Operation, Kind, T> leaves{over[0], all.cuts(0)};
  all.run([&](const loop_part& part) { leaves.find_totals(part, 0); }, true);
  const T last = leaves.find_starts(start);
  all.run([&](const loop_part& part) { leaves.write(part, 0, in_place ? 0 : 1); }, true);
  return last;
}

}  // namespace YOKE_LAUNCHERS

}  // namespace detail

inline namespace YOKE_LAUNCHERS {

/// to[i] combines from[0] … from[i]; gives that of all elements. `to` may be `from`. The bits depend on the
/// elements alone, not on configuration or device: elements are combined by runs of 8, groups of 8 runs and
/// leaves of 16 groups, always from left to right, so that Operation need not be commutative.
///
/// Has finished on return. When it throws, the elements of `to` are undefined. Errors: usage_error for arrays
/// of unequal extents, or cut at other indices; those of for_each.
template <class Operation = plus, class T>
T inclusive_scan(runtime& rt, const array<T, 1>& from, array<T, 1>& to) {
  return detail::run_scan<Operation, detail::scan_kind::inclusive>(rt, from, to,
                                                                   detail::none_of<Operation, T>());
}

/// to[i] combines `start` and from[0] … from[i - 1]; gives that of `start` and all elements.
template <class Operation = plus, class T>
T exclusive_scan(runtime& rt, const array<T, 1>& from, array<T, 1>& to,
                 std::type_identity_t<T> start = detail::none_of<Operation, T>()) {
  return detail::run_scan<Operation, detail::scan_kind::exclusive>(rt, from, to, start);
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
