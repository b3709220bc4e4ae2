#include "locked_regions.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace yoke::detail {

locked_regions::locked_regions(std::vector<wanted_region> wanted, bool at_work) : all{std::move(wanted)} {
  // In order of address, so that two calls which lock the same regions never wait for one another. A write
  // comes before a read of the same.
  std::ranges::sort(all, [](const wanted_region& a, const wanted_region& b) {
    if (a.region.object != b.region.object) return std::less<>{}(a.region.object, b.region.object);
    return a.how > b.how;
  });
  const auto same = [](const wanted_region& a, const wanted_region& b) {
    return a.region.object == b.region.object;
  };
  all.erase(std::ranges::unique(all, same).begin(), all.end());
  lock();
  while (!at_work && unlock_and_wait()) lock();
}

void locked_regions::lock() {
  for (const wanted_region& each : all) locks.push_back(each.store->regions().lock(each.region));
}

/// False where there is nothing to wait for.
bool locked_regions::unlock_and_wait() {
  for (const wanted_region& each : all) {
    const versions::marks others = each.store->others_at(*each.region.object, each.how);
    if (others.size() == 0) continue;
    locks.clear();
    for (const versions::mark_ptr& other : others) each.store->await(other);
    return true;
  }
  return false;
}

}  // namespace yoke::detail
