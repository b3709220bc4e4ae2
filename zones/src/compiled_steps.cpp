#include "compiled_steps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace yoke::detail {

compiled_steps::compiled_steps(zones_core& of, std::span<const zone_operation> operations,
                               std::span<const std::vector<stage_operation>> steps)
    : core_{of}, operations_{operations}, layout_number_{of.layout_number()}, stages_{steps} {
  for (const compute_unit& each : of.rt().units().all())
    clocks_.push_back(std::make_shared<unit_clock>(each.dev));
  for (const stage& each : stages_.all())
    for (const stage_operation& operation : each.operations)
      for (const storage_use& use : operation.uses)
        if (use.reads_halo) faces_.try_emplace(use.storage, of, use.storage);
  for (int unit = 0; unit < std::ssize(clocks_); ++unit)
    is_alone_.push_back(std::ranges::none_of(
        faces_, [&](const auto& each) { return each.second.has_messages(unit_id{unit}); }));
  for (const stage& each : stages_.all()) make_stage(each);
  for (int k = 0; k < period(); ++k) list_parts();
  for (const int storage : stages_.storages())
    if (std::ranges::any_of(stages_.all(), [&](const stage& each) { return each.writes(storage); }))
      written_.push_back(storage);
}

namespace {

template <storage_faces::what What>
storage_faces::what always(int /*storage*/) {
  return What;
}

}  // namespace

template <class Add>
compiled_steps::part compiled_steps::part_of(const std::string& name, const Add& add) const {
  part made{std::vector<std::vector<unit_work>>(clocks_.size())};
  for (const compute_unit& each : core_.rt().units().all()) {
    const auto u = static_cast<std::size_t>(int{each.id});
    unit_work work{each, name, core_.shared(each.id)};
    add(work, each.id);
    if (work.is_empty()) continue;
    work.complete();
    made.works[u].push_back(std::move(work));
  }
  return made;
}

int compiled_steps::rounds_of(std::span<const int> storages) const {
  int most = 0;
  for (const int each : storages) most = std::max(most, faces_.at(each).rounds());
  return most;
}

compiled_steps::part compiled_steps::filling(std::span<const int> storages, int round,
                                             const what_of& of_storage) const {
  return part_of("halos", [&](unit_work& work, unit_id unit) {
    for (const int each : storages)
      if (round < faces_.at(each).rounds()) faces_.at(each).add_filling(work, unit, round, of_storage(each));
  });
}

compiled_steps::part compiled_steps::sending(std::span<const int> storages, int round) const {
  part made = part_of("faces", [&](unit_work& work, unit_id unit) {
    for (const int each : storages)
      if (round < faces_.at(each).rounds()) faces_.at(each).add_sending(work, unit, round);
  });
  add_exchanges(made, storages, round);
  return made;
}

void compiled_steps::add_exchanges(part& to, std::span<const int> storages, int round) const {
  for (const int each : storages)
    if (round < faces_.at(each).rounds())
      if (const flow::step* const next = faces_.at(each).exchange(round)) to.exchanges.push_back(next);
}

void compiled_steps::make_stage(const stage& from) {
  std::vector<part>& made = works_.emplace_back();
  for (int round = 0; round < rounds_of(from.exchanged); ++round) {
    if (round > 0) made.push_back(sending(from.exchanged, round));
    made.push_back(filling(from.exchanged, round, [&](int storage) {
      const bool is_handed = std::ranges::find(from.handed, storage) != from.handed.end();
      return is_handed ? storage_faces::what::not_handed : storage_faces::what::all;
    }));
  }
  std::string names;
  for (const stage_operation& each : from.operations)
    names += (names.empty() ? "" : ", ") + operations_[static_cast<std::size_t>(each.number)].name;
  made.push_back(part_of(names, [&](unit_work& work, unit_id unit) {
    add_zones(work, from, unit, true);
    for (const int each : from.sent)
      if (faces_.at(each).rounds() > 0) faces_.at(each).add_sending(work, unit, 0);
  }));
  add_exchanges(made.back(), from.sent, 0);
  made.push_back(part_of(names, [&](unit_work& work, unit_id unit) { add_zones(work, from, unit, false); }));
  run_beside(made[made.size() - 2], made.back());
}

