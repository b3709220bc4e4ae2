// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What tasks contribute to side by side: reduce<operation>(x).

#include <cstddef>

#include <yoke/operations.hpp>
#include <yoke/task_context.hpp>
#include <yoke/task_roles.hpp>

namespace yoke {

namespace detail {

/// How values of one type are combined by one operation, on the CU of a body.
struct reduction {
  std::size_t element;  ///< bytes
  void (*clear)(task_context& me, void* all, std::size_t n);
  void (*combine)(task_context& me, void* into, const void* from, std::size_t n);
};

template <class Operation, class T>
struct clearing {
  YOKE_HD void operator()(item at, device_ptr<T> all) const { all[at.x] = none_of<Operation, T>(); }
};
template <class Operation, class T>
struct combining {
  YOKE_HD void operator()(item at, device_ptr<T> into, device_ptr<const T> from) const {
    into[at.x] = Operation::combine(into[at.x], from[at.x]);
  }
};

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class Operation, class T>
struct reduction_of {
  static void clear(task_context& me, void* all, std::size_t n) {
    launch_in_task<detail::clearing<Operation, T>>(me, {.x = static_cast<std::int64_t>(n)}, "clear",
                                                   device_ptr<T>{static_cast<T*>(all)});
  }
  static void combine(task_context& me, void* into, const void* from, std::size_t n) {
    launch_in_task<detail::combining<Operation, T>>(me, {.x = static_cast<std::int64_t>(n)}, "combine",
                                                    device_ptr<T>{static_cast<T*>(into)},
                                                    device_ptr<const T>{static_cast<const T*>(from)});
  }
  static constexpr detail::reduction how{sizeof(T), clear, combine};
};

}  // namespace YOKE_LAUNCHERS

namespace roles {

/// Each value gets what the task contributes, by `Operation` (see operations.hpp): `reduce<yoke::plus>(x)`. A
/// body gets a device_ptr<T> to values of its own, which begin with what leaves others as they are. They are
/// combined with x in the order in which tasks were told, so that bits depend on no schedule, while bodies
/// run side by side; the task is over behind that. Takes the memory of x again for each task until then. A
/// file that calls it and uses GPUs is one of yoke_kernel_sources. Not with another role for x in one task,
/// and not of agents (usage_error).
template <class Operation, class T, class How = reduction_of<Operation, T>>
  requires combines<Operation, T>
detail::placed_role<T> reduce(placed<T>& x) {
  return {{x.use().region, nullptr, detail::task_role::inout, false, &How::how}};
}

}  // namespace roles

}  // namespace yoke
