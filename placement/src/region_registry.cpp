#include "region_registry.hpp"

#include "host_range.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/mapped.hpp>

namespace yoke::detail {

namespace {

/// `number`: 0 for a region that is not yet.
std::string call(const region_label& label, std::size_t number) {
  if (!label.purpose.empty()) return label.purpose;
  if (!label.name.empty()) return fmt::format("region '{}'", label.name);
  return number == 0 ? "region" : fmt::format("region {}", number);
}

std::string text_of(const std::string& called, const void* start, std::size_t bytes,
                    std::string_view element) {
  return fmt::format("{} at {} ({} bytes{}{})", called, start, bytes, element.empty() ? "" : " of ", element);
}

}  // namespace

std::string name_of(const new_region& wanted) {
  return text_of(call(wanted.label, 0), wanted.start, wanted.bytes, wanted.label.element);
}

std::string name_of(const region& object) {
  const key start = object.start.load();
  return text_of(object.called, start == nullptr ? object.was_at : start, object.bytes.load(),
                 object.element);
}

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

namespace {

void check_range(const new_region& wanted, bool reserved) {
  const auto refuse = [&](const char* why) {
    throw usage_error{fmt::format("{}: {}", name_of(wanted), why)};
  };
  const auto first = reinterpret_cast<std::uintptr_t>(wanted.start);
  if (wanted.start == nullptr) refuse("a region cannot start at the null pointer");
  if (wanted.bytes == 0) refuse("a region cannot be empty; register at least one byte");
  if (first + wanted.bytes < first) refuse("it goes past the end of the address space");
  if (!reserved && !is_mapped(wanted.start, wanted.bytes))
    refuse("not all of it is memory of this process; a region is memory that exists, its size is in bytes");
}

}  // namespace

void region_registry::set_up(region& object, const new_region& wanted, bool reserved) {
  object.bytes = wanted.bytes;
  object.reserved = reserved;
  object.placement = reserved ? -1 : 0;
  object.at(host_space).address = reserved ? nullptr : const_cast<void*>(wanted.start);
  object.at(host_space).owned = reserved;
  object.of_placed = false;
  object.busy = false;
  object.readable = 0;
  object.element = wanted.label.element;
  object.advice = wanted.label.advice;
  object.was_at = wanted.start;
}

versions::piece region_registry::add_piece(const std::string& called, bool reserved) {
  const auto table = versions_.lock();
  const versions::piece made = table->add(called);
  if (!reserved) table->begin({made, host_space, access::write}, nullptr);
  return made;
}

region& region_registry::add(const new_region& wanted, bool reserved) {
  check_range(wanted, reserved);
  const auto first = reinterpret_cast<std::uintptr_t>(wanted.start);
  const std::lock_guard guard{lock_};
  if (const region* other = overlapping(first, first + wanted.bytes)) {
    throw usage_error{
        fmt::format("{} overlaps {}, which is registered already; unregister that one first, or "
                    "register ranges that do not overlap",
                    name_of(wanted), name_of(*other))};
  }
  auto of_host = guards_ ? std::make_unique<host_guard>(wanted.start, wanted.bytes, reserved) : nullptr;
  index_.reserve_one();
  std::string called = call(wanted.label, n_made_ + 1);
  region& object = unused();
  const versions::piece piece = add_piece(called, reserved);
  try {
    by_start_.emplace(first, &object);
  } catch (...) {
    versions_->remove(piece);
    throw;
  }
  free_.pop_back();
  object.piece = piece;
  set_up(object, wanted, reserved);
  ++n_made_;
  object.called = std::move(called);
  object.guard = std::move(of_host);
  for (int unit = 0; unit < n_gpu_units_; ++unit) object.loans[static_cast<std::size_t>(unit)] = 0;
  object.start.store(wanted.start, std::memory_order_release);
  index_.insert(wanted.start, &object);
  return object;
}

void region_registry::remove(region& object) noexcept {
  const key start = object.start.load();
  const std::lock_guard guard{lock_};
  index_.erase(start);
  by_start_.erase(reinterpret_cast<std::uintptr_t>(start));
  versions_->remove(object.piece);
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

const region* region_registry::nearest(std::uintptr_t address) const {
  const auto behind = by_start_.upper_bound(address);
  if (behind == by_start_.begin()) return behind == by_start_.end() ? nullptr : behind->second;
  const region* const before = std::prev(behind)->second;
  if (behind == by_start_.end()) return before;
  const std::uintptr_t end = std::prev(behind)->first + before->bytes.load();
  return behind->first - address < address - end ? behind->second : before;
}

std::string region_registry::hint_for(key wanted) const {
  const auto address = reinterpret_cast<std::uintptr_t>(wanted);
  if (wanted == nullptr) return "a key is the address that was registered, or that reserve gave";
  if (const region* around = overlapping(address, address + 1))
    return fmt::format("it lies inside {}, whose key is its start address", name_of(*around));
  const auto was_there = [&](const region* each) { return each->was_at == wanted; };
  if (const auto gone = std::ranges::find_if(free_, was_there); gone != free_.end())
    return fmt::format("{} has been unregistered; register it again with register_mem first",
                       name_of(**gone));
  constexpr const char* to_do = "register it with register_mem first";
  const region* const other = nearest(address);
  return other == nullptr ? fmt::format("no region is registered; {}", to_do)
                          : fmt::format("{}; the nearest one is {}", to_do, name_of(*other));
}

void region_registry::unknown(key wanted) const {
  const std::lock_guard guard{lock_};
  throw usage_error{
      fmt::format("{} is not the key of a registered region; {}", fmt::ptr(wanted), hint_for(wanted))};
}

std::string region_registry::name_of_copy_at(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::lock_guard guard{lock_};
  for (const auto& [start, object] : by_start_)
    for (int space = 0; space < n_spaces_; ++space) {
      const auto first = reinterpret_cast<std::uintptr_t>(object->address_in(space_id{space}));
      if (first == 0 || at < first || at - first >= object->bytes.load()) continue;
      return fmt::format("{}, its copy in space {}{}", name_of(*object), space, space == 0 ? " (host)" : "");
    }
  return {};
}

std::vector<region*> region_registry::all() {
  const std::lock_guard guard{lock_};
  std::vector<region*> found;
  for (const auto& [start, object] : by_start_) found.push_back(object);
  return found;
}

}  // namespace yoke::detail
