#include "binder_driver.hpp"

#include <set>

namespace binder_driver {

int watched::tell(task next, std::span<const piece_use> uses) {
  std::vector<told_task> after;
  for (const int before : next.after) after.push_back(tasks[static_cast<std::size_t>(before)].name);
  next.name = binder.tell({.kind = next.kind,
                           .priority = next.priority,
                           .cpus = next.cpus,
                           .on = next.on,
                           .after = after,
                           .uses = uses});
  numbers_[next.name] = static_cast<int>(tasks.size());
  tasks.push_back(std::move(next));
  return static_cast<int>(tasks.size()) - 1;
}

/// Of a cancelled task, once all before it is.
bool watched::has_passed(int number) const {
  const task& of = tasks[static_cast<std::size_t>(number)];
  if (!of.is_cancelled) return of.is_over;
  return std::ranges::all_of(of.after, [&](int before) { return has_passed(before); });
}

void watched::check(const task_binding& bound, task& of) {
  expect(!of.is_bound && !of.is_over && !of.is_cancelled, "bound twice, or when it was over");
  for (const int before : of.after) {
    const task& first = tasks[static_cast<std::size_t>(before)];
    expect(first.is_bound || first.is_over || first.is_cancelled, "bound before what it comes after");
  }
  expect(static_cast<int>(bound.units.size()) == of.cpus, "as many units as it asked for");
  expect(std::set(bound.units.begin(), bound.units.end()).size() == bound.units.size(), "units twice");
  expect(bound.begin >= now && bound.end >= bound.begin, "a time that has gone");
  for (const unit_id unit : bound.units) {
    expect(of.on.empty() || std::ranges::count(of.on, unit) == 1, "a unit that is not on its list");
    expect(++bound_[static_cast<std::size_t>(int{unit})] <= room_of(unit), "more than there is room for");
    expect(binder.is_free(unit) == (bound_[static_cast<std::size_t>(int{unit})] < room_of(unit)), "is_free");
  }
}

void watched::bind_all() {
  while (const auto bound = binder.bind_next(now)) {
    task& of = tasks[static_cast<std::size_t>(numbers_.at(bound->task))];
    check(*bound, of);
    of.is_bound = true;
    of.units.assign(bound->units.begin(), bound->units.end());
    order_of_binding.push_back(numbers_.at(bound->task));
  }
  const bool is_busy = std::ranges::any_of(tasks, [](const task& t) { return t.is_bound && !t.is_over; });
  expect(binder.n_ready() == 0 || is_busy, "tasks are ready, and nothing is bound");
}

bool watched::may_start(int number) const {
  const task& of = tasks[static_cast<std::size_t>(number)];
  return of.is_bound && !of.is_over &&
         std::ranges::all_of(of.after, [&](int before) { return has_passed(before); });
}

void watched::end(int number, bool fails) {
  task& of = tasks[static_cast<std::size_t>(number)];
  const seconds time = of.units.front() < unit_id{1} ? 2e-3 : 1e-3;
  binder.started(of.name, now);
  now += time / 3;
  if (fails)
    binder.failed(of.name, now);
  else
    binder.ended(of.name, now, time);
  of.is_over = true;
  for (const unit_id unit : of.units) --bound_[static_cast<std::size_t>(int{unit})];
}

int watched::any_startable(generator& rng) const {
  std::vector<int> all;
  for (int t = 0; t < static_cast<int>(tasks.size()); ++t)
    if (may_start(t)) all.push_back(t);
  return all.empty() ? -1 : all[static_cast<std::size_t>(between(rng, 0, static_cast<int>(all.size()) - 1))];
}

}  // namespace binder_driver
