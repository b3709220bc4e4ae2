#include "checking_schedule.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>

namespace yoke::detail {

std::span<const task_id> checking_schedule::next(unit_id unit, pass_id pass) {
  const std::span<const task_id> batch = inner_.next(unit, pass);
  const std::lock_guard guard{lock_};
  open_pass* of = find(pass);
  if (of == nullptr) return batch;
  give(*of, unit, pass, batch);
  if (batch.empty() && ++of->units_through == n_units_) {
    const open_pass finished = std::move(*of);
    open_.erase(pass);
    check_complete(finished, pass);
  }
  return batch;
}

checking_schedule::open_pass* checking_schedule::find(pass_id pass) {
  if (pass <= forgotten_) return nullptr;
  open_pass& found = open_[pass];
  if (found.given.empty()) found.given.resize(static_cast<std::size_t>(n_tasks_));
  if (open_.size() <= most_open) return &found;
  forgotten_ = open_.begin()->first;
  open_.erase(open_.begin());
  return pass <= forgotten_ ? nullptr : &found;
}

void checking_schedule::give(open_pass& to, unit_id unit, pass_id pass,
                             std::span<const task_id> batch) const {
  for (const task_id task : batch) {
    if (task < 0 || task >= n_tasks_) continue;
    unit_id& had = to.given[static_cast<std::size_t>(int{task})];
    if (had >= 0) {
      refuse(fmt::format("gave task {} in pass {} to CU {}, and CU {} had been given it already", int{task},
                         pass, int{unit}, int{had}));
    }
    had = unit;
  }
}

void checking_schedule::check_complete(const open_pass& of, pass_id pass) const {
  const auto missing = std::ranges::find_if(of.given, [](unit_id had) { return had < 0; });
  if (missing == of.given.end()) return;
  refuse(fmt::format("gave task {} in pass {} to no CU ({} of {} tasks were given)",
                     missing - of.given.begin(), pass,
                     std::ranges::count_if(of.given, [](unit_id had) { return had >= 0; }), n_tasks_));
}

void checking_schedule::refuse(const std::string& what) const {
  throw usage_error{
      fmt::format("the schedule {}; it must give each task of {} exactly once in every pass ({})", what,
                  loop_, inner_.describe())};
}

}  // namespace yoke::detail
