// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What runs a kernel: a function of the host for its items or blocks, and one of the GPU where the compiler
/// makes code for it. yoke::launch puts both into a kernel_call. A kernel's shape, its static members `block`
/// and `min_blocks` (kernel.hpp), is read here at compile time.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <yoke/block.hpp>
#include <yoke/compiler.hpp>
#include <yoke/detail/checked_views.hpp>
#include <yoke/detail/kernel_arguments.hpp>
#include <yoke/item.hpp>
#include <yoke/kernel_call.hpp>
#include <yoke/vendors.hpp>

namespace yoke::detail {

/// Where nothing is checked nobody asks which item runs.
struct no_notes {
  YOKE_INLINE void at(const item&) const {}
  YOKE_INLINE void at(const item_3d&) const {}
};

/// For messages: the views that a kernel is given, and the item that runs.
class kernel_notes {
 public:
  template <class... Args>
  explicit kernel_notes(const pack<Args...>& args) : own_{own_elements_of_this_thread()} {
    own_.is_loop = false;
    add(args, 1);
  }
  ~kernel_notes() { own_.forget(); }
  kernel_notes(const kernel_notes&) = delete;
  kernel_notes& operator=(const kernel_notes&) = delete;

  YOKE_INLINE void at(const item& of) const { set(2, of.x, of.y, 0); }
  YOKE_INLINE void at(const item_3d& of) const { set(3, of.x, of.y, of.z); }

 private:
  YOKE_INLINE void set(int dimensions, std::int64_t x, std::int64_t y, std::int64_t z) const {
    own_.dimensions = dimensions;
    own_.index[0] = x;
    own_.index[1] = y;
    own_.index[2] = z;
  }
  void add(const pack<>&, int) {}
  template <class First, class... Rest>
  void add(const pack<First, Rest...>& args, int number) {
    if constexpr (requires { int{First::dimensions}, args.first.origin().address(); })
      own_.given.push_back({args.first.origin().address(), First::dimensions, number});
    add(args.rest, number + 1);
  }

  own_elements& own_;
};

/// The arguments are a copy of this function's own: what the kernel stores cannot change them.
template <class Kernel, class Item, class Pack, class Notes = no_notes>
YOKE_FLAT void run_items(const Pack args, const item_range& items, const Notes& notes = {}) {
  const std::int64_t first_x = items.first_x, last_x = items.last_x;
  const std::int64_t first_y = items.first_y, last_y = items.last_y;
  if constexpr (std::is_same_v<Item, item>) {
    for (std::int64_t y = first_y; y < last_y; ++y)
      for (std::int64_t x = first_x; x < last_x; ++x) {
        notes.at(item{x, y});
        apply<Kernel>(item{x, y}, args);
      }
  } else {
    const std::int64_t last_z = items.last_z;
    for (std::int64_t z = items.first_z; z < last_z; ++z)
      for (std::int64_t y = first_y; y < last_y; ++y)
        for (std::int64_t x = first_x; x < last_x; ++x) {
          notes.at(item_3d{x, y, z});
          apply<Kernel>(item_3d{x, y, z}, args);
        }
  }
}

/// The same where device_ptr has nothing to check or to translate, and the compiler knows it.
template <class Kernel, class Item, class Pack>
YOKE_FLAT void run_items_at_host_addresses(const Pack& args, const item_range& items) {
  assume_host_addresses();
  run_items<Kernel, Item>(args, items);
}

/// The host's entry of kernels of items: with checks where the calling thread is one of an emulated device,
/// or has asked for them (checked_indices), and as fast as a plain loop elsewhere. Never a part of its
/// caller, which may have asked for checks since it called this the last time.
template <class Kernel, class Item, class Pack>
[[gnu::noinline]] void run_on_host(const void* arguments, const item_range& items) {
  const Pack& args = *static_cast<const Pack*>(arguments);
  if (window_of_this_thread().is_checked) {
    run_items<Kernel, Item>(args, items, kernel_notes{args});
  } else {
    run_items_at_host_addresses<Kernel, Item>(args, items);
  }
}

/// `Kernel::block`, a number of threads along x or a block_shape.
template <class Kernel>
constexpr block_shape shape_of() {
  if constexpr (!requires { Kernel::block; }) {
    return {};
  } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(Kernel::block)>, block_shape>) {
    return Kernel::block;
  } else {
    return {.x = Kernel::block};
  }
}

/// Threads of a block along x.
template <class Kernel>
constexpr int block_of() {
  return shape_of<Kernel>().x;
}

/// And in all.
template <class Kernel>
constexpr int threads_of() {
  return shape_of<Kernel>().x * shape_of<Kernel>().y * shape_of<Kernel>().z;
}

/// `Kernel::min_blocks`; 1 where nothing is said, which limits no registers.
template <class Kernel>
constexpr int min_blocks_of() {
  if constexpr (requires { Kernel::min_blocks; }) return Kernel::min_blocks;
  return 1;
}

