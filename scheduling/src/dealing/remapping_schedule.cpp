#include "remapping_schedule.hpp"

#include <algorithm>

namespace yoke::scheduling {

void remapping_schedule::remap(pass_id first, assignment shares, cpu_tasks cpus) {
  if (!stretches_.empty() && mapped_at() == first) stretches_.pop_back();
  stretches_.push_back(std::make_unique<stretch>(first, std::move(shares), cpus, *this));
}

remapping_schedule::stretch& remapping_schedule::of_pass(pass_id pass) const {
  auto at = stretches_.rbegin();
  while ((*at)->first > pass) ++at;
  return **at;
}

int remapping_schedule::batches_in(pass_id pass) const {
  auto at = dealt_.rbegin();
  while (at->first > pass) ++at;
  return at->batches;
}

/// The first pass that has or may have another map, or its shares in other pieces.
pass_id remapping_schedule::end_of(pass_id pass) const {
  const auto map = std::ranges::find_if(stretches_, [&](const auto& one) { return one->first > pass; });
  const auto cut = std::ranges::find_if(dealt_, [&](const dealing& one) { return one.first > pass; });
  pass_id end =
      map == stretches_.end() && cut == dealt_.end() ? std::max(until_, pass + 1) : pass_plan::for_good;
  if (map != stretches_.end()) end = (*map)->first;
  if (cut != dealt_.end()) end = std::min(end, cut->first);
  return end;
}

std::span<const task_id> remapping_schedule::next(unit_id unit, pass_id pass) {
  unit_state& own = states_[index(unit)];
  if (pass >= own.until) {
    const std::lock_guard guard{lock_};
    decide_by(pass);
    own = {.in = &of_pass(pass), .until = end_of(pass), .batches = batches_in(pass)};
  }
  fixed_map& map = own.in->map;
  const std::span<const task_id> batch =
      own.batches > 0 ? map.next_after_one(unit, pass, own.batches) : map.next(unit, pass);
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
  const fixed_map& map = of_pass(pass).map;
  return {.map = to_map(map.shares(), work_.n_tasks), .until = end_of(pass), .cpus_share = map.is_shared()};
}

}  // namespace yoke::scheduling
