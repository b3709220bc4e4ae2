#include "remapping_schedule.hpp"

#include <algorithm>

namespace yoke::scheduling {

void remapping_schedule::remap(pass_id first, assignment shares, cpu_tasks cpus) {
  if (!maps_.empty() && mapped_at() == first) {
    std::erase_if(stretches_, [&](const stretch& one) { return one.by == maps_.back().get(); });
    maps_.pop_back();
  }
  maps_.push_back(std::make_unique<mapped>(first, std::move(shares), cpus, *this));
  stretches_.push_back({.first = first, .by = maps_.back().get()});
}

void remapping_schedule::deal_after_one(int batches, pass_id first) {
  stretch& newest = stretches_.back();
  if (newest.batches == batches) return;
  if (newest.first == first)
    newest.batches = batches;
  else
    stretches_.push_back({.first = first, .by = newest.by, .batches = batches});
}

const remapping_schedule::stretch& remapping_schedule::of_pass(pass_id pass) const {
  auto at = stretches_.rbegin();
  while (at->first > pass) ++at;
  return *at;
}

/// The first pass that has or may have another map, or its shares in other batches.
pass_id remapping_schedule::end_of(pass_id pass) const {
  const auto next = std::ranges::find_if(stretches_, [&](const stretch& one) { return one.first > pass; });
  return next != stretches_.end() ? next->first : std::max(until_, pass + 1);
}

std::span<const task_id> remapping_schedule::next(unit_id unit, pass_id pass) {
  unit_state& own = states_[index(unit)];
  if (pass >= own.until) {
    const std::lock_guard guard{lock_};
    decide_by(pass);
    own = {.in = of_pass(pass), .until = end_of(pass)};
  }
  const auto& [first, by, batches] = own.in;
  const std::span<const task_id> batch =
      batches > 0 ? by->map.next_after_one(unit, pass, batches) : by->map.next(unit, pass);
  if (batch.empty()) finished(unit, earlier_passes(unit, pass));
  return batch;
}

void remapping_schedule::decide_by(pass_id pass) {
  if (pass <= newest_) return;
  newest_ = pass;
  if (pass >= until_) decide(pass);
}

void remapping_schedule::prepare(pass_id pass) {
  const std::lock_guard guard{lock_};
  decide_by(pass);
}

pass_plan remapping_schedule::plan_of(pass_id pass) const {
  const std::lock_guard guard{lock_};
  if (pass >= until_ && pass > newest_) return {};
  const fixed_map& map = of_pass(pass).by->map;
  return {.map = to_map(map.shares(), work_.n_tasks), .until = end_of(pass), .cpus_share = map.is_shared()};
}

}  // namespace yoke::scheduling
