// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels that run on a CPU, on the emulated device and on a GPU, from one source.
///
///   struct scale {
///     YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x, double factor) const {
///       x[at.x] *= factor;
///     }
///   };
///   yoke::launch<scale>(device, stream, {.x = n}, "scale", x, 2.0);
///
/// The file that calls launch must be compiled by nvcc or hipcc for a GPU of that vendor (CMake:
/// yoke_kernel_sources).
///
/// An argument is copied when launch is called, and the kernel sees that copy: later changes of the caller's
/// variable do not reach it, nor its own stores the caller. Accepted are trivially copyable values: numbers,
/// device_ptr, view, and structs of them; every GPU takes 4 KiB of them. Refused at compile time are raw
/// pointers and spans, of which nobody could say whose memory they mean, and kernels with data members, as
/// what they hold would be no argument.
///
/// A kernel's shape is said by its static members, which are read at compile time:
///
///   static constexpr int block = 256;                         // threads along x; 128 where nothing is said
///   static constexpr yoke::block_shape block{.x = 32, .y = 4};  // or a shape, for launch_3d
///   static constexpr int min_blocks = 2;                      // blocks that shall fit a processor at once
///   static constexpr std::int64_t several_from = 1 << 20;     // from so many items on a thread
///                                                             // may run several
///
/// The threads of a block kernel share memory on chip (see block.hpp):
///
///   struct sum_rows {
///     static constexpr int block = 64;
///     YOKE_HD void operator()(const yoke::block& b, yoke::device_ptr<const double> x,
///                             yoke::device_ptr<double> sums) const {
///       double* row = b.shared<double>();
///       b.for_each(64, [&](int i) { row[i] = x[64 * b.x + i]; });
///       b.for_each(1, [&](int) { for (int i = 0; i < 64; ++i) sums[b.x] += row[i]; });
///     }
///   };
///   yoke::launch_blocks<sum_rows>(device, stream, {.x = rows}, 64 * sizeof(double), "sum_rows", x, sums);

#include <cstddef>
#include <cstdint>

#include <yoke/compiler.hpp>
#include <yoke/detail/kernel_arguments.hpp>
#include <yoke/detail/kernel_entries.hpp>
#include <yoke/device_streams.hpp>
#include <yoke/item.hpp>

