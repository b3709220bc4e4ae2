#include "messages.hpp"

#include "contents.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

message_memory::message_memory(std::shared_ptr<array_context> context)
    : context_{std::move(context)}, gpus_(context_->gpus.size()) {}

message_memory::~message_memory() {
  if (!context_->is_alive()) return;
  drain(context_->gpus);
  for (const on_gpu& each : gpus_) context_->give_back(each.region);
}

std::size_t message_memory::number_of(const gpu_unit* of) const {
  return of == nullptr ? 0 : static_cast<std::size_t>(of->unit - context_->n_cpu_units) + 1;
}

void message_memory::reserve(std::span<const std::size_t> bytes) {
  if (host_.size() < bytes[0]) host_.resize(bytes[0]);
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) reserve(gpu, bytes[gpu + 1]);
}

void message_memory::reserve(std::size_t gpu, std::size_t bytes) {
  on_gpu& mine = gpus_[gpu];
  if (mine.bytes >= bytes) return;
  region_table& memory = context_->rt().memory();
  wait_for(context_->gpus);  // others may read the last messages still
  if (mine.region != nullptr) memory.unregister_mem(std::exchange(mine.region, nullptr));
  mine.bytes = 0;
  mine.region =
      memory.reserve(bytes, {.purpose = "messages of halos",
                             .advice = "end arrays that are not needed, or give them narrower halos"});
  memory.migrate(mine.region, context_->gpus[gpu].space);
  mine.bytes = bytes;
}

std::byte* message_memory::first(const gpu_unit* of) {
  if (of == nullptr) return host_.data();
  return static_cast<std::byte*>(
      context_->rt().memory().mem_addr(gpus_[number_of(of) - 1].region, of->space));
}

std::shared_ptr<message_memory> message_pool::take(const std::shared_ptr<array_context>& context) {
  const auto is_free = [](const std::shared_ptr<message_memory>& each) { return each.use_count() == 1; };
  const auto found = std::ranges::find_if(all_, is_free);
  if (found != all_.end()) return *found;
  return all_.emplace_back(std::make_shared<message_memory>(context));
}

}  // namespace yoke::detail
