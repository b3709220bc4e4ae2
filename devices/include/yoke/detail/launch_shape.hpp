// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a GPU accepts as the shape of a launch. The emulated device accepts nothing else, so that a launch
/// which no GPU can do is found on a laptop. For backends; users meet it as errors of launch.

#include <algorithm>
#include <cstdint>
#include <string>

#include <yoke/detail/checked_size.hpp>
#include <yoke/kernel_call.hpp>

namespace yoke::detail {

/// Blocks along y, and along z; rows of items of two dimensions are as many.
inline constexpr std::int64_t max_rows = 65535;
/// Blocks along x.
inline constexpr std::int64_t max_blocks = 2147483647;
/// Threads of a block.
inline constexpr int max_block = 1024;
/// Threads along x in all blocks: HIP's limit, the smallest of those that we know.
inline constexpr std::int64_t max_threads = (std::int64_t{1} << 32) - 1;
/// Threads of a block along z.
inline constexpr int max_block_z = 64;

constexpr int threads_of(block_shape block) { return block.x * block.y * block.z; }

constexpr std::int64_t blocks_over(std::int64_t items, std::int64_t block) { return (items - 1) / block + 1; }

/// Requires: call.block.x > 0, call.items.x > 0.
constexpr std::int64_t blocks_along_x(const kernel_call& call) {
  return call.form == kernel_form::blocks ? call.items.x : blocks_over(call.items.x, call.block.x);
}

/// Whether there are most_indices items at most. Requires: !is_empty(call.items).
constexpr bool has_countable_items(const kernel_call& call) {
  std::int64_t rows = 0, items = 0;
  return !__builtin_mul_overflow(call.items.y, call.items.z, &rows) &&
         !__builtin_mul_overflow(call.items.x, rows, &items) && items <= most_indices;
}

/// So many items in one row fill a GPU also when a thread runs several of them.
inline constexpr double many_in_one_row = 1 << 20;

/// Of the first launch of a call of items_3d.
constexpr spread_items spread(const kernel_call& call) {
  const extent_3d& items = call.items;
  spread_items of{.items = items, .left_out = call.left_out};
  const double n = static_cast<double>(items.x) * static_cast<double>(items.y) * static_cast<double>(items.z);
  if (items.y >= rows_of_thread && n >= static_cast<double>(call.several_from)) of.rows = rows_of_thread;
  if (items.y == 1 && items.z == 1 && n >= many_in_one_row) of.columns = columns_of_thread;
  return of;
}

/// The blocks of a launch. Requires: require_shape.
struct launch_grid {
  unsigned x;
  unsigned y;
  unsigned z;
};
constexpr launch_grid grid_of(const kernel_call& call) {
  return {static_cast<unsigned>(blocks_along_x(call)), static_cast<unsigned>(call.items.y), 1};
}
/// As many blocks of rows and planes as a grid can have; what lies behind them is for further launches.
constexpr launch_grid grid_of(const kernel_call& call, const spread_items& of) {
  const auto blocks = [](std::int64_t items, std::int64_t of_block) {
    return static_cast<unsigned>(std::min(blocks_over(items, of_block), max_rows));
  };
  return {static_cast<unsigned>(blocks_over(call.items.x, call.block.x * of.columns)),
          blocks(call.items.y - of.first_row, std::int64_t{call.block.y} * of.rows),
          blocks(call.items.z - of.first_plane, call.block.z)};
}

/// launch(grid, items) for each launch of a call of items_3d.
template <class Launch>
void for_each_grid(const kernel_call& call, const Launch& launch) {
  spread_items of = spread(call);
  for (; of.first_plane < call.items.z; of.first_plane += max_rows * call.block.z)
    for (of.first_row = 0; of.first_row < call.items.y; of.first_row += max_rows * call.block.y * of.rows)
      launch(grid_of(call, of), of);
}

/// "launching kernel 'add' over 3 x 4 items in blocks of 128".
std::string in_words(const kernel_call& call);
/// Errors: device_error.
void require_gpu_code(const kernel_call& call, const std::string& device);
/// `most_threads`: along x, in all blocks; vendors differ. Errors: device_error saying what is wrong with the
/// call.
void require_shape(const kernel_call& call, const std::string& device,
                   std::int64_t most_threads = max_threads);

}  // namespace yoke::detail
