#include "binder_state.hpp"

#include <algorithm>
#include <limits>

namespace yoke::scheduling {

namespace {

/// By which a guess may be wrong, as that of known_or_promised_speeds: so much faster a class may be than it
/// is thought, so it is tried once where that would pay.
constexpr double error_of_guess = 3;

}  // namespace

seconds binder_state::time_of(const task_record& task, std::size_t unit) const {
  const std::size_t on = machine.class_of(unit);
  const time_guess guess = times.get(task.kind, on);
  const bool tries = !guess.is_measured && !times.is_tried(task.kind, on);
  return guess.time * task.work / (tries ? error_of_guess : 1);
}

data_arrival binder_state::data_of(const task_record& task, std::size_t unit, seconds now) const {
  data_arrival data{std::max(now, task.ready_at), 0};
  const std::size_t space = machine.space_of(unit);
  for (std::uint32_t use = task.first_use; use != none; use = uses_[use].next) {
    if (!uses_[use].reads) continue;
    const seconds written = pieces.written_at(uses_[use].piece),
                  copy = pieces.copy_time(uses_[use].piece, space);
    data.at = std::max(data.at, copy > 0 ? std::max(now, written) + copy : written);
    data.copies += copy;
  }
  return data;
}

std::uint32_t binder_state::add(const task_request& next) {
  const bool is_anywhere = next.on.empty() && next.cpus == 1;
  const std::uint32_t list =
      is_anywhere ? 0 : lists.number_of(machine.units_for(next.on, next.cpus), next.cpus);
  const std::uint32_t record = tasks.take();
  task_record& task = tasks[record];
  task = {.order = ++n_orders_,
          .work = next.work,
          .own = next.own,
          .priority = next.priority,
          .generation = task.generation + 1,
          .kind = times.number_of(next.kind, next.cpus),
          .list = list,
          .state = task_state::waiting};
  if (machine.n_spaces() > 1) add_uses(task, next.uses);
  ++n_told;
  return record;
}

/// Where there is one memory no piece has to be brought.
void binder_state::add_uses(task_record& task, std::span<const piece_use> uses) {
  for (const piece_use& use : uses) {
    const std::uint32_t link = uses_.take();
    uses_[link] = {pieces.number_of(use.piece, use.bytes), task.first_use, use.reads, use.writes};
    task.first_use = link;
  }
}

void binder_state::come_after(std::uint32_t record, std::uint32_t before) {
  task_record &first = tasks[before], &task = tasks[record];
  const std::uint32_t link = successors_.take();
  successors_[link] = {record, first.first_successor};
  first.first_successor = link;
  ++task.n_unended;
  const bool is_bound = first.is_bound() || first.state == task_state::passed;
  if (is_bound) task.ready_at = std::max(task.ready_at, first.begin + first.time);
  if (!is_bound) ++task.n_unbound;
}

void binder_state::admit(std::uint32_t record) {
  if (tasks[record].n_unbound == 0) make_ready(record);
}

/// On the unit that is fastest for it.
seconds binder_state::least_time(const task_record& task) const {
  if (machine.promised().size() == 1) return times.get(task.kind, 0).time * task.work;
  seconds least = std::numeric_limits<seconds>::infinity();
  for (const int u : lists.all()[task.list].units)
    least = std::min(least, times.get(task.kind, machine.class_of(static_cast<std::size_t>(u))).time);
  return least * task.work;
}

void binder_state::make_ready(std::uint32_t record) {
  task_record& task = tasks[record];
  task.state = task_state::ready;
  task.time = least_time(task);
  unit_list& list = lists[task.list];
  list.work += task.time;
  list.ready.push({task.priority, record, task.order});
  ++n_ready;
  is_settled = false;
}

void binder_state::leave_ready(std::uint32_t record) {
  task_record& task = tasks[record];
  unit_list& list = lists[task.list];
  task.state = task_state::waiting;
  list.ready.remove({task.priority, record, task.order}, [&](const ready_task& other) {
    const task_record& now = tasks[other.record];
    return now.order != other.order || now.state != task_state::ready;
  });
  list.work = list.ready.size() == 0 ? 0 : list.work - task.time;
  --n_ready;
  is_settled = false;
}

void binder_state::bind(std::uint32_t record, std::span<const int> units, seconds begin) {
  leave_ready(record);
  task_record& task = tasks[record];
  const auto first = static_cast<std::size_t>(units.front());
  const std::size_t on = machine.class_of(first);
  const time_guess guess = times.get(task.kind, on);
  task.state = task_state::bound;
  task.unit = units.front();
  task.begin = begin;
  task.time = guess.time * task.work;
  task.tries = !guess.is_measured && !times.is_tried(task.kind, on);
  if (task.tries) times.trying(task.kind, on, 1);
  if (units.size() > 1) teams_[record].assign(units.begin(), units.end());
  for (const int u : units) loads.bind(static_cast<std::size_t>(u), record);
  place_pieces(task, machine.space_of(first), begin + task.time);
  count_bound(record, begin + task.time);
}

void binder_state::place_pieces(const task_record& task, std::size_t space, seconds end) {
  for (std::uint32_t use = task.first_use; use != none; use = uses_[use].next) {
    if (uses_[use].reads) pieces.read(uses_[use].piece, space);
    if (uses_[use].writes) pieces.write(uses_[use].piece, space, end, task.order);
  }
}

/// What comes after it may be bound, and what is cancelled is passed by; without recursion, for that may be a
/// chain of any length.
void binder_state::count_bound(std::uint32_t first, seconds end) {
  std::vector<std::uint32_t> left;
  const auto let_go = [&](std::uint32_t record, seconds at) {
    for (std::uint32_t link = tasks[record].first_successor; link != none; link = successors_[link].next) {
      const std::uint32_t next = successors_[link].task;
      tasks[next].ready_at = std::max(tasks[next].ready_at, at);
      if (--tasks[next].n_unbound > 0) continue;
      if (tasks[next].is_cancelled)
        pass(next, left);
      else
        make_ready(next);
    }
  };
  for (let_go(first, end); !left.empty();) {
    const std::uint32_t next = left.back();
    left.pop_back();
    let_go(next, tasks[next].ready_at);
  }
}

void binder_state::pass(std::uint32_t record, std::vector<std::uint32_t>& left) {
  task_record& task = tasks[record];
  task.state = task_state::passed;
  task.begin = task.ready_at;
  task.time = 0;
  left.push_back(record);
}

void binder_state::cancel(std::uint32_t record) {
  task_record& task = tasks[record];
  is_settled = false;
  if (task.state == task_state::passed) return;
  task.is_cancelled = true;
  if (task.state == task_state::waiting) return;
  leave_ready(record);
  std::vector<std::uint32_t> left;
  pass(record, left);
  count_bound(record, task.ready_at);
  if (task.n_unended == 0) count_ended(record, now_);
}

void binder_state::start(std::uint32_t record, seconds now) {
  tasks[record].state = task_state::running;
  tasks[record].begin = now;
  is_settled = false;
}

void binder_state::end(std::uint32_t record, seconds now) {
  const task_record& task = tasks[record];
  for (std::uint32_t use = task.first_use; use != none; use = uses_[use].next)
    if (uses_[use].writes) pieces.written(uses_[use].piece, now, task.order);
  release(record);
  now_ = now;
  is_settled = false;
  count_ended(record, now);
}

/// It is over, and so is what was cancelled and comes after nothing else.
void binder_state::count_ended(std::uint32_t first, seconds now) {
  std::vector<std::uint32_t>& left = ended_;
  left.assign(1, first);
  while (!left.empty()) {
    const std::uint32_t record = left.back();
    left.pop_back();
    for (std::uint32_t link = tasks[record].first_successor; link != none;) {
      const successor_link here = successors_[link];
      task_record& next = tasks[here.task];
      if (--next.n_unended == 0) next.ready_at = now;
      if (next.n_unended == 0 && next.state == task_state::passed) left.push_back(here.task);
      successors_.give(link);
      link = here.next;
    }
    remove(record);
  }
}

void binder_state::release(std::uint32_t record) {
  const task_record& task = tasks[record];
  const auto first = static_cast<std::size_t>(task.unit);
  if (task.tries) times.trying(task.kind, machine.class_of(first), -1);
  if (teams_.empty()) return loads.release(first, record);
  const auto team = teams_.find(record);
  if (team == teams_.end()) return loads.release(first, record);
  for (const int u : team->second) loads.release(static_cast<std::size_t>(u), record);
  teams_.erase(team);
}

void binder_state::remove(std::uint32_t record) {
  task_record& task = tasks[record];
  for (std::uint32_t use = task.first_use; use != none;) {
    const std::uint32_t next = uses_[use].next;
    uses_.give(use);
    use = next;
  }
  task.state = task_state::over;
  tasks.give(record);
  --n_told;
}

}  // namespace yoke::scheduling
