// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Copies from device memory to the shared memory of a block that go on while the thread that started them
/// computes. Where the processor has none they are done at once, as on the emulated device.
///
/// A thread closes what it has started to a group, and waits for its older groups; other threads see the
/// copied values after the end of the phase in which it waited.
///
///   at.for_each_thread([&](int t) {
///     yoke::start_copy(next + t, plane_behind + t);
///     yoke::close_group();
///     compute(now, t);                 // the next plane is on its way
///     yoke::wait_for_groups<0>();
///   });                                // every thread finds all of `next` from here on

#include <yoke/vendors.hpp>

namespace yoke {

/// One number, 8 bytes. `to_shared` is in the block's shared memory, `from` in that of the device.
YOKE_HD inline void start_copy(double* to_shared, const double* from) {
  detail::instructions::start_copy(to_shared, from);
}

/// What this thread has started since the group before becomes its youngest group.
YOKE_HD inline void close_group() { detail::instructions::close_group(); }

/// Until no more than the `Younger` youngest groups of this thread are under way.
template <int Younger>
YOKE_HD inline void wait_for_groups() {
  detail::instructions::wait_for_groups<Younger>();
}

}  // namespace yoke
