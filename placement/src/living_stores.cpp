#include "living_stores.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::detail {

namespace {

struct living_stores {
  std::mutex lock;
  std::vector<region_store*> all;
};

living_stores& the_living() noexcept {
  static living_stores* const one = new living_stores;  // a static placed object may end after all others
  return *one;
}

/// Out of line: most keys are those of the current runtime.
[[gnu::noinline]] found_region find_elsewhere(region_store* current, key wanted) {
  living_stores& living = the_living();
  const std::lock_guard guard{living.lock};
  for (region_store* each : living.all) {
    if (region* object = each->regions().try_find(wanted)) return {*each, {object, wanted}};
  }
  if (current != nullptr) current->regions().unknown(wanted);
  throw usage_error{
      fmt::format("{} is not the key of a region, because there is no runtime; make a "
                  "yoke::runtime first and keep it while regions are used",
                  wanted)};
}

}  // namespace

void enrol(region_store& store) {
  living_stores& living = the_living();
  const std::lock_guard guard{living.lock};
  living.all.push_back(&store);
}

void strike_out(const region_store& store) noexcept {
  living_stores& living = the_living();
  const std::lock_guard guard{living.lock};
  std::erase(living.all, &store);
}

found_region find_region(key wanted) {
  refuse_in_forked_child();
  region_table* const table = current_regions().peek();
  region_store* const current = table == nullptr ? nullptr : &store_of(*table);
  if (current != nullptr) {
    if (region* object = current->regions().try_find(wanted)) return {*current, {object, wanted}};
  }
  return find_elsewhere(current, wanted);
}

void check_free_elsewhere(const region_store& store, const void* start, std::size_t bytes) {
  living_stores& living = the_living();
  const std::lock_guard guard{living.lock};
  for (region_store* each : living.all) {
    if (each == &store) continue;
    if (const std::string other = each->regions().name_of_overlapping(start, bytes); !other.empty()) {
      throw usage_error{
          fmt::format("{} overlaps {}, which is registered with another runtime; unregister it there first",
                      name_of(start, bytes), other)};
    }
  }
}

}  // namespace yoke::detail
