// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A scan with the types of its elements and its operation: totals of leaves, then elements.

#include <array>
#include <cstdint>
#include <span>

#include <yoke/array.hpp>
#include <yoke/detail/recorder.hpp>
#include <yoke/detail/scan_loop.hpp>
#include <yoke/operations.hpp>
#include <yoke/roles.hpp>

namespace yoke {
class runtime;

namespace detail {

/// Errors: usage_error naming both.
void check_equal_extents(const char* call, std::int64_t from, std::int64_t to);

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class Operation, scan_kind Kind, class From, class T>
T run_scan(runtime& rt, const array<From, 1>& from, array<T, 1>& to, T start) {
  static_assert(combines<Operation, T>,
                "a scan needs an operation on the array's elements, see operations.hpp");
  constexpr const char* name = Kind == scan_kind::inclusive ? "inclusive_scan" : "exclusive_scan";
  refuse_in_recording(name);
  const bool in_place = &from.handle() == &to.handle();
  const std::array<array_use, 2> uses{in_place ? roles::inout(to).use : roles::in(from, interior).use,
                                      roles::out(to).use};
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

}  // namespace yoke
