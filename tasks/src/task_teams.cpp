// Tasks on several CPU CUs.
#include "task_core.hpp"

#include <chrono>
#include <utility>

namespace yoke::detail {

void unit_team::hold_still() {
  std::unique_lock guard{lock_};
  --n_awaited_;
  changed_.notify_all();
  changed_.wait(guard, [this] { return is_over_; });
}

void unit_team::gather(const std::function<bool()>& have_stopped) {
  constexpr std::chrono::microseconds between_looks{100};
  std::unique_lock guard{lock_};
  while (!changed_.wait_for(guard, between_looks, [this] { return n_awaited_ == 0; }))
    if (have_stopped()) return;
}

void unit_team::let_go() {
  const std::lock_guard guard{lock_};
  is_over_ = true;
  changed_.notify_all();
}

void task_core::gather_units(task_record& one, std::span<const unit_id> units) {
  one.others.assign(units.begin() + 1, units.end());
  std::vector<int> cpus;
  for (const unit_id each : units) {
    const auto& own = rt_.units().at(each).cpus;
    cpus.insert(cpus.end(), own.begin(), own.end());
  }
  const auto& own = rt_.units().at(one.unit).cpus;
  one.team = std::make_shared<unit_team>(std::move(cpus), std::vector<int>{own.begin(), own.end()},
                                         static_cast<int>(one.others.size()));
}

/// Told before the task itself, and by one group at a time: so two tasks stand in the same order on all
/// seats, and none holds one that the other waits for.
void task_core::hold_other_units(const task_record& one, std::span<const flow::completion> after,
                                 std::span<const flow::completion> behind) {
  std::vector<flow::completion> before{after.begin(), after.end()};
  before.insert(before.end(), behind.begin(), behind.end());
  for (const unit_id each : one.others)
    engine_.tell(engine_.lane_of(each), host_space,
                 std::make_shared<flow::plan>(
                     flow::plan{one.name, [team = one.team](const flow::site&) { team->hold_still(); }}),
                 {}, {.behind = before});
}

}  // namespace yoke::detail
