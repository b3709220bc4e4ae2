#include "living_stores.hpp"

#include <fmt/format.h>
#include <mutex>
#include <utility>

#include <yoke/detail/address_namer.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/host_users.hpp>

namespace yoke::detail {

namespace {

/// Linked by region_store::next_living. Needs no memory and no end, as statics of a program may outlive it.
struct living_stores {
  std::mutex lock;
  region_store* first = nullptr;
};
constinit living_stores living;

}  // namespace

namespace {

std::string name_at(const void* address) {
  const std::lock_guard guard{living.lock};
  for (region_store* each = living.first; each != nullptr; each = each->next_living)
    if (std::string found = each->regions().name_of_copy_at(address); !found.empty()) return found;
  return {};
}

}  // namespace

void enrol(region_store& store) {
  set_address_namer(&name_at);
  const std::lock_guard guard{living.lock};
  store.next_living = std::exchange(living.first, &store);
}

void strike_out(const region_store& store) noexcept {
  const std::lock_guard guard{living.lock};
  region_store** at = &living.first;
  while (*at != &store) at = &(*at)->next_living;
  *at = store.next_living;
}

found_region find_elsewhere(region_store* current, key wanted) {
  const std::lock_guard guard{living.lock};
  for (region_store* each = living.first; each != nullptr; each = each->next_living) {
    if (region* object = each->regions().try_find(wanted)) return {*each, {object, wanted}};
  }
  if (current != nullptr) current->regions().unknown(wanted);
  throw usage_error{
      fmt::format("{} is not the key of a region, because there is no runtime; make a "
                  "yoke::runtime first and keep it while regions are used",
                  wanted)};
}

std::string region_that_shares(const shares_bytes& shares) {
  const std::lock_guard guard{living.lock};
  for (region_store* each = living.first; each != nullptr; each = each->next_living)
    if (std::string found = each->regions().name_of_sharing(shares); !found.empty()) return found;
  return {};
}

void check_free_elsewhere(const region_store& store, const new_region& wanted) {
  const std::string user = wanted.bytes == 0 ? std::string{} : name_of_host_user(wanted.start, wanted.bytes);
  if (!user.empty())
    throw usage_error{
        fmt::format("{} is memory of {}, which would not see what happens to the region; let go of it first",
                    name_of(wanted), user)};
  const std::lock_guard guard{living.lock};
  for (region_store* each = living.first; each != nullptr; each = each->next_living) {
    if (each == &store) continue;
    if (const std::string other = each->regions().name_of_overlapping(wanted.start, wanted.bytes);
        !other.empty()) {
      throw usage_error{
          fmt::format("{} overlaps {}, which is registered with another runtime; unregister it there first",
                      name_of(wanted), other)};
    }
  }
}

}  // namespace yoke::detail
