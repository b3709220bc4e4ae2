// Where zones are, and moving them.
#include "zones_core.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

/// When all joins are known, which some schedules keep together.
void zones_core::lay_out() {
  if (among_ != nullptr) deal_to_ranks();
  const std::vector<int> here = zones_here();
  if (has_choice()) return set_layout(layout_for(*make_dealer()));
  std::vector<unit_id> map(boxes_.size(), unit_id{-1});
  for (const int zone : here) map[static_cast<std::size_t>(zone)] = unit_id{0};
  set_layout({std::move(map), static_cast<int>(times_.size()), {}});
}

std::vector<unit_id> zones_core::cpu_units() const {
  std::vector<unit_id> all;
  for (const compute_unit& each : rt_.units().all())
    if (each.dev == nullptr) all.push_back(each.id);
  return all;
}

zone_layout zones_core::layout_for(const zone_dealer& dealer) const {
  std::vector<unit_id> sharing;
  if (dealer.cpus_share()) sharing = cpu_units();
  if (sharing.size() < 2) sharing.clear();
  return {of_all(dealer.map()), static_cast<int>(times_.size()), std::move(sharing)};
}

int zones_core::batch_of(int zone) const {
  if (!layout_.leads(layout_.unit_of(zone))) return is_border(zone) ? -1 : -2;
  return zone;
}

shared_order zones_core::order_of(std::span<const int> member_of) const {
  shared_order made{std::vector<std::vector<int>>(layout_.sharing.size()),
                    std::vector<std::vector<int>>(boxes_.size())};
  for (int zone = 0; zone < std::ssize(member_of); ++zone)
    if (const int member = member_of[static_cast<std::size_t>(zone)]; member >= 0)
      made.zones_of[static_cast<std::size_t>(member)].push_back(zone);
  for (std::vector<int>& each : made.zones_of)
    std::ranges::sort(each, {},
                      [&](int zone) { return std::pair{-weights_[static_cast<std::size_t>(zone)], zone}; });
  const auto add = [&](int zone, int other) {
    if (member_of[static_cast<std::size_t>(other)] >= 0 && zone != other)
      made.neighbours[static_cast<std::size_t>(zone)].push_back(other);
  };
  for (const zone_join& each : joins_) {
    add(each.a.zone, each.b.zone);
    add(each.b.zone, each.a.zone);
  }
  return made;
}

void zones_core::set_layout(zone_layout next) {
  layout_ = std::move(next);
  is_border_.assign(boxes_.size(), 0);
  for (const zone_join& each : joins_) {
    if (layout_.unit_of(each.a.zone) == layout_.unit_of(each.b.zone)) continue;
    is_border_[static_cast<std::size_t>(each.a.zone)] = is_border_[static_cast<std::size_t>(each.b.zone)] = 1;
  }
  shared_ = nullptr;
  if (layout_.sharing.empty()) return;
  std::vector<const compute_unit*> members;
  for (const unit_id each : layout_.sharing) members.push_back(&rt_.units().at(each));
  shared_zones made{nullptr, {}, weights_};
  for (const unit_id each : layout_.dealt) made.member_of.push_back(layout_.member(each));
  made.pool = std::make_shared<cpu_pool>(std::move(members), order_of(made.member_of));
  shared_ = std::make_shared<const shared_zones>(std::move(made));
  told_ = helped_ = 0;
}

/// When all fields are known, whose bytes some schedules mind.
zone_dealer* zones_core::dealer() {
  if (dealer_ == nullptr && has_choice()) {
    dealer_ = make_dealer();
    follow();
  }
  return dealer_.get();
}

std::unique_ptr<zone_dealer> zones_core::make_dealer() const {
  workload all = work(zones_here());
  all.warms_up = warms_up_;
  all.passes = passes_;
  if (!storages_.empty()) all.room = rooms();
  return std::make_unique<zone_dealer>(
      schedule_.empty() ? rt_.make_loop(std::move(all)) : rt_.make_loop(schedule_, std::move(all)), times_);
}

std::vector<unit_id> zones_core::of_all(std::span<const unit_id> map_of_here) const {
  const std::vector<int> here = zones_here();
  std::vector<unit_id> map(boxes_.size(), unit_id{-1});
  for (std::size_t i = 0; i < here.size(); ++i) map[static_cast<std::size_t>(here[i])] = map_of_here[i];
  return map;
}

void zones_core::follow() {
  zone_layout next = layout_for(*dealer_);
  if (next.dealt == layout_.dealt && next.sharing == layout_.sharing) return;
  try {
    move_to(std::move(next));
    given_up_.clear();
  } catch (const out_of_memory&) {  // both layouts at once do not fit; what there is stays
    dealer_->hold();
  }
}

/// Of these zones, as if there were no others.
workload zones_core::work(const std::vector<int>& zones) const {
  workload made{.n_tasks = static_cast<int>(zones.size())};
  std::vector<int> task_of(boxes_.size(), -1);
  for (const int zone : zones) {
    const zone_box& box = boxes_[static_cast<std::size_t>(zone)];
    task_of[static_cast<std::size_t>(zone)] = static_cast<int>(made.weights.size());
    made.weights.push_back(weights_[static_cast<std::size_t>(zone)]);
    std::size_t bytes = 0;
    for (const zone_storage& of : storages_)
      if (of.memory != nullptr)
        bytes += static_cast<std::size_t>(of.form.elements(box)) * of.form.element.bytes;
    made.bytes.push_back(bytes);
    if (!gpu_bytes_.empty()) made.gpu_bytes.push_back(gpu_bytes_[static_cast<std::size_t>(zone)]);
  }
  for (const zone_join& each : joins_) {
    const task_id a{task_of[static_cast<std::size_t>(each.a.zone)]},
        b{task_of[static_cast<std::size_t>(each.b.zone)]};
    if (a < 0 || b < 0) continue;
    const zone_box& box = boxes_[static_cast<std::size_t>(each.a.zone)];
    const auto points =
        static_cast<std::size_t>(box.points() / box.n[static_cast<std::size_t>(each.a.at.dimension)]);
    made.edges.push_back({a, b, points * sizeof(double)});
    made.edges.push_back({b, a, points * sizeof(double)});
  }
  return made;
}

void zones_core::move_to(zone_layout next) {
  std::vector<std::unique_ptr<field_memory>> made(storages_.size());
  for (std::size_t s = 0; s < storages_.size(); ++s)
    if (const zone_storage& of = storages_[s]; of.memory != nullptr)
      made[s] = std::make_unique<field_memory>(rt_, *of.memory, next);
  for (std::size_t s = 0; s < storages_.size(); ++s) {
    if (made[s] != nullptr) storages_[s].memory = std::move(made[s]);
    ++storages_[s].writes;
  }
  set_layout(std::move(next));
  ++layout_number_;
}

}  // namespace yoke::detail
