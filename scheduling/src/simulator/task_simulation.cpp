#include "task_simulation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace yoke::scheduling {

namespace {

constexpr seconds not_yet = std::numeric_limits<seconds>::infinity();

}  // namespace

task_run task_simulation::run(const std::vector<planned_task>& planned) {
  is_planned_ = !planned.empty();
  tell_all(planned);
  bind_all();
  while (!events_.empty()) {
    now_ = events_.top().at;
    while (!events_.empty() && events_.top().at == now_) {
      const event next = events_.top();
      events_.pop();
      if (next.ends) end(next.task);
    }
    start_what_can();
    bind_all();
  }
  std::ranges::sort(result_.tasks, {},
                    [](const planned_task& each) { return std::pair{each.begin, each.task}; });
  return std::move(result_);
}

void task_simulation::tell_all(const std::vector<planned_task>& planned) {
  for (const planned_task& each : planned) tell(each.task, each.units);
  for (int t = 0; planned.empty() && t < static_cast<int>(graph_.n_tasks()); ++t)
    tell(t, graph_.task(static_cast<std::size_t>(t)).on);
}

/// A CPU CU takes its tasks in the order of the plan: one that is ready early could keep a critical one
/// waiting.
std::vector<int> task_simulation::before_in_plan(int number, std::span<const unit_id> on) {
  std::vector<int> before = graph_.task(static_cast<std::size_t>(number)).after;
  for (const unit_id each : on) {
    const auto unit = static_cast<std::size_t>(int{each});
    if (!graph_.machine().is_cpu(unit)) continue;
    if (last_planned_[unit] >= 0) before.push_back(last_planned_[unit]);
    last_planned_[unit] = number;
  }
  return before;
}

void task_simulation::tell(int number, std::span<const unit_id> on) {
  const recorded_task& of = graph_.task(static_cast<std::size_t>(number));
  task& next = tasks_[static_cast<std::size_t>(number)];
  std::vector<told_task> after;
  for (const int before : is_planned_ ? before_in_plan(number, on) : of.after) {
    task& first = tasks_[static_cast<std::size_t>(before)];
    after.push_back(first.told);
    first.before_of.push_back(number);
  }
  next.left = after.size();
  next.told = binder_.tell({.kind = of.kind,
                            .work = of.work,
                            .priority = of.priority,
                            .cpus = of.cpus,
                            .on = on,
                            .after = after,
                            .uses = of.uses});
  by_told_[static_cast<std::uint64_t>(next.told)] = number;
}

void task_simulation::bind_all() {
  while (const auto bound = binder_.bind_next(now_)) {
    const int number = by_told_.at(static_cast<std::uint64_t>(bound->task));
    task& next = tasks_[static_cast<std::size_t>(number)];
    next.units.assign(bound->units.begin(), bound->units.end());
    next.bound_at = now_;
    for (const unit_id unit : next.units) units_[static_cast<std::size_t>(int{unit})].bound.push_back(number);
    if (next.left == 0) bring_data(number);
  }
}

std::vector<seconds>& task_simulation::places_of(std::uint64_t piece) {
  const auto [at, is_new] = pieces_.try_emplace(piece, graph_.machine().n_spaces(), not_yet);
  if (is_new) at->second[0] = 0;
  return at->second;
}

seconds task_simulation::arrival(const piece_use& use, std::size_t space, seconds asked) {
  std::vector<seconds>& of = places_of(use.piece);
  if (of[space] < not_yet) return of[space];
  for (std::size_t from = 0; from < of.size(); ++from)
    if (of[from] < not_yet)
      of[space] = std::min(of[space],
                           std::max(asked, of[from]) + graph_.machine().way(from, space).time_of(use.bytes));
  result_.copied += use.bytes;
  return of[space];
}

/// All that it comes after has ended. Where a plan says who reads a piece, it goes there when it is written.
void task_simulation::bring_data(int number) {
  task& next = tasks_[static_cast<std::size_t>(number)];
  const std::size_t space = graph_.machine().space_of(static_cast<std::size_t>(int{next.units.front()}));
  next.data_at = now_;
  for (const piece_use& use : graph_.task(static_cast<std::size_t>(number)).uses)
    if (use.reads)
      next.data_at = std::max(next.data_at, arrival(use, space, is_planned_ ? 0 : next.bound_at));
  events_.push({next.data_at, number, false});
}

bool task_simulation::can_start(int number) const {
  const task& of = tasks_[static_cast<std::size_t>(number)];
  return of.left == 0 && of.data_at <= now_ && std::ranges::none_of(of.units, [&](unit_id u) {
           return units_[static_cast<std::size_t>(int{u})].is_busy;
         });
}

void task_simulation::start_what_can() {
  for (unit_state& unit : units_) {
    if (unit.is_busy) continue;
    const auto next = std::ranges::find_if(unit.bound, [&](int number) { return can_start(number); });
    if (next != unit.bound.end()) start(*next);
  }
}

void task_simulation::start(int number) {
  task& of = tasks_[static_cast<std::size_t>(number)];
  of.begin = now_;
  binder_.started(of.told, now_);
  for (const unit_id u : of.units) {
    unit_state& unit = units_[static_cast<std::size_t>(int{u})];
    unit.is_busy = true;
    std::erase(unit.bound, number);
  }
  events_.push({now_ + graph_.time(static_cast<std::size_t>(number), of.units.front()), number, true});
}

void task_simulation::end(int number) {
  const task& of = tasks_[static_cast<std::size_t>(number)];
  const recorded_task& is = graph_.task(static_cast<std::size_t>(number));
  for (const unit_id u : of.units) units_[static_cast<std::size_t>(int{u})].is_busy = false;
  const std::size_t space = graph_.machine().space_of(static_cast<std::size_t>(int{of.units.front()}));
  for (const piece_use& use : is.uses)
    if (use.writes) {
      places_of(use.piece).assign(graph_.machine().n_spaces(), not_yet);
      places_of(use.piece)[space] = now_;
    }
  binder_.ended(of.told, now_, now_ - of.begin);
  result_.makespan = now_;
  result_.tasks.push_back({number, of.units, of.begin, now_});
  for (const int after : of.before_of) {
    task& next = tasks_[static_cast<std::size_t>(after)];
    if (--next.left == 0 && next.bound_at >= 0) bring_data(after);
  }
}

}  // namespace yoke::scheduling
