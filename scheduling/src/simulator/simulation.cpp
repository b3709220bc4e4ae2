#include "simulation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/learner.hpp>
#include <yoke/number_range.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/warm_up.hpp>

namespace yoke::scheduling {

namespace {

/// Passes of a schedule that tells of none beforehand in which all meet, as in NPB-MZ, before they run on.
constexpr pass_id single_passes = 8;

/// Of each task those of the pass before that it needs: itself and those that exchange with it, once each.
std::vector<std::vector<task_id>> needs_of(const workload& work) {
  std::vector<std::vector<task_id>> needs(static_cast<std::size_t>(work.n_tasks));
  for (const edge& e : work.edges) {
    needs[index(e.from)].push_back(e.to);
    needs[index(e.to)].push_back(e.from);
  }
  for (int task = 0; task < work.n_tasks; ++task) {
    std::vector<task_id>& each = needs[static_cast<std::size_t>(task)];
    each.emplace_back(task);
    std::ranges::sort(each);
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return needs;
}

}  // namespace

simulation::simulation(schedule& plan, const workload& work, int n_units, const simulation_rules& rules)
    : plan_{plan}, work_{work}, rules_{rules}, units_(static_cast<std::size_t>(n_units)) {
  check_workload(work);
  int groups = 1;
  for (const int group : rules.groups) groups = std::max(groups, group + 1);
  for (int g = 0; g < groups; ++g) {
    const auto at = static_cast<std::size_t>(g);
    queues_.emplace_back(at < rules.slowdowns.size() ? rules.slowdowns[at] : slowdown{});
  }
  for (std::size_t u = 0; u < units_.size(); ++u)
    units_[u].queue = &queues_[rules.groups.empty() ? 0 : static_cast<std::size_t>(rules.groups[u])];
}

std::vector<simulated_pass> simulation::run(int passes, pass_order order) && {
  if (order == pass_order::dataflow) {
    needs_ = needs_of(work_);
    ended_.resize(needs_.size());
  }
  if (rules_.warms_up) counted_from_ = warm_up(passes, order);
  run_all(counted_from_, counted_from_ + passes, order, counts_since_);
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    if (!started_[p]) continue;  // nobody was there
    passes_[p].begin -= counts_since_;
    passes_[p].end -= counts_since_;
  }
  passes_.erase(passes_.begin(), passes_.begin() + counted_from_);
  return std::move(passes_);
}

seconds simulation::run_all(pass_id pass, pass_id last, pass_order order, seconds start) {
  simulated_pass empty;
  empty.busy.resize(units_.size());
  empty.map.resize(static_cast<std::size_t>(work_.n_tasks));
  passes_.resize(static_cast<std::size_t>(last), empty);
  started_.resize(passes_.size());
  for (pass_id next = 0; pass < last; pass = next) {
    plan_.prepare(pass);
    next = meeting_after(pass, last, order);
    map_ = plan_.plan_of(pass).map;
    const seconds end = run(pass, next, start);
    tell(pass, next - pass, end - start);
    start = end;
  }
  return start;
}

pass_id simulation::meeting_after(pass_id pass, pass_id last, pass_order order) const {
  if (order == pass_order::barrier) return pass + 1;
  if (order == pass_order::overlapping) return last;
  const pass_plan known = plan_.plan_of(pass);
  if (known.is_open()) return pass < single_passes ? pass + 1 : last;
  return std::clamp(known.until, pass + 1, last);
}

/// Nothing is cold here, and warming up takes nobody's time.
pass_id simulation::warm_up(pass_id passes, pass_order order) {
  counted_from_ = pass_plan::for_good;
  yoke::warm_up rule{plan_, passes};
  yoke::warm_up_outcome last;
  std::vector<unit_id> map = map_of(0);
  pass_id pass = 0;
  while (const pass_id next = rule.next(pass, last)) {
    counts_since_ = run_all(pass, pass + next, order, counts_since_);
    pass += next;
    const std::vector<unit_id> before = std::exchange(map, map_of(pass));
    last.map_is_new = map != before;
  }
  if (learner* const of = plan_.learning()) of->time_counts();
  return pass;
}

std::vector<unit_id> simulation::map_of(pass_id pass) const {
  plan_.prepare(pass);
  return plan_.plan_of(pass).map;
}

void simulation::tell(pass_id first, pass_id passes, seconds time) {
  if (learner* const of = plan_.learning()) of->ran(first, passes, time);
}

seconds simulation::run(pass_id first, pass_id last, seconds start) {
  std::ranges::fill(ended_, first - 1);  // all have met
  all_past_ = first;
  for (int u = 0; u < static_cast<int>(units_.size()); ++u) {
    units_[static_cast<std::size_t>(u)].pass = first;
    step(unit_id{u}, start, last);
  }
  start_those_that_wait(start);
  seconds end = start;
  for (work_queue* queue = soonest(); queue != nullptr; queue = soonest()) {
    const auto [now, u] = queue->next();
    queue->pop();
    end = now;
    unit_state& own = units_[static_cast<std::size_t>(u)];
    if (own.has_rest) {
      go_on(unit_id{u}, own, now);
    } else {
      finish(unit_id{u}, own, now);
      step(unit_id{u}, now, last);
    }
    start_those_that_wait(now);
  }
  for (pass_id pass = first; pass < last; ++pass) count_undone(pass);
  return end;
}

work_queue* simulation::soonest() {
  work_queue* best = nullptr;
  for (work_queue& each : queues_)
    if (!each.is_empty() && (best == nullptr || each.next() < best->next())) best = &each;
  return best;
}

void simulation::step(unit_id unit, seconds now, pass_id last) {
  unit_state& own = units_[index(unit)];
  for (; own.pass < last; ++own.pass) {
    if (is_away(unit, own.pass)) continue;
    own.batch = plan_.next(unit, own.pass);
    if (!own.batch.empty()) return hand_out(unit, own, now);
  }
  set_active(own, false, now);
}

void simulation::hand_out(unit_id unit, unit_state& own, seconds now) {
  for (const task_id task : own.batch) take(unit, task, own.pass, pass_of(own.pass).map);
  own.waits = !waits_late(unit, own) && !is_ready(own);
  if (own.waits)
    set_active(own, false, now);
  else
    start(unit, own, now);
}

bool simulation::waits_late(unit_id unit, const unit_state& own) const {
  if (rules_.waits_late.empty() || rules_.waits_late[index(unit)] == 0 || map_.empty()) return false;
  return std::ranges::count(map_, unit) == std::ssize(own.batch);
}

double simulation::part_that_needs_others(unit_id unit, const unit_state& own) {
  const auto is_of_others = [&](task_id task) { return map_[index(task)] != unit; };
  double all = 0, part = 0;
  for (const task_id task : own.batch) {
    all += weight_of(work_, task);
    if (std::ranges::any_of(needs_[index(task)], is_of_others)) part += weight_of(work_, task);
  }
  return part / all;
}

bool simulation::is_ready(const unit_state& own) const {
  const auto has_ended = [&](task_id task) { return ended_[index(task)] >= own.pass - 1; };
  return needs_.empty() || std::ranges::all_of(own.batch, [&](task_id task) {
           return std::ranges::all_of(needs_[index(task)], has_ended);
         });
}

void simulation::start_those_that_wait(seconds now) {
  if (needs_.empty()) return;
  let_go_of_undone();
  for (std::size_t u = 0; u < units_.size(); ++u)
    if (unit_state& own = units_[u]; own.waits && is_ready(own)) {
      const unit_id unit{static_cast<int>(u)};
      own.has_rest ? go_on(unit, own, now) : start(unit, own, now);
    }
}

/// What nobody ran in a pass that all units are past, an absent one would have run.
void simulation::let_go_of_undone() {
  if (!rules_.is_away) return;
  const pass_id behind = std::ranges::min(units_, {}, &unit_state::pass).pass;
  for (; all_past_ < behind; ++all_past_) {
    const std::vector<unit_id>& map = pass_of(all_past_).map;
    for (std::size_t task = 0; task < map.size(); ++task)
      if (map[task] < 0) ended_[task] = std::max(ended_[task], all_past_);
  }
}

/// Of what is infinite or no number no event would be the next one, and passes would never end.
seconds simulation::time_of(unit_id unit, const unit_state& own) const {
  const seconds time = rules_.time(unit, counted(own.pass), own.batch);
  if (detail::batch_times.has(time)) return time;
  throw usage_error{
      fmt::format("a batch of {} tasks takes unit {} {} s in pass {}; {}: scale weights or speeds",
                  own.batch.size(), int{unit}, time, own.pass, detail::batch_times.accepted())};
}

void simulation::start(unit_id unit, unit_state& own, seconds now) {
  if (!std::exchange(started_[static_cast<std::size_t>(own.pass)], true)) pass_of(own.pass).begin = now;
  own.waits = false;
  own.started = now;
  own.waited = 0;
  set_active(own, true, now);
  const seconds time = time_of(unit, own);
  own.has_rest = !is_ready(own);
  own.rest = own.has_rest ? time * part_that_needs_others(unit, own) : 0;
  own.queue->push(now, unit, time - own.rest);
}

void simulation::go_on(unit_id unit, unit_state& own, seconds now) {
  const bool waited = std::exchange(own.waits, !is_ready(own));
  set_active(own, !own.waits, now);
  if (own.waits) {
    own.stopped = now;
    return;
  }
  if (waited) own.waited += now - own.stopped;
  own.has_rest = false;
  own.queue->push(now, unit, own.rest);
}

void simulation::take(unit_id unit, task_id task, pass_id pass, std::vector<unit_id>& map) const {
  if (task < 0 || task >= work_.n_tasks)
    throw usage_error{fmt::format("the schedule gave task {} of {} to unit {} in pass {}: no such task",
                                  int{task}, work_.n_tasks, int{unit}, pass)};
  unit_id& owner = map[index(task)];
  if (owner >= 0)
    throw usage_error{fmt::format("the schedule gave task {} twice in pass {}: to unit {} and to unit {}",
                                  int{task}, pass, int{owner}, int{unit})};
  owner = unit;
}

void simulation::finish(unit_id unit, unit_state& own, seconds now) {
  simulated_pass& pass = pass_of(own.pass);
  pass.end = std::max(pass.end, now);
  const seconds busy = now - own.started - own.waited;
  pass.busy[index(unit)] += busy;
  if (rules_.watcher && own.pass >= counted_from_)
    rules_.watcher({unit, counted(own.pass), own.batch, own.started - counts_since_, now - counts_since_});
  if (!needs_.empty())
    for (const task_id task : own.batch) ended_[index(task)] = std::max(ended_[index(task)], own.pass);
  plan_.done(unit, own.pass, own.batch, busy);
  own.batch = {};
}

void simulation::set_active(unit_state& own, bool active, seconds now) {
  if (std::exchange(own.is_active, active) != active) own.queue->add_active(now, active ? 1 : -1);
}

void simulation::count_undone(pass_id pass) {
  const std::vector<unit_id>& map = pass_of(pass).map;
  const auto missing = std::ranges::find(map, unit_id{});
  if (missing == map.end()) return;
  bool is_excused = false;
  for (int u = 0; u < static_cast<int>(units_.size()); ++u) is_excused |= is_away(unit_id{u}, pass);
  if (!is_excused)
    throw usage_error{
        fmt::format("the schedule gave task {} to no unit in pass {}", missing - map.begin(), pass)};
  pass_of(pass).undone = static_cast<int>(std::ranges::count(map, unit_id{}));
}

}  // namespace yoke::scheduling
