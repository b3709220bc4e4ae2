// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A kernel reaches a device as data: entries, arguments, and over how many items it runs. So the interface
/// of devices has one virtual launch for all kernels, and a wrapper can look at a call, name it and change
/// it.

#include <cstddef>
#include <cstdint>

#include <yoke/cpp20.hpp>

namespace yoke {

/// How many items a kernel runs over: x is contiguous, y counts zones, blocks or rows (y <= 65535).
struct extent {
  std::int64_t x = 0;
  std::int64_t y = 1;
};

/// The same in three dimensions, x contiguous; y and z have no limit.
struct extent_3d {
  std::int64_t x = 0;
  std::int64_t y = 1;
  std::int64_t z = 1;
};

/// GPU threads of a block, 1024 at most in all and 64 along z.
struct block_shape {
  int x = 128;
  int y = 1;
  int z = 1;
};

/// Items [first_x, last_x) of the rows [first_y, last_y) of the planes [first_z, last_z).
struct item_range {
  std::int64_t first_x = 0;
  std::int64_t last_x = 0;
  std::int64_t first_y = 0;
  std::int64_t last_y = 1;
  std::int64_t first_z = 0;
  std::int64_t last_z = 1;
};

/// What a kernel is called for, and what its GPU entry is given behind the arguments.
enum class kernel_form {
  items,     ///< an item; extent
  items_3d,  ///< an item_3d; detail::spread_items
  blocks,    ///< a block of threads that share memory; extent
};

/// One kernel with its arguments, ready for any device. Made by yoke::launch (kernel.hpp); `arguments` need
/// only live during the call of device_streams::launch.
struct kernel_call {
  const char* name = "";
  extent_3d items{};          ///< z is 1 unless the form is items_3d
  std::int64_t left_out = 0;  ///< of those, in form items_3d, so many at the beginning of each row
  block_shape block{};
  /// In form items_3d, from so many items on a thread of a GPU may run several rows below one another: blocks
  /// come in one wave instead of four. Loops over 700^2 to 1000^2 then take 0.72 to 0.86 of the time on an
  /// H100, which has room for 270 000 threads.
  std::int64_t several_from = 1 << 18;
  const void* gpu_entry =
      nullptr;  ///< __global__ function (arguments, what the form says); null where not compiled for a GPU
  /// Runs these items on the calling host thread, a CPU CU's or an emulated device's.
  void (*host_entry)(const void* arguments, const item_range& items) = nullptr;
  const void* arguments = nullptr;
  std::size_t argument_bytes = 0;
  kernel_form form = kernel_form::items;
  std::size_t shared_bytes = 0;  ///< of each block of form `blocks`
};

namespace detail {

constexpr bool is_empty(const extent_3d& items) { return items.x <= 0 || items.y <= 0 || items.z <= 0; }
/// What one launch of a GPU runs of items of three dimensions: all of them from first_row and first_plane on
/// that its grid covers. A thread runs 1 or rows_of_thread rows below one another, or, of a single row, 1 or
/// columns_of_thread items a block apart.
struct spread_items {
  extent_3d items{};
  std::int64_t left_out = 0;  ///< as in the call
  std::int64_t first_row = 0;
  std::int64_t first_plane = 0;
  int columns = 1;
  int rows = 1;
};
inline constexpr int columns_of_thread = 2;
/// What the addresses of several rows have in common is computed once, and what one row reads of the next is
/// still in the cache.
inline constexpr int rows_of_thread = 4;

constexpr item_range all_of(const kernel_call& call) {
  return {.first_x = call.left_out, .last_x = call.items.x, .last_y = call.items.y, .last_z = call.items.z};
}

}  // namespace detail

}  // namespace yoke
