#pragma once
/// What a GPU accepts as the shape of a launch. The emulated device accepts nothing else, so that a launch
/// which no GPU can do is found on a laptop.

#include <algorithm>
#include <cstdint>
#include <string>

#include <yoke/kernel_call.hpp>

namespace yoke::detail {

inline constexpr std::int64_t max_rows = 65535;
inline constexpr std::int64_t max_blocks = 2147483647;
inline constexpr int max_block = 1024;
/// Threads along x in all blocks: HIP's limit, the smallest of those that we know.
inline constexpr std::int64_t max_threads = (std::int64_t{1} << 32) - 1;

inline constexpr int max_block_z = 64;

constexpr int threads_of(block_shape block) { return block.x * block.y * block.z; }

constexpr std::int64_t blocks_over(std::int64_t items, int block) { return (items - 1) / block + 1; }

/// Requires: call.block.x > 0, call.items.x > 0.
constexpr std::int64_t blocks_along_x(const kernel_call& call) {
  return call.form == kernel_form::blocks ? call.items.x : blocks_over(call.items.x, call.block.x);
}

/// The blocks of a launch. Requires: require_shape.
struct launch_grid {
  unsigned x;
  unsigned y;
  unsigned z;
};
constexpr launch_grid grid_of(const kernel_call& call) {
  const auto x = static_cast<unsigned>(blocks_along_x(call));
  if (call.form != kernel_form::items_3d) return {x, static_cast<unsigned>(call.items.y), 1};
  const auto rows = [](std::int64_t items, int block) {
    return static_cast<unsigned>(std::min(blocks_over(items, block), max_rows));
  };
  return {x, rows(call.items.y, call.block.y), rows(call.items.z, call.block.z)};
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
