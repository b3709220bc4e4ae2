#include "resident_tasks.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

assignment on_cpus_first(const workload& work, std::span<const unit> units) {
  std::vector<std::size_t> owners = units_of(unit_kind::cpu, units);
  if (owners.empty()) return even_split(work.n_tasks, static_cast<int>(units.size()));
  assignment shares(units.size());
  shares[owners.front()] = all_tasks(work.n_tasks);
  return shares;
}

}  // namespace

resident_tasks::resident_tasks(const workload& work, std::span<const unit> units,
                               std::string_view schedule_name)
    : homes_{to_map(fit_into_memory(on_cpus_first(work, units), work, units, schedule_name), work.n_tasks)},
      limits_{work, units},
      tasks_(homes_.size()),
      units_(units.size()) {
  for (const unit& each : units) spaces_.push_back(each.space);
  for (std::size_t t = 0; t < homes_.size(); ++t) {
    tasks_[t].at = homes_[t];
    limits_.take(task_id{static_cast<int>(t)}, homes_[t]);
  }
}

std::span<const task_id> resident_tasks::take(unit_id unit, pass_id pass,
                                              const std::function<int(int)>& size_of) {
  const std::lock_guard guard{lock_};
  give_back(unit);
  const auto remaining =
      std::ranges::count_if(tasks_, [&](const task_state& task) { return task.pass < pass; });
  if (remaining == 0) return {};
  const auto size = static_cast<std::size_t>(size_of(static_cast<int>(remaining)));
  for (const bool of_own_space : {true, false}) add(unit, pass, size, of_own_space);
  return units_[index(unit)].batch;
}

void resident_tasks::add(unit_id unit, pass_id pass, std::size_t size, bool of_own_space) {
  unit_state& own = units_[index(unit)];
  for (std::size_t t = 0; t < tasks_.size() && own.batch.size() < size; ++t) {
    task_state& state = tasks_[t];
    const task_id task{static_cast<int>(t)};
    if (state.pass != pass - 1 || is_in_space_of(unit, state) != of_own_space) continue;
    if (!of_own_space && !limits_.fits(task, unit)) continue;
    if (!of_own_space) limits_.take(task, unit);
    own.batch.push_back(task);
    own.left.push_back(state.at);
    state = {of_own_space ? state.at : unit, pass};
  }
}

void resident_tasks::done(unit_id unit) {
  const std::lock_guard guard{lock_};
  give_back(unit);
}

/// The room of what has left another space for this unit's batch.
void resident_tasks::give_back(unit_id unit) {
  unit_state& own = units_[index(unit)];
  for (std::size_t i = 0; i < own.batch.size(); ++i)
    if (spaces_[index(own.left[i])] != spaces_[index(unit)]) limits_.give_back(own.batch[i], own.left[i]);
  own.batch.clear();
  own.left.clear();
}

}  // namespace yoke::scheduling
