// Work of the team: told to whoever does it, and over when that says so.
#include "engine_core.hpp"

#include <algorithm>

namespace yoke::flow {

void engine_core::start_for_team(const work_ptr& what, table_guard& table) {
  const auto& run = *static_cast<const run_of_plan*>(what->plan());
  const auto over = [this, what](const std::exception_ptr& error) {
    table_guard guard{table_lock_};
    end_for_team(what, error);
    guard.unlock();
    start_what_can();
  };
  with_team_.push_back({what});
  table.unlock();
  std::exception_ptr error;
  try {
    const at_work here{*this};
    run.what->run({nullptr, {}, host_space, run.addresses, over});
  } catch (...) {
    error = std::current_exception();
  }
  table.lock();
  if (error != nullptr) end_for_team(what, error);
  has_changed();
}

/// What is over on a lane has nothing before it.
void engine_core::end_for_team(const work_ptr& what, const std::exception_ptr& error) {
  if (error != nullptr) all_.spoil(what, error);
  std::ranges::find(with_team_, what, &work_of_team::what)->is_done = true;
  for (; !with_team_.empty() && with_team_.front().is_done; with_team_.pop_front()) {
    all_.end(with_team_.front().what);
    wake_who_sleeps_for(with_team_.front().what);
  }
  note_ended();
  may_start_ = true;
  has_changed();
}

/// One at a time waits for a queue, or asks what goes on at the host; seats bring their work to its end.
bool engine_core::wait_for_team() {
  table_guard table{table_lock_};
  const work_ptr next = all_.next_of(team());
  if (next == nullptr) return false;
  const versions::mark_ptr first = all_.held_up_by(next);
  if (first != nullptr) {
    if (first->by() != this) return false;
    const lane_id on = static_cast<const work&>(*first).lane();
    if (is_seat(on) || is_team(on) || !is_through(first, table)) return false;
  }
  may_start_ = true;
  table.unlock();
  start_what_can();
  return true;
}

}  // namespace yoke::flow
