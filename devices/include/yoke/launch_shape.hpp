#pragma once
/// What a GPU accepts as the shape of a launch. The emulated device accepts nothing else, so that a launch
/// which no GPU can do is found on a laptop.

#include <cstdint>
#include <fmt/format.h>
#include <string>

#include <yoke/error.hpp>
#include <yoke/kernel.hpp>

namespace yoke::detail {

inline constexpr std::int64_t max_rows = 65535;
inline constexpr std::int64_t max_blocks = 2147483647;
inline constexpr int max_block = 1024;
/// Threads along x in all blocks: HIP's limit, the smallest of those that we know.
inline constexpr std::int64_t max_threads = (std::int64_t{1} << 32) - 1;

/// Requires: call.block > 0, call.items.x > 0.
inline std::int64_t blocks_along_x(const kernel_call& call) {
  return call.by_blocks ? call.items.x : (call.items.x - 1) / call.block + 1;
}

inline std::string in_words(const kernel_call& call) {
  if (call.by_blocks)
    return fmt::format(
        "launching kernel '{}' over {} x {} blocks of {} threads with {} bytes of shared memory", call.name,
        call.items.x, call.items.y, call.block, call.shared_bytes);
  return fmt::format("launching kernel '{}' over {} x {} items in blocks of {}", call.name, call.items.x,
                     call.items.y, call.block);
}

/// Errors: device_error.
inline void require_gpu_code(const kernel_call& call, const std::string& device) {
  if (call.gpu_entry != nullptr) return;
  throw device_error{
      fmt::format("kernel '{}' was compiled without a GPU compiler and cannot run on {}: list its file in "
                  "yoke_kernel_sources",
                  call.name, device)};
}

/// `most_threads`: along x, in all blocks; vendors differ. Errors: device_error saying what is wrong with the
/// call.
inline void require_shape(const kernel_call& call, const std::string& device,
                          std::int64_t most_threads = max_threads) {
  if (call.block < 1 || call.block > max_block)
    throw device_error{
        fmt::format("{} on {}: a block has 1 to {} threads", in_words(call), device, max_block)};
  if (call.items.y > max_rows || blocks_along_x(call) > max_blocks)
    throw device_error{fmt::format("{} on {}: a launch has at most {} blocks along x and {} rows along y",
                                   in_words(call), device, max_blocks, max_rows)};
  if (blocks_along_x(call) * call.block > most_threads)
    throw device_error{fmt::format("{} on {}: a launch has at most {} threads along x", in_words(call),
                                   device, most_threads)};
}

}  // namespace yoke::detail
