#include "look.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace yoke::scheduling {

namespace {

constexpr seconds never = std::numeric_limits<seconds>::infinity();

}  // namespace

const choice* ready_look::find(seconds now) {
  if (const auto found = find_where_all_are_alike(now)) return *found;
  begin(now);
  if (const choice* const found = first_that_takes()) return found;
  for (const cursor& each : lists_)
    if (const choice* const found = one_behind(*each.list)) return found;
  return ahead_.task == none ? nullptr : &ahead_;
}

/// What the whole look would find where all units are CPU CUs of one class and memory, and all tasks may run
/// on any of them: the first that waits for no other one. Nothing is said where that look is needed.
std::optional<const choice*> ready_look::find_where_all_are_alike(seconds now) {
  const unit_list& list = of_.lists.all().front();
  if (of_.machine.groups().size() != 1 || list.ready.size() != of_.n_ready) return std::nullopt;
  now_ = now;
  for (const ready_task& ready : list.ready.window()) {
    const task_record& task = of_.tasks[ready.record];
    if (of_.time_of(task, 0) == 0) return std::nullopt;
    if (task.n_unended == 0) return take_first_free(ready);
    if (!waits_for_others(task, 0) || of_.data_of(task, 0, now).copies > 0) return std::nullopt;
  }
  if (list.ready.behind_window() > 0) return std::nullopt;
  return nullptr;
}

/// The unit that is through first, if that has room.
std::optional<const choice*> ready_look::take_first_free(const ready_task& ready) {
  std::size_t first = 0;
  seconds free_at = of_.loads.free_at(0, now_);
  for (std::size_t u = 1; u < of_.machine.n_units() && free_at > now_; ++u)
    if (const seconds at = of_.loads.free_at(u, now_); at < free_at) first = u, free_at = at;
  if (!of_.loads.is_free(first)) return std::nullopt;
  const seconds begin = std::max(free_at, of_.data_of(of_.tasks[ready.record], first, now_).at);
  if (begin == never) return std::nullopt;
  return take(found_, ready, static_cast<int>(first), begin);
}

void ready_look::begin(seconds now) {
  now_ = now;
  ahead_.task = none;
  units_.clear();
  lists_.clear();
  for (std::size_t u = 0; u < of_.machine.n_units(); ++u) {
    const seconds free_at = of_.loads.free_at(u, now);
    units_.push_back({free_at, never, of_.loads.is_free(u), free_at});
  }
  for (const unit_list& list : of_.lists.all())
    if (list.ready.size() > 0) open(list);
  held_.clear();
  first_of_.resize(of_.machine.groups().size());
  for (std::size_t group = 0; group < first_of_.size(); ++group) find_first_of(group);
}

/// What waits for units of which none has room takes none, but time of them.
void ready_look::open(const unit_list& list) {
  const bool has_room = std::ranges::any_of(list.units, [&](int u) { return at(u).has_room; });
  if (has_room) return lists_.push_back({&list, 0});
  const seconds each = list.work / static_cast<double>(list.units.size());
  for (const int u : list.units) at(u).free_at = at(u).free_at_first += each;
}

bool ready_look::is_unheld(int unit) const { return at(unit).has_room && at(unit).gap_end == never; }

const choice* ready_look::first_that_takes() {
  const auto is_later = [](const cursor& a, const cursor& b) { return task_at(b).is_before(task_at(a)); };
  open_ = lists_;
  std::ranges::make_heap(open_, is_later);
  while (!open_.empty()) {
    std::ranges::pop_heap(open_, is_later);
    cursor& next = open_.back();
    if (const choice* const found = consider(task_at(next), *next.list)) return found;
    if (++next.at < next.list->ready.window().size())
      std::ranges::push_heap(open_, is_later);
    else
      open_.pop_back();
  }
  return nullptr;
}

/// Where a list has more tasks than were looked at, these are thought to be as those were, and to wait for
/// the same units. Then the least urgent ones that were looked at, which stand for the last of all, may end
/// sooner on a slower unit.
const choice* ready_look::one_behind(const unit_list& list) {
  const auto window = list.ready.window();
  if (list.ready.behind_window() == 0 || list.cpus > 1) return nullptr;
  const double times = static_cast<double>(list.ready.behind_window()) / static_cast<double>(window.size());
  for (const int u : list.units)
    if (const seconds added = at(u).free_at - at(u).free_at_first; added > 0) at(u).free_at += times * added;
  for (std::size_t n = window.size(); n > 0; --n) {
    const ready_task& ready = window[n - 1];
    const offer best = best_offer(of_.tasks[ready.record], list);
    if (best.unit >= 0 && best.is_now && !waits_for_others(of_.tasks[ready.record], best.unit))
      return take(found_, ready, best.unit, best.begin);
  }
  return nullptr;
}

const choice* ready_look::take(choice& into, const ready_task& ready, int unit, seconds when) {
  into.task = ready.record;
  into.units.assign(1, unit);
  into.begin = when < never ? when : now_;
  return &into;
}

