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
}

void compiled_steps::finish(unit_work& work, std::vector<unit_work>& to, unit_id unit) {
  if (work.is_empty()) return;
  work.complete(clocks_[static_cast<std::size_t>(unit)]);
  to.push_back(std::move(work));
}

void compiled_steps::make_stage(const stage& from) {
  const std::size_t n = clocks_.size();
  stage_works& made = works_.emplace_back(stage_works{std::vector<std::vector<unit_work>>(n),
                                                      std::vector<std::vector<unit_work>>(n),
                                                      std::vector<std::vector<unit_work>>(n)});
  for (std::size_t u = 0; u < n; ++u) {
    const unit_id unit{static_cast<int>(u)};
    unit_work halos{core_.rt().units().at(unit), "halos"};
    for (const int each : from.exchanged) faces_.at(each).add_filling(halos, unit);
    finish(halos, made.halos[u], unit);
    unit_work border = work_of(from, unit, true);
    for (const int each : from.sent) faces_.at(each).add_sending(border, unit);
    finish(border, made.border[u], unit);
    unit_work others = work_of(from, unit, false);
    finish(others, made.others[u], unit);
  }
}

/// Whether another unit waits for it.
bool compiled_steps::is_border(int zone, const stage& of) const {
  if (of.sent.empty()) return false;
  const unit_id unit = core_.layout().unit_of(zone);
  return std::ranges::any_of(core_.joins(), [&](const zone_join& each) {
    if (each.low_of != zone && each.high_of != zone) return false;
    return core_.layout().unit_of(each.low_of) != unit || core_.layout().unit_of(each.high_of) != unit;
  });
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
  return all;
}

unit_work compiled_steps::work_of(const stage& of, unit_id unit, bool of_border) const {
  std::string names;
  for (const stage_operation& each : of.operations)
    names += (names.empty() ? "" : ", ") + operations_[static_cast<std::size_t>(each.number)].name;
  unit_work made{core_.rt().units().at(unit), std::move(names)};
  for (const stage_operation& each : of.operations) {
    std::vector<zone_memory> zones = batch(each, unit, of_border, of);
    if (zones.empty()) continue;
    made.add_call(operations_[static_cast<std::size_t>(each.number)], std::move(zones));
    for (const storage_use& use : each.uses)
      made.use(core_.storage(use.storage).memory->piece_of(unit),
               use.writes ? flow::role::inout : flow::role::in);
  }
  return made;
}

// Before the first step.

void compiled_steps::tell_one(unit_work work, unit_id unit) {
  if (work.is_empty()) return;
  work.complete(clocks_[static_cast<std::size_t>(unit)]);
  core_.enqueue(unit, work.step());
}

void compiled_steps::send(int storage) {
  for (const compute_unit& each : core_.rt().units().all()) {
    unit_work work{each, "faces"};
    faces_.at(storage).add_sending(work, each.id);
    tell_one(std::move(work), each.id);
  }
}

void compiled_steps::fill(int storage) {
  for (const compute_unit& each : core_.rt().units().all()) {
    unit_work work{each, "halos"};
    faces_.at(storage).add_filling(work, each.id);
    tell_one(std::move(work), each.id);
  }
}

void compiled_steps::prepare(int k) {
  if (k != next_) seen_.clear();  // somebody has swapped fields: what is on its way is for another step
  next_ = (k + 1) % period();
  for (const auto& [storage, faces] : faces_) {
    const long writes = core_.storage(storage).writes;
    const auto seen = seen_.find(storage);
    if (seen != seen_.end() && seen->second == writes) continue;
    const halo_need need = stages_.need_of(storage, k);
    if (need != halo_need::none) send(storage);
    if (need == halo_need::refresh) fill(storage);
    seen_[storage] = writes;
  }
}

void compiled_steps::note_written(int steps) {
  if (steps == 0) return;
  for (const int storage : stages_.storages()) {
    const bool writes =
        std::ranges::any_of(stages_.all(), [&](const stage& each) { return each.writes(storage); });
    if (writes) ++core_.storage(storage).writes;
    if (seen_.contains(storage)) seen_[storage] = core_.storage(storage).writes;
  }
}

// Steps.

const flow::step& compiled_steps::recorded(const unit_work& of, unit_id unit) {
  const auto found = recorded_.find(&of);
  if (found != recorded_.end()) return found->second;
  const bool is_graph = core_.rt().units().at(unit).dev != nullptr && of.is_recordable() && of.launches() > 1;
  const flow::step one[] = {of.step()};
  flow::engine& engine = core_.engine().get();
  return recorded_[&of] = is_graph ? engine.fuse(core_.engine().lane_of(unit), one) : of.step();
}

/// A unit that exchanges nothing with others does a step in one go.
const flow::step& compiled_steps::whole(int k, unit_id unit) {
  const auto found = whole_.find({k, unit});
  if (found != whole_.end()) return found->second;
  std::vector<flow::step> all;
  bool is_recordable = true;
  const auto first = static_cast<std::size_t>(stages_.of_step(k).data() - stages_.all().data());
  for (std::size_t s = first; s < first + stages_.of_step(k).size(); ++s)
    for (const auto* part : {&works_[s].halos, &works_[s].border, &works_[s].others})
      for (const unit_work& each : (*part)[static_cast<std::size_t>(unit)]) {
        all.push_back(each.step());
        is_recordable = is_recordable && each.is_recordable();
      }
  flow::step made;
  if (!all.empty() && (is_recordable || core_.rt().units().at(unit).dev == nullptr))
    made = core_.engine().get().fuse(core_.engine().lane_of(unit), all);
  return whole_[{k, unit}] = std::move(made);
}

void compiled_steps::enqueue(int k, bool is_timed) {
  const auto n = static_cast<int>(clocks_.size());
  std::vector<char> is_told(clocks_.size());
  if (!is_timed)
    for (int u = 0; u < n; ++u) {
      const unit_id unit{u};
      if (!is_alone(unit) || core_.layout().of(unit).empty()) continue;
      const flow::step& all = whole(k, unit);
      if (all.what == nullptr) continue;
      core_.enqueue(unit, all);
      is_told[static_cast<std::size_t>(u)] = 1;
    }
  const auto first = static_cast<std::size_t>(stages_.of_step(k).data() - stages_.all().data());
  for (std::size_t s = first; s < first + stages_.of_step(k).size(); ++s)
    for (const auto* part : {&works_[s].halos, &works_[s].border, &works_[s].others})
      for (int u = 0; u < n; ++u) {
        if (is_told[static_cast<std::size_t>(u)] != 0) continue;
        for (const unit_work& each : (*part)[static_cast<std::size_t>(u)])
          core_.enqueue(unit_id{u}, is_timed ? each.step() : recorded(each, unit_id{u}));
      }
}

void compiled_steps::start_clocks() {
  for (const auto& each : clocks_) each->start();
}

std::vector<seconds> compiled_steps::take_clocks() {
  std::vector<seconds> all;
  for (const auto& each : clocks_) all.push_back(each->take());
  return all;
}

std::size_t compiled_steps::launches(int k, unit_id unit) const {
  std::size_t all = 0;
  const auto first = static_cast<std::size_t>(stages_.of_step(k).data() - stages_.all().data());
  for (std::size_t s = first; s < first + stages_.of_step(k).size(); ++s)
    for (const auto* part : {&works_[s].halos, &works_[s].border, &works_[s].others})
      for (const unit_work& each : (*part)[static_cast<std::size_t>(unit)]) all += each.launches();
  return all;
}

}  // namespace yoke::detail