/// `Kernel::several_from`, else what a call has.
template <class Kernel>
constexpr std::int64_t several_from_of() {
  if constexpr (requires { Kernel::several_from; }) return Kernel::several_from;
  return kernel_call{}.several_from;
}

/// What the compiler is told of that; vendors mean different numbers by it.
template <class Kernel>
constexpr int occupancy_of() {
  return second_launch_bound(min_blocks_of<Kernel>(), block_of<Kernel>());
}

/// The arguments of a block kernel, with what its block needs to know.
template <class Pack>
struct block_arguments {
  std::size_t shared_bytes;
  Pack args;
};

/// Memory of the calling host thread that stands in for a block's: every byte 0xff, a NaN among doubles, so
/// that a kernel which reads what it has not written is found.
void* poisoned_shared_memory(std::size_t bytes);
/// Errors: usage_error when something was written behind the last call's memory.
void check_shared_memory(std::size_t bytes);

template <class Kernel, class Arguments>
YOKE_FLAT void run_blocks(const Arguments& of_block, const item_range& blocks) {
  const std::size_t bytes = of_block.shared_bytes;
  for (std::int64_t y = blocks.first_y; y < blocks.last_y; ++y) {
    for (std::int64_t x = blocks.first_x; x < blocks.last_x; ++x) {
      apply<Kernel>(yoke::block{x, y, block_of<Kernel>(), poisoned_shared_memory(bytes), bytes},
                    of_block.args);
      check_shared_memory(bytes);
    }
  }
}

template <class Kernel, class Arguments>
YOKE_FLAT void run_blocks_at_host_addresses(const Arguments& of_block, const item_range& blocks) {
  assume_host_addresses();
  run_blocks<Kernel>(of_block, blocks);
}

/// The host's entry of block kernels.
template <class Kernel, class Arguments>
[[gnu::noinline]] void run_blocks_on_host(const void* arguments, const item_range& blocks) {
  const Arguments& of_block = *static_cast<const Arguments*>(arguments);
  if (window_of_this_thread().is_checked) {
    const kernel_notes notes{of_block.args};
    run_blocks<Kernel>(of_block, blocks);
  } else {
    run_blocks_at_host_addresses<Kernel>(of_block, blocks);
  }
}

#if YOKE_GPU_COMPILER
// Without the bound a kernel with a large block may get more registers than an SM has.
template <class Kernel, class Pack>
__global__ void __launch_bounds__(block_of<Kernel>()) run_on_gpu(const Pack args, extent items) {
  const item at{static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                static_cast<std::int64_t>(blockIdx.y)};
  if (at.x < items.x) apply<Kernel>(at, args);
}

/// Without loops over rows and planes: with them a stencil takes half as many registers again.
template <class Kernel, class Pack>
__global__ void __launch_bounds__(threads_of<Kernel>()) run_3d_on_gpu(const Pack args, spread_items of) {
  constexpr block_shape shape = shape_of<Kernel>();
  static_assert(shape.x > 0 && shape.y > 0 && shape.z > 0, "a block has threads along each dimension");
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * (shape.x * of.columns) + threadIdx.x;
  const std::int64_t y =
      of.first_row + static_cast<std::int64_t>(blockIdx.y * shape.y + threadIdx.y) * of.rows;
  const std::int64_t z = of.first_plane + (blockIdx.z * shape.z + threadIdx.z);
  if (x >= of.items.x || y >= of.items.y || z >= of.items.z) return;
  if (of.rows == 1) {
    if (x >= of.left_out) apply<Kernel>(item_3d{x, y, z}, args);
    const std::int64_t next = x + shape.x;
    if (of.columns > 1 && next >= of.left_out && next < of.items.x) apply<Kernel>(item_3d{next, y, z}, args);
  } else if (x < of.left_out) {
    return;
  } else if (y + rows_of_thread <= of.items.y) {
#pragma unroll
    for (int row = 0; row < rows_of_thread; ++row) apply<Kernel>(item_3d{x, y + row, z}, args);
  } else {
#pragma unroll 1
    for (std::int64_t row = y; row < of.items.y; ++row) apply<Kernel>(item_3d{x, row, z}, args);
  }
}

struct alignas(16) shared_unit {
  unsigned char bytes[16];
};

template <class Kernel, class Arguments>
__global__ void __launch_bounds__(block_of<Kernel>(), occupancy_of<Kernel>())
    run_blocks_on_gpu(const Arguments of_block, extent) {
  extern __shared__ shared_unit shared_memory_of_block[];
  apply<Kernel>(yoke::block{static_cast<std::int64_t>(blockIdx.x), static_cast<std::int64_t>(blockIdx.y),
                            block_of<Kernel>(), shared_memory_of_block, of_block.shared_bytes},
                of_block.args);
}
#endif

}  // namespace yoke::detail
