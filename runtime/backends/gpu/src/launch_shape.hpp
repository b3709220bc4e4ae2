#pragma once
/// What a GPU accepts as the shape of a launch; no vendor in here, so that it is tested without a GPU.

#include <fmt/format.h>
#include <string>

#include <yoke/error.hpp>
#include <yoke/kernel.hpp>

namespace yoke::gpu {

inline constexpr std::int64_t max_rows = 65535;
inline constexpr std::int64_t max_blocks = 2147483647;
inline constexpr int max_block = 1024;

/// Requires: call.block > 0.
inline std::int64_t blocks_along_x(const kernel_call& call) {
  return call.by_blocks ? call.items.x : (call.items.x + call.block - 1) / call.block;
}

inline std::string in_words(const kernel_call& call) {
  if (call.by_blocks)
    return fmt::format(
        "launching kernel '{}' over {} x {} blocks of {} threads with {} bytes of shared memory", call.name,
        call.items.x, call.items.y, call.block, call.shared_bytes);
  return fmt::format("launching kernel '{}' over {} x {} items in blocks of {}", call.name, call.items.x,
                     call.items.y, call.block);
}

/// `most_threads`: along x, in all blocks; vendors differ. Errors: device_error saying what is wrong with the
/// call.
inline void require_launchable(const kernel_call& call, const std::string& device,
                               std::int64_t most_threads) {
  if (call.gpu_entry == nullptr)
    throw device_error{
        fmt::format("kernel '{}' was compiled without a GPU compiler and cannot run on {}: list its file in "
                    "yoke_kernel_sources",
                    call.name, device)};
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

}  // namespace yoke::gpu
