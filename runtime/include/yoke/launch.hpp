// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Calls that run a kernel on whatever the calling compute unit is.

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <yoke/kernel.hpp>
#include <yoke/placed.hpp>

namespace yoke {

namespace detail {

/// Errors: usage_error where there is no runtime, and outside of parallel regions.
void run_on_calling_unit(const kernel_call& call);
/// The same for a kernel of the program: indices are checked on a CPU CU under YOKE_CHECK=1.
void launch_on_calling_unit(const kernel_call& call);
/// On the calling thread and so many others, whatever CU that is. Errors: what the kernel throws.
void launch_on_cpus(const kernel_call& call, int n_cpus);

/// How many of the first `end` arguments are placed objects.
template <class... Args>
constexpr std::size_t n_placed(std::size_t end = sizeof...(Args)) {
  std::size_t n = 0, at = 0;
  ((n += at++ < end && is_placed<std::remove_const_t<Args>> ? 1 : 0), ...);
  return n;
}

template <class Arg>
void collect_use(Arg& arg, region_use*& next) {
  if constexpr (is_placed<std::remove_const_t<Arg>>) *next++ = arg.use();
}

/// What a kernel gets: of a placed object its address, of anything else a copy.
template <class Arg>
auto kernel_argument(Arg& arg, [[maybe_unused]] const region_use* use) {
  if constexpr (!is_placed<std::remove_const_t<Arg>>) {
    return arg;
  } else {
    using value =
        std::conditional_t<std::is_const_v<Arg>, const typename Arg::value_type, typename Arg::value_type>;
    return device_ptr<value>{static_cast<value*>(use->address)};
  }
}

/// run(pack of what the kernel gets), with the placed objects among `args` here before and in use after it.
template <class Run, class... Args, std::size_t... I>
void run_with_arguments(std::index_sequence<I...>, const Run& run, Args&... args) {
  constexpr std::size_t n = n_placed<Args...>();
  if constexpr (n == 0) {
    run(make_pack(args...));
  } else {
    std::array<region_use, n> uses{};
    region_use* next = uses.data();
    (collect_use(args, next), ...);
    launch_regions regions{uses};
    run(make_pack(kernel_argument(args, uses.data() + n_placed<Args...>(I))...));
    regions.launched();
  }
}

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Runs `Kernel` for every item of `items` on the calling thread's CU: on its stream on a GPU CU
/// (asynchronously), with its n_inner_cpus() CPUs on a CPU CU, where rows of `items` (or, when there are too
/// few, pieces of them) go to the CPUs in order. The file that calls it is one of yoke_kernel_sources.
///
/// An argument is a value, or a placed object: that is brought to the CU first, a const one as a copy for
/// reading, and the kernel gets its device_ptr. Whoever asks for it later waits for this kernel. Other
/// addresses are those of the CU's space: what placed::here gives, or placement::mem_addr after migrate.
///
/// Errors: usage_error outside of parallel regions; device_error; those of placed objects; on a CPU CU what
/// the kernel throws, and under YOKE_CHECK=1 usage_error for an index outside of a view.
template <class Kernel, class... Args>
void launch_here(extent items, const char* name, Args&&... args) {
  if (items.x <= 0 || items.y <= 0) return;
  const auto run = [&](auto storage) {
    detail::launch_on_calling_unit(make_kernel_call<Kernel>(name, items, storage));
  };
  detail::run_with_arguments(std::index_sequence_for<Args...>{}, run, args...);
}

/// The same in three dimensions: `Kernel` takes an item_3d.
template <class Kernel, class... Args>
void launch_3d_here(extent_3d items, const char* name, Args&&... args) {
  if (detail::is_empty(items)) return;
  const auto run = [&](auto storage) {
    detail::launch_on_calling_unit(make_kernel_call_3d<Kernel>(name, items, storage));
  };
  detail::run_with_arguments(std::index_sequence_for<Args...>{}, run, args...);
}

/// The same for a block kernel over `blocks`, each with `shared_bytes` of memory on chip (see block.hpp). On
/// a CPU CU the blocks go to its CPUs as items do; one whose blocks wait for one another (block_order.hpp)
/// needs a CU of one CPU, or a GPU CU.
template <class Kernel, class... Args>
void launch_blocks_here(extent blocks, std::size_t shared_bytes, const char* name, Args&&... args) {
  if (blocks.x <= 0 || blocks.y <= 0) return;
  const auto run = [&](const auto& pack) {
    detail::block_arguments<std::remove_cvref_t<decltype(pack)>> storage{shared_bytes, pack};
    detail::launch_on_calling_unit(make_block_call<Kernel>(name, blocks, storage));
  };
  detail::run_with_arguments(std::index_sequence_for<Args...>{}, run, args...);
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
