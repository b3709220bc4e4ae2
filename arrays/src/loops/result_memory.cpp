#include "result_memory.hpp"

#include "loop_parts.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

std::shared_ptr<result_memory> result_memory::of(const std::shared_ptr<array_context>& context) {
  return shared_by_arrays(context->results, context);
}

/// Memory of a runtime that has ended is gone with its devices.
void result_memory::give_back() noexcept {
  if (first_ != nullptr && context_->is_alive()) context_->gpus.front().dev->deallocate_pinned(first_);
  first_ = nullptr;
  bytes_ = 0;
}

std::byte* result_memory::room(std::size_t bytes) {
  if (bytes_ >= bytes) return first_;
  give_back();
  const std::size_t some = std::max(bytes, std::size_t{64} << 10);
  try {
    first_ = static_cast<std::byte*>(context_->gpus.front().dev->allocate_pinned(some));
  } catch (const out_of_memory&) {
    return nullptr;
  }
  bytes_ = some;
  return first_;
}

namespace {

void queue(const copy_to_host& what, void* to) {
  queue_copy(what.from, nullptr, {.to = to, .from = what.bytes_at, .bytes = what.bytes});
}

}  // namespace

// All are under way before the first is waited for.
void loop_parts::bring_results(const gpu_unit* from) {
  const auto is_other = [&](const copy_to_host& each) { return from != nullptr && each.from != from; };
  const auto mine = std::ranges::partition(results, is_other);
  if (mine.empty()) return;
  std::size_t bytes = 0;
  for (const copy_to_host& each : mine) bytes += each.bytes;
  std::byte* const room = uses.empty() ? nullptr : result_memory_of_uses().room(bytes);
  std::byte* next = room;
  for (const copy_to_host& each : mine)
    queue(each, room == nullptr ? each.to : std::exchange(next, next + each.bytes));
  wait_for(from == nullptr ? std::span<const gpu_unit>{context.gpus} : std::span{from, 1});
  next = room;
  if (room != nullptr)
    for (const copy_to_host& each : mine)
      std::memcpy(each.to, std::exchange(next, next + each.bytes), each.bytes);
  results.erase(mine.begin(), results.end());
}

/// As long as one of the arrays lives.
result_memory& loop_parts::result_memory_of_uses() const {
  const std::shared_ptr<result_memory> memory = result_memory::of(keeps);
  for (const used_array& use : uses) use.elements->results = memory;
  return *memory;
}

}  // namespace yoke::detail
