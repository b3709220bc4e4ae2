#include "region_registry.hpp"

#include "host_range.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/mapped.hpp>

namespace yoke::detail {

std::string name_of(const void* start, std::size_t bytes) {
  return fmt::format("region {} ({} bytes)", start, bytes);
}

std::string name_of(const region& object) { return name_of(object.start.load(), object.bytes.load()); }

region* region_registry::overlapping(std::uintptr_t first, std::uintptr_t last) const {
  const auto behind = by_start_.lower_bound(last);
  if (behind == by_start_.begin()) return nullptr;
  region* const before = std::prev(behind)->second;
  return std::prev(behind)->first + before->bytes.load() > first ? before : nullptr;
}

region& region_registry::unused() {
  if (free_.empty()) {
    free_.reserve(pool_.size() + 1);  // so that remove cannot fail
    free_.push_back(&pool_.emplace_back(n_spaces_, n_gpu_units_));
  }
  return *free_.back();
}

region& region_registry::add(const void* start, std::size_t bytes, bool reserved) {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const std::string name = name_of(start, bytes);
  if (start == nullptr) throw usage_error{name + ": a region cannot start at the null pointer"};
  if (bytes == 0) throw usage_error{name + ": a region cannot be empty; register at least one byte"};
  if (first + bytes < first) throw usage_error{name + ": it goes past the end of the address space"};
  if (!reserved && !is_mapped(start, bytes)) {
    throw usage_error{name +
                      ": not all of it is memory of this process; a region is memory that exists, its "
                      "size is in bytes"};
  }
  const std::lock_guard guard{lock_};
  if (const region* other = overlapping(first, first + bytes)) {
    throw usage_error{
        fmt::format("{} overlaps {}, which is registered already; unregister that one first, or "
                    "register ranges that do not overlap",
                    name, name_of(*other))};
  }
  auto of_host = guards_ ? std::make_unique<host_guard>(start, bytes, reserved) : nullptr;
  index_.reserve_one();
  region& object = unused();
  by_start_.emplace(first, &object);
  free_.pop_back();
  object.bytes = bytes;
  object.reserved = reserved;
  object.placement = reserved ? -1 : 0;
  object.at(host_space).address = reserved ? nullptr : const_cast<void*>(start);
  object.at(host_space).owned = reserved;
  for (int space = 0; space < n_spaces_; ++space) object.at(space_id{space}).current = false;
  object.of_placed = false;
  object.guard = std::move(of_host);
  object.busy = false;
  for (int unit = 0; unit < n_gpu_units_; ++unit) object.loans[static_cast<std::size_t>(unit)] = 0;
  object.start.store(start, std::memory_order_release);
  index_.insert(start, &object);
  return object;
}

void region_registry::remove(region& object) noexcept {
  const key start = object.start.load();
  const std::lock_guard guard{lock_};
  index_.erase(start);
  by_start_.erase(reinterpret_cast<std::uintptr_t>(start));
  object.start.store(nullptr, std::memory_order_release);
  free_.push_back(&object);
}

std::unique_lock<std::mutex> region_registry::lock(region_ref of) const {
  refuse_in_forked_child();
  std::unique_lock guard{of.object->lock};
  check(of);
  return guard;
}

std::string region_registry::name_of_overlapping(const void* start, std::size_t bytes) const {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const std::lock_guard guard{lock_};
  const region* found = bytes == 0 || first + bytes < first ? nullptr : overlapping(first, first + bytes);
  return found == nullptr ? std::string{} : name_of(*found);
}

std::string region_registry::name_of_sharing(const shares_bytes& shares) const {
  const std::lock_guard guard{lock_};
  for (const auto& [start, object] : by_start_)
    if (shares(object->start.load(), object->bytes.load())) return name_of(*object);
  return {};
}

region* region_registry::guarded_in(const void* start, std::size_t bytes) const {
  if (!guards_) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const std::lock_guard guard{lock_};
  return overlapping(first, first + bytes);
}

void region_registry::unknown(key wanted) const {
  const auto address = reinterpret_cast<std::uintptr_t>(wanted);
  std::string hint = "register it with register_mem first";
  const std::lock_guard guard{lock_};
  if (const region* around = address == 0 ? nullptr : overlapping(address, address + 1)) {
    hint = fmt::format("it lies inside {}, whose key is its start address", name_of(*around));
  }
  throw usage_error{fmt::format("{} is not the key of a registered region; {}", wanted, hint)};
}

std::vector<region*> region_registry::all() {
  const std::lock_guard guard{lock_};
  std::vector<region*> found;
  for (const auto& [start, object] : by_start_) found.push_back(object);
  return found;
}

}  // namespace yoke::detail