const choice* ready_look::consider(const ready_task& ready, const unit_list& list) {
  if (list.cpus > 1) return consider_team(ready, list);
  const task_record& task = of_.tasks[ready.record];
  const offer best = best_offer(task, list);
  if (best.unit < 0) return take_first(ready, list);
  if (best.is_now && !waits_for_others(task, best.unit)) return take(found_, ready, best.unit, best.begin);
  // A CPU CU that has all data gains nothing by waiting; it would be woken by the end of what it waits for,
  // and others that could run on it meanwhile would not.
  const bool gains = !waits_for_others(task, best.unit) || best.copies > 0;
  if (best.is_now && !gains) return nullptr;
  if (best.is_now && ahead_.task == none && is_measured(task, best.unit))
    take(ahead_, ready, best.unit, best.begin);
  hold(best.unit, best.begin, best.end);
  return nullptr;
}

/// A CPU CU, which has room for one, would wait for what the task comes after. So it is bound there only
/// where nobody else has use for the unit.
bool ready_look::waits_for_others(const task_record& task, int unit) const {
  return of_.machine.is_cpu(static_cast<std::size_t>(unit)) && task.n_unended > 0;
}

bool ready_look::is_measured(const task_record& task, int unit) const {
  return of_.times.get(task.kind, of_.machine.class_of(static_cast<std::size_t>(unit))).is_measured;
}

/// Of all units those of a group that nobody holds are alike but for when they are through, so one of them
/// speaks for all.
std::span<const int> ready_look::candidates(const unit_list& list) {
  if (list.units.size() < units_.size()) return list.units;
  candidates_ = held_;
  for (const int first : first_of_)
    if (first >= 0) candidates_.push_back(first);
  return candidates_;
}

/// -1: nothing is known of its time.
ready_look::offer ready_look::best_offer(const task_record& task, const unit_list& list) {
  offer best;
  std::size_t space = of_.machine.n_spaces(), kind = of_.machine.n_units();
  data_arrival data;
  seconds time = 0;
  for (const int u : candidates(list)) {
    const auto unit = static_cast<std::size_t>(u);
    if (of_.machine.class_of(unit) != kind) time = of_.time_of(task, unit);
    kind = of_.machine.class_of(unit);
    if (time == 0) return {};
    if (of_.machine.space_of(unit) != space) data = of_.data_of(task, unit, now_);
    space = of_.machine.space_of(unit);
    const offer next = offer_of(u, time, data);
    if (best.unit < 0 || next.is_better_than(best)) best = next;
  }
  return best;
}

/// Of a unit that a more urgent task holds, the time before that, or after it.
ready_look::offer ready_look::offer_of(int unit, seconds time, const data_arrival& data) const {
  const outlook& of = at(unit);
  const bool fits = of.has_room && data.at + time <= of.gap_end;
  const seconds begin = fits && of.gap_end < never ? data.at : std::max(of.free_at, data.at);
  return {unit, begin, begin + time, data.copies, std::max<seconds>(0, begin - of.free_at), fits};
}

void ready_look::hold(int unit, seconds from, seconds until) {
  if (from == never) return;
  if (at(unit).gap_end == never) held_.push_back(unit);
  at(unit).gap_end = std::min(at(unit).gap_end, from);
  at(unit).free_at = std::max(at(unit).free_at, until);
  const std::size_t group = of_.machine.group_of(static_cast<std::size_t>(unit));
  if (first_of_[group] == unit) find_first_of(group);
}

void ready_look::find_first_of(std::size_t group) {
  int first = -1;
  for (const int u : of_.machine.groups()[group])
    if (at(u).gap_end == never && (first < 0 || at(u).free_at < at(first).free_at)) first = u;
  first_of_[group] = first;
}

/// Of a kind of which nothing is known. Of those that have room one of the class that promises most; while
/// the first of its kind is under way, others do not find out on slower ones how slow these are.
const choice* ready_look::take_first(const ready_task& ready, const unit_list& list) {
  const auto promised = [&](int u) {
    return of_.machine.promised()[of_.machine.class_of(static_cast<std::size_t>(u))];
  };
  const double least = promised(*std::ranges::min_element(list.units, {}, promised));
  const bool is_tried = of_.times.is_tried(of_.tasks[ready.record].kind);
  int best = -1;
  for (const int u : list.units)
    if (is_unheld(u) && (!is_tried || promised(u) == least) && (best < 0 || promised(u) < promised(best)))
      best = u;
  return best < 0 ? nullptr : take(found_, ready, best, at(best).free_at);
}

/// Holds on to the CPU CUs that are through first, from now on: what is bound to them meanwhile, though it
/// should end before, could keep the team from them for ever where times are wrong.
const choice* ready_look::consider_team(const ready_task& ready, const unit_list& list) {
  const task_record& task = of_.tasks[ready.record];
  std::vector<int>& team = found_.units;
  team = list.units;
  std::ranges::sort(team, {}, [&](int u) { return std::pair{at(u).free_at, u}; });
  team.resize(static_cast<std::size_t>(list.cpus));
  const auto first = static_cast<std::size_t>(team.front());
  const seconds time = of_.time_of(task, first);
  found_.task = ready.record;
  const seconds begin = std::max(at(team.back()).free_at, of_.data_of(task, first, now_).at);
  found_.begin = begin < never ? begin : now_;
  if (std::ranges::all_of(team, [&](int u) { return is_unheld(u); })) return &found_;
  for (const int u : team) hold(u, now_, time == 0 ? never : found_.begin + time);
  return nullptr;
}

}  // namespace yoke::scheduling
