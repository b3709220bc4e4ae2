#include "device_slabs.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace yoke::detail {

device_slabs::~device_slabs() {
  for (const auto& [address, ranges] : slabs_) device_->deallocate(address);
}

void* device_slabs::take_from_slabs(std::size_t bytes) {
  for (auto& [address, ranges] : slabs_)
    if (const std::optional<std::size_t> offset = ranges.take(bytes)) return address + *offset;
  return nullptr;
}

void* device_slabs::allocate_alone(std::size_t bytes) {
  if (void* address = device_->allocate(bytes)) return address;
  const auto spare = std::ranges::find_if(slabs_, is_empty);
  if (spare == slabs_.end()) return nullptr;
  device_->deallocate(spare->first);
  slabs_.erase(spare);
  return device_->allocate(bytes);
}

void* device_slabs::allocate(std::size_t bytes) {
  if (device_->info().emulated) return device_->allocate(bytes);
  const std::lock_guard guard{lock_};
  if (bytes > most_in_slab) return allocate_alone(bytes);
  if (void* address = take_from_slabs(bytes)) return address;
  auto* const address = static_cast<std::byte*>(device_->allocate(slab_bytes));
  if (address == nullptr) return allocate_alone(bytes);
  try {
    slabs_.emplace(address, slab_bytes);
  } catch (...) {
    device_->deallocate(address);
    throw;
  }
  return take_from_slabs(bytes);
}

void device_slabs::deallocate(void* address) noexcept {
  if (address == nullptr || device_->info().emulated) return device_->deallocate(address);
  const std::lock_guard guard{lock_};
  auto* const byte = static_cast<std::byte*>(address);
  const auto after = slabs_.upper_bound(byte);
  if (after == slabs_.begin()) return device_->deallocate(address);
  const auto around = std::prev(after);
  if (byte >= around->first + slab_bytes) return device_->deallocate(address);
  around->second.give_back(static_cast<std::size_t>(byte - around->first));
  if (is_empty(*around) && std::ranges::count_if(slabs_, is_empty) > 1) {
    device_->deallocate(around->first);
    slabs_.erase(around);
  }
}

std::size_t device_slabs::memory_free() const {
  std::size_t bytes = device_->memory_free();
  const std::lock_guard guard{lock_};
  for (const auto& [address, ranges] : slabs_) bytes += ranges.free_bytes();
  return bytes;
}

}  // namespace yoke::detail