namespace yoke {

// A kernel may be launched by files of both kinds. What makes the call has then another name in each: were it
// one function, the linker would keep either, perhaps that without a GPU entry.
inline namespace YOKE_LAUNCHERS {

/// A call of `Kernel` over `items` for CPUs alone, so that it need not be compiled for a GPU; `storage` has
/// the arguments and must outlive the call.
template <class Kernel, class... Args>
kernel_call make_host_call(const char* name, extent items, detail::pack<Args...>& storage) {
  detail::require_kernel<Kernel, Args...>();
  using pack = detail::pack<Args...>;
  static_assert(detail::threads_of<Kernel>() == detail::block_of<Kernel>(),
                "a kernel of items in rows has blocks along x; take item_3d and launch_3d for other shapes");
  kernel_call call{.name = name, .items = {.x = items.x, .y = items.y}, .block = detail::shape_of<Kernel>()};
  call.host_entry = &detail::run_on_host<Kernel, item, pack>;
  call.arguments = &storage;
  call.argument_bytes = sizeof(pack);
  return call;
}

/// The same for device_streams::launch.
template <class Kernel, class... Args>
kernel_call make_kernel_call(const char* name, extent items, detail::pack<Args...>& storage) {
  kernel_call call = make_host_call<Kernel>(name, items, storage);
#if YOKE_GPU_COMPILER
  call.gpu_entry = reinterpret_cast<const void*>(&detail::run_on_gpu<Kernel, detail::pack<Args...>>);
#endif
  return call;
}

/// The same for a kernel of items in three dimensions.
template <class Kernel, class... Args>
kernel_call make_kernel_call_3d(const char* name, extent_3d items, detail::pack<Args...>& storage) {
  detail::require_kernel<Kernel, Args...>();
  using pack = detail::pack<Args...>;
  kernel_call call{.name = name,
                   .items = items,
                   .block = detail::shape_of<Kernel>(),
                   .several_from = detail::several_from_of<Kernel>()};
#if YOKE_GPU_COMPILER
  call.gpu_entry = reinterpret_cast<const void*>(&detail::run_3d_on_gpu<Kernel, pack>);
#endif
  call.host_entry = &detail::run_on_host<Kernel, item_3d, pack>;
  call.arguments = &storage;
  call.argument_bytes = sizeof(pack);
  call.form = kernel_form::items_3d;
  return call;
}

/// The same for a block kernel over `blocks` (x fastest), each with `shared_bytes` of memory on chip.
template <class Kernel, class... Args>
kernel_call make_block_call(const char* name, extent blocks,
                            detail::block_arguments<detail::pack<Args...>>& storage) {
  detail::require_kernel<Kernel, Args...>();
  static_assert(detail::min_blocks_of<Kernel>() >= 1);
  using arguments = detail::block_arguments<detail::pack<Args...>>;
  static_assert(detail::threads_of<Kernel>() == detail::block_of<Kernel>(),
                "the threads of a block kernel are numbered along x");
  kernel_call call{
      .name = name, .items = {.x = blocks.x, .y = blocks.y}, .block = detail::shape_of<Kernel>()};
#if YOKE_GPU_COMPILER
  call.gpu_entry = reinterpret_cast<const void*>(&detail::run_blocks_on_gpu<Kernel, arguments>);
#endif
  call.host_entry = &detail::run_blocks_on_host<Kernel, arguments>;
  call.arguments = &storage;
  call.argument_bytes = sizeof(arguments);
  call.form = kernel_form::blocks;
  call.shared_bytes = storage.shared_bytes;
  return call;
}

/// Runs `Kernel` for every item of `items` on `stream` of `dev`, asynchronously. Nothing is launched for an
/// empty extent.
template <class Kernel, class... Args>
void launch(device_streams& dev, stream_handle stream, extent items, const char* name, Args... args) {
  if (items.x <= 0 || items.y <= 0) return;
  auto storage = detail::make_pack(args...);
  dev.launch(stream, make_kernel_call<Kernel>(name, items, storage));
}

/// The same in three dimensions: `Kernel` takes an item_3d, and y and z have no limit. `Kernel::block` may be
/// a block_shape: along x as many threads as read neighbours in memory, 128 where nothing is said.
template <class Kernel, class... Args>
void launch_3d(device_streams& dev, stream_handle stream, extent_3d items, const char* name, Args... args) {
  if (detail::is_empty(items)) return;
  auto storage = detail::make_pack(args...);
  dev.launch(stream, make_kernel_call_3d<Kernel>(name, items, storage));
}

/// Runs the block kernel `Kernel` for every block of `blocks` on `stream` of `dev`, asynchronously.
/// Requires: shared_bytes <= shared_memory of the device's info(); a device_error naming the kernel
/// otherwise. `Kernel::block` is its number of threads; `Kernel::min_blocks`, when given, is how many blocks
/// shall fit a processor of the GPU: the compiler limits the registers to that.
template <class Kernel, class... Args>
void launch_blocks(device_streams& dev, stream_handle stream, extent blocks, std::size_t shared_bytes,
                   const char* name, Args... args) {
  if (blocks.x <= 0 || blocks.y <= 0) return;
  detail::block_arguments<detail::pack<Args...>> storage{shared_bytes, detail::make_pack(args...)};
  dev.launch(stream, make_block_call<Kernel>(name, blocks, storage));
}

}  // namespace YOKE_LAUNCHERS

/// Runs `Kernel` for items [first, last) of row y on the calling host thread, as a CPU CU does.
template <class Kernel, class... Args>
void run_on_host(std::int64_t y, std::int64_t first, std::int64_t last, Args... args) {
  const auto storage = detail::make_pack(args...);
  detail::run_on_host<Kernel, item, detail::pack<Args...>>(
      &storage, {.first_x = first, .last_x = last, .first_y = y, .last_y = y + 1});
}

}  // namespace yoke
