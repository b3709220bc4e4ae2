// Where memory does not suffice for what was wanted.
#include "zones_core.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace yoke::detail {

bool zones_core::retreat(const out_of_memory& why) {
  const bool is_on_device = std::ranges::any_of(rt_.units().all(), [&](const compute_unit& each) {
    return each.dev != nullptr && !layout_.of(each.id).empty();
  });
  if (!is_on_device || among_ != nullptr || cpu_units().empty()) return false;
  wait();
  move_to(on_cpus());
  if (dealer_ != nullptr) dealer_->hold();
  given_up_ = why.what();
  return true;
}

/// Long ones first, each to whoever ends it first.
zone_layout zones_core::on_cpus() const {
  const std::vector<unit_id> cpus = cpu_units();
  std::vector<int> zones = zones_here();
  std::ranges::sort(zones, {},
                    [&](int zone) { return std::pair{-weights_[static_cast<std::size_t>(zone)], zone}; });
  std::vector<double> ends(cpus.size());
  std::vector<unit_id> map(boxes_.size(), unit_id{-1});
  for (const int zone : zones) {
    const double weight = weights_[static_cast<std::size_t>(zone)];
    const auto end_at = [&](std::size_t i) {
      return ends[i] + weight * times_[static_cast<std::size_t>(int{cpus[i]})];
    };
    const auto best = std::ranges::min(std::views::iota(std::size_t{0}, cpus.size()), {}, end_at);
    ends[best] = end_at(best);
    map[static_cast<std::size_t>(zone)] = cpus[best];
  }
  return {std::move(map), static_cast<int>(times_.size()), cpus.size() > 1 ? cpus : std::vector<unit_id>{}};
}

/// Bytes of each space for fields and for what the program needs beside them: what is free now and what
/// fields have.
std::vector<std::size_t> zones_core::rooms() const {
  constexpr std::size_t kept_back = 16;  // the part for tables, faces, and what the device itself takes
  std::vector<std::size_t> all(rt_.devices().size() + 1);
  for (const compute_unit& each : rt_.units().all()) {
    if (each.dev == nullptr) continue;
    std::size_t& room = all[static_cast<std::size_t>(each.space)];
    if (room == 0) room = each.dev->memory_free();
    for (const zone_storage& of : storages_)
      for (const int zone : layout_.of(each.id))
        if (of.memory != nullptr) room += of.memory->bytes_of(zone);
  }
  for (std::size_t& each : all) each -= each / kept_back;
  return all;
}

}  // namespace yoke::detail