/// Zones with neighbours elsewhere and the others, of GPU CUs: a device is filled better by both at a time.
/// Only what is launched or prepared for a batch of its own: bodies of call_batch may share memory.
void compiled_steps::run_beside(part& border, part& inner) const {
  border.before_both.resize(clocks_.size());
  inner.after_both.resize(clocks_.size());
  for (const compute_unit& each : core_.rt().units().all()) {
    const auto u = static_cast<std::size_t>(int{each.id});
    if (each.dev == nullptr || border.works[u].empty() || inner.works[u].empty()) continue;
    const unit_work &a = border.works[u].front(), &b = inner.works[u].front();
    if (!a.is_recordable() || !b.is_recordable()) continue;
    flow::step fence{std::make_shared<flow::plan>(flow::plan{"side by side", [](const flow::site&) {}})};
    for (const unit_work* const work : {&a, &b})
      for (const flow::argument& use : work->step().arguments)
        if (use.as == flow::role::inout) flow::add(fence.arguments, use);
    border.before_both[u] = inner.after_both[u] = std::move(fence);
  }
}

/// Whether another unit waits for it.
bool compiled_steps::is_border(int zone, const stage& of) const {
  return !of.sent.empty() && core_.is_border(zone);
}

void compiled_steps::add_neighbours(std::vector<zone_memory>& batch) const {
  std::map<int, int> places;
  for (const zone_memory& each : batch) places.emplace(each.zone, static_cast<int>(places.size()));
  for (const zone_join& join : core_.joins()) {
    const auto a = places.find(join.a.zone), b = places.find(join.b.zone);
    if (a == places.end() || b == places.end() || !join.turn.is_none()) continue;
    const auto put = [&](const zone_end& end, int place, int other) {
      batch[static_cast<std::size_t>(place)]
          .neighbours[static_cast<std::size_t>(2 * end.at.dimension + (end.at.is_high ? 1 : 0))] = other;
    };
    put(join.a, a->second, b->second);
    put(join.b, b->second, a->second);
  }
}

std::vector<zone_memory> compiled_steps::batch(const stage_operation& what, unit_id unit, bool of_border,
                                               const stage& of) const {
  std::vector<zone_memory> all;
  for (const int zone : core_.layout().of(unit)) {
    if (is_border(zone, of) != of_border) continue;
    zone_memory next{zone, core_.boxes()[static_cast<std::size_t>(zone)], {}};
    for (const storage_use& use : what.uses)
      next.fields.push_back(core_.storage(use.storage).memory->at_unit(zone));
    all.push_back(std::move(next));
  }
  if (std::ranges::any_of(what.uses, &storage_use::sends)) add_neighbours(all);
  return all;
}

void compiled_steps::add_zones(unit_work& to, const stage& of, unit_id unit, bool of_border) const {
  for (const stage_operation& each : of.operations) {
    std::vector<zone_memory> zones = batch(each, unit, of_border, of);
    if (zones.empty()) continue;
    to.add_call(operations_[static_cast<std::size_t>(each.number)], std::move(zones));
    for (const storage_use& use : each.uses)
      to.use(core_.storage(use.storage).memory->piece_of(unit),
             use.writes ? flow::role::inout : flow::role::in);
  }
}

// Before the first step.

void compiled_steps::tell(const part& all) {
  for (std::size_t u = 0; u < all.works.size(); ++u)
    for (const unit_work& each : all.works[u]) core_.enqueue(unit_id{static_cast<int>(u)}, each.step());
  for (const flow::step* const each : all.exchanges) core_.exchange(*each);
}

std::vector<char> compiled_steps::stale_before(int k) {
  if (k != next_) seen_.clear();  // somebody has swapped fields: what is on its way is for another step
  next_ = (k + 1) % period();
  std::vector<char> all;
  for (const auto& [storage, faces] : faces_) {
    const auto seen = seen_.find(storage);
    all.resize(static_cast<std::size_t>(storage) + 1);
    all.back() = seen == seen_.end() || seen->second != core_.storage(storage).writes ? 1 : 0;
  }
  return all;
}

void compiled_steps::prepare(int k, std::span<const char> stale) {
  for (const auto& [storage, faces] : faces_) {
    if (stale[static_cast<std::size_t>(storage)] == 0) continue;
    const halo_need need = stages_.need_of(storage, k);
    const int one[] = {storage};
    const int rounds = need == halo_need::none ? 0 : need == halo_need::faces ? 1 : faces.rounds();
    for (int round = 0; round < std::min(rounds, faces.rounds()); ++round) {
      tell(sending(one, round));
      if (need == halo_need::refresh) tell(filling(one, round, always<storage_faces::what::all>));
    }
    if (need == halo_need::faces && stages_.is_handed_after(k, storage) && rounds > 0) {
      tell(filling(one, 0, always<storage_faces::what::within>));
    }
    seen_[storage] = core_.storage(storage).writes;
  }
}

void compiled_steps::note_written() {
  for (const int storage : written_) {
    const long writes = ++core_.storage(storage).writes;
    if (const auto seen = seen_.find(storage); seen != seen_.end()) seen->second = writes;
  }
}

}  // namespace yoke::detail
