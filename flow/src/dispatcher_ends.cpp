// What becomes of work that has begun.
#include <algorithm>
#include <utility>

#include <yoke/dispatcher.hpp>
#include <yoke/error.hpp>

namespace yoke::flow {

void dispatcher::run_through(const work_ptr& what, const std::exception_ptr& error) {
  if (!what->is_under_way()) return;
  spoil(what, error);
  for (const work_ptr& each : at(what->lane()).begun) {
    each->has_run_ = true;
    if (each == what) break;
  }
  settle();
}

void dispatcher::spoil(const work_ptr& what, const std::exception_ptr& error) const {
  YOKE_ASSERT(what->has_begun(), "work that has begun");
  if (what->failure_ == nullptr) what->failure_ = error;
}

/// In the order of cause and effect, also where a device is known to be through before that of which it
/// waited.
void dispatcher::settle() {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (lane_state& on : lanes_) {
      while (!on.begun.empty() && on.begun.front()->has_run_ && on.begun.front()->before_.are_over()) {
        work& next = *on.begun.front();
        is_doomed(next) ? next.fail(next.doom_) : next.end();
        if (next.doom_ != nullptr && next.doom_ == next.failure_) failed_.push_back(on.begun.front());
        next.sources_.clear();
        next.before_.clear();
        if (next.says_end_) ended_.push_back(std::move(on.begun.front()));
        on.begun.pop_front();
        goes_on = true;
      }
    }
  }
}

/// Whether what is behind that may run although what that should have waited for is under way: the lane is
/// lost.
bool dispatcher::gives_no_order(const versions::mark& before) const {
  const work* const other = own(before);
  if (other == nullptr) return false;
  const lane_state& of = at(other->lane());
  return of.lost != nullptr &&
         std::ranges::any_of(of.begun, [](const work_ptr& each) { return !each->before_.are_over(); });
}

/// Whether queues that are left have taken work behind such work.
bool dispatcher::has_lost_order() const {
  return std::ranges::any_of(lanes_, [&](const lane_state& on) {
    return on.lost == nullptr && std::ranges::any_of(on.begun, [&](const work_ptr& each) {
             return std::ranges::any_of(
                 each->before_, [&](const versions::mark_ptr& before) { return gives_no_order(*before); });
           });
  });
}

std::vector<versions::piece> dispatcher::lose(space_id memory, const std::exception_ptr& why) {
  std::vector<versions::piece> lost = table_.lose(memory, why);
  for (lane_state& on : lanes_)
    if (on.is.memory == memory) on.lost = why;
  const bool all_may_be_wrong = has_lost_order();
  for (lane_state& on : lanes_) {
    for (auto* const all : {&on.begun, &on.waiting}) {
      for (const work_ptr& each : *all) {
        if ((on.lost == why || all_may_be_wrong) && each->failure_ == nullptr) each->failure_ = why;
        if (on.lost == why && each->has_begun()) each->has_run_ = true;
      }
    }
  }
  settle();
  return lost;
}

}  // namespace yoke::flow
