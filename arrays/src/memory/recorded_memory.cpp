#include "recorded_memory.hpp"

#include "contents.hpp"

namespace yoke::detail {

void* recorded_memory::scratch(const gpu_unit& gpu, std::size_t bytes, const scratch_purpose& purpose) {
  region_table& memory = context_->rt().memory();
  regions_.reserve(regions_.size() + 1);
  regions_.push_back(memory.reserve(bytes, purpose.label()));
  memory.migrate(regions_.back(), gpu.space);
  return memory.mem_addr(regions_.back(), gpu.space);
}

void recorded_memory::queue_results(std::size_t first, std::size_t last) const {
  for (const result& each : results_)
    if (each.step >= first && each.step < last)
      queue_copy(each.gpu, nullptr, {.to = each.to, .from = each.from, .bytes = each.bytes});
}

void recorded_memory::clear() noexcept {
  results_.clear();
  for (const key region : regions_) context_->give_back(region);
  regions_.clear();
}

}  // namespace yoke::detail
