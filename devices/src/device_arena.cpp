#include <algorithm>
#include <utility>

#include <yoke/device_arena.hpp>

namespace yoke {

device_arena::device_arena(std::shared_ptr<device> whole, const device_request& request)
    : forwarding_device{*whole}, whole_{std::move(whole)}, info_{whole_->info()} {
  info_.name = name_of(request);
  info_.memory /= static_cast<std::size_t>(request.spaces);
}

std::size_t device_arena::memory_free() const {
  const std::size_t of_all = whole_->memory_free();
  const std::lock_guard guard{lock_};
  return std::min(left(), of_all);
}

void* device_arena::allocate(std::size_t bytes) {
  const std::lock_guard guard{lock_};
  if (bytes > left()) return nullptr;
  void* const address = whole_->allocate(bytes);
  if (address == nullptr) return nullptr;
  sizes_[address] = bytes;
  used_ += bytes;
  return address;
}

void device_arena::deallocate(void* address) noexcept {
  const std::lock_guard guard{lock_};
  if (const auto found = sizes_.extract(address)) used_ -= found.mapped();
  whole_->deallocate(address);
}

}  // namespace yoke
