#pragma once
/// One call that runs a kernel on whatever the calling compute unit is.

#include <yoke/kernel.hpp>

namespace yoke {

namespace detail {
void run_on_calling_unit(const kernel_call& call);
}

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Runs `Kernel` for every item of `items` on the calling thread's CU: on its stream on a GPU CU
/// (asynchronously), with its n_inner_cpus() CPUs on a CPU CU, where rows of `items` (or, when there are too
/// few, pieces of them) go to the CPUs in order. Arguments are addresses in the CU's space: what
/// placement::mem_addr gives after migrate. The file that calls it is one of yoke_kernel_sources.
/// Errors: device_error; on a CPU CU what the kernel throws.
template <class Kernel, class... Args>
void launch_here(extent items, const char* name, Args... args) {
  if (items.x <= 0 || items.y <= 0) return;
  auto storage = detail::make_pack(args...);
  detail::run_on_calling_unit(make_kernel_call<Kernel>(name, items, storage));
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
