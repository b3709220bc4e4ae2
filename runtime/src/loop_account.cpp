#include "loop_account.hpp"

namespace yoke::detail {

loop_account::loop_account(const workload& work, int n_units)
    : work_{work},
      n_units_{n_units},
      tasks_{std::make_unique<task_record[]>(static_cast<std::size_t>(work.n_tasks))},
      units_{std::make_unique<unit_tally[]>(static_cast<std::size_t>(n_units))},
      samples_{n_units} {}

void loop_account::apportion(std::span<const task_id> batch, seconds time) {
  const double total = weight_of(work_, batch);
  const seconds per_weight = total > 0 ? time / total : 0;
  for (const task_id task : batch) of(task).set_time(per_weight * weight_of(work_, task), batch.size() > 1);
}

void loop_account::keep(unit_id unit, pass_id pass, std::span<const task_id> batch) {
  for (const task_id task : batch)
    samples_.add({task, pass, unit, of(task).time.load(std::memory_order_relaxed), batch.size() > 1});
}

unit_times loop_account::times_of(unit_id unit) const {
  const unit_tally& tally = tally_of(unit);
  return {.tasks = tally.tasks.load(std::memory_order_relaxed),
          .busy = tally.busy.load(std::memory_order_relaxed)};
}

void loop_account::set_busy(unit_id unit, seconds time) {
  tally_of(unit).busy.store(time, std::memory_order_relaxed);
}

long long loop_account::tasks_run() const {
  long long sum = 0;
  for (int unit = 0; unit < n_units_; ++unit) sum += times_of(unit_id{unit}).tasks;
  return sum;
}

void loop_account::reset_times() {
  for (int unit = 0; unit < n_units_; ++unit) {
    tally_of(unit_id{unit}).busy.store(0, std::memory_order_relaxed);
    tally_of(unit_id{unit}).tasks.store(0, std::memory_order_relaxed);
  }
}

}  // namespace yoke::detail
