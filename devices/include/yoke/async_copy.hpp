#pragma once
/// Copies from device memory to the shared memory of a block that go on while the thread that started them
/// computes. Where the processor has none they are done at once, as on the emulated device.
///
/// A thread closes what it has started to a group, and waits for its older groups; other threads see the
/// copied values after the end of the phase in which it waited.

#include <yoke/compiler.hpp>

namespace yoke {

YOKE_HD inline void start_copy(double* to_shared, const double* from) {
#if YOKE_CUDA_PASS
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
#else
  *to_shared = *from;
#endif
}

YOKE_HD inline void close_group() {
#if YOKE_CUDA_PASS
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Until no more than the `Younger` youngest groups of this thread are under way.
template <int Younger>
YOKE_HD inline void wait_for_groups() {
#if YOKE_CUDA_PASS
  asm volatile("cp.async.wait_group %0;" ::"n"(Younger) : "memory");
#endif
}

}  // namespace yoke
