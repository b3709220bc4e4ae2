#include "unit_loads.hpp"

#include <algorithm>
#include <limits>

namespace yoke::scheduling {

namespace {

constexpr seconds unknown_end = std::numeric_limits<seconds>::infinity();

/// One that is late is thought to be as late again: who waits for it would else wait for ever.
seconds time_left(const task_record& task, seconds now) {
  if (task.time == 0) return unknown_end;
  if (task.state != task_state::running) return task.time;
  const seconds left = task.begin + task.time - now;
  return left >= 0 ? left : -left;
}

}  // namespace

void unit_loads::bind(std::size_t unit, std::uint32_t task) {
  bound_[unit].push_back(task);
  if (!is_free(unit)) --n_free_;
}

void unit_loads::release(std::size_t unit, std::uint32_t task) {
  if (!is_free(unit)) ++n_free_;
  std::erase(bound_[unit], task);
}

/// A GPU CU runs what can run, so that what is late there keeps nobody else from it; a CPU CU waits.
seconds unit_loads::free_at(std::size_t unit, seconds now) const {
  seconds at = now;
  for (const std::uint32_t number : bound_[unit]) {
    const task_record& task = tasks_[number];
    const bool waits = machine_.is_cpu(unit) && task.state == task_state::bound;
    at = (waits ? std::max(at, task.begin) : at) + time_left(task, now);
  }
  return at;
}

}  // namespace yoke::scheduling
