// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Order among the blocks of one launch, for kernels in which a block waits for what others have done.
///
/// Blocks start in no promised order, and one that waits keeps its place on the processor. So that waiting
/// always ends, a block takes its number from a counter instead of using its position, and waits only for
/// blocks with smaller numbers, which have started then. One thread calls these functions, at the end of a
/// phase for publish, before the phase that reads for wait_for.
///
/// On the emulated device blocks run one after the other, so that whatever they wait for has happened.
///
///   // Block `mine` of a row of blocks goes on where block `mine - 1` has stopped. `counter` and all of
///   // `progress` are 0 at the launch.
///   b.for_each(1, [&](int) { chip->mine = yoke::take_number(counter); });
///   b.for_each(1, [&](int) { if (chip->mine > 0) yoke::wait_for(progress + (chip->mine - 1), 1); });
///   …                                                          // phases that read what that block wrote
///   b.for_each(1, [&](int) { yoke::publish(progress + chip->mine, 1); });

#include <yoke/compiler.hpp>
#include <yoke/kernel.hpp>

namespace yoke {

namespace detail {
/// Errors: usage_error.
[[noreturn]] void waits_for_a_later_block(int wanted, int found);
}  // namespace detail

/// The numbers 0, 1, 2, …, each to one block. `counter` is 0 at first.
YOKE_HD inline int take_number(device_ptr<int> counter) {
#if YOKE_DEVICE_PASS
  return atomicAdd(counter.get(), 1);
#else
  return (*counter)++;
#endif
}

/// Everything that the block wrote in the phases before is seen by who finds `value` in `progress`, or more.
/// Values only grow.
YOKE_HD inline void publish(device_ptr<int> progress, int value) {
#if YOKE_DEVICE_PASS
  __threadfence();
  *static_cast<volatile int*>(progress.get()) = value;
#else
  *progress = value;
#endif
}

/// Waits until `progress` is at least `value`, and returns what it is. Errors: usage_error on a host, where
/// waiting could not end: the block that publishes has a larger number.
YOKE_HD inline int wait_for(device_ptr<const int> progress, int value) {
#if YOKE_DEVICE_PASS
  const volatile int* const now = progress.get();
  int found = *now;
  while (found < value) found = *now;
  __threadfence();
  return found;
#else
  if (*progress < value) detail::waits_for_a_later_block(value, *progress);
  return *progress;
#endif
}

}  // namespace yoke
