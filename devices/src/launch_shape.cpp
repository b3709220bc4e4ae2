#include <fmt/format.h>

#include <yoke/detail/launch_shape.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

[[noreturn]] void refuse(const kernel_call& call, const std::string& device, const std::string& why) {
  throw device_error{fmt::format("{} on {}: {}", in_words(call), device, why), device_failure::refused};
}

bool is_block(block_shape block) {
  // Each first, so that the product has a number.
  const auto good = [](int along, int most) { return along >= 1 && along <= most; };
  return good(block.x, max_block) && good(block.y, max_block) && good(block.z, max_block_z) &&
         threads_of(block) <= max_block;
}

}  // namespace

std::string in_words(const kernel_call& call) {
  const extent_3d& items = call.items;
  const block_shape& block = call.block;
  if (call.form == kernel_form::blocks)
    return fmt::format(
        "launching kernel '{}' over {} x {} blocks of {} threads with {} bytes of shared memory", call.name,
        items.x, items.y, block.x, call.shared_bytes);
  if (call.form == kernel_form::items_3d)
    return fmt::format("launching kernel '{}' over {} x {} x {} items in blocks of {} x {} x {}", call.name,
                       items.x, items.y, items.z, block.x, block.y, block.z);
  return fmt::format("launching kernel '{}' over {} x {} items in blocks of {}", call.name, items.x, items.y,
                     block.x);
}

void require_gpu_code(const kernel_call& call, const std::string& device) {
  if (call.gpu_entry != nullptr) return;
  throw device_error{
      fmt::format("kernel '{}' was compiled without a GPU compiler and cannot run on {}: list its file in "
                  "yoke_kernel_sources",
                  call.name, device),
      device_failure::refused};
}

void require_shape(const kernel_call& call, const std::string& device, std::int64_t most_threads) {
  if (!is_block(call.block))
    refuse(call, device,
           fmt::format("a block has 1 to {} threads, along z {} at most", max_block, max_block_z));
  const bool has_rows = call.form != kernel_form::items_3d;
  if ((has_rows && call.items.y > max_rows) || blocks_along_x(call) > max_blocks)
    refuse(call, device,
           fmt::format("a launch has at most {} blocks along x{}", max_blocks,
                       has_rows ? fmt::format(" and {} rows along y", max_rows) : ""));
  if (blocks_along_x(call) * call.block.x > most_threads)
    refuse(call, device, fmt::format("a launch has at most {} threads along x", most_threads));
  if (!has_countable_items(call))
    refuse(call, device, fmt::format("a launch has {} items at most; split it into several", most_indices));
}

}  // namespace yoke::detail
