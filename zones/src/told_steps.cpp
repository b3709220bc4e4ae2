// How steps are told to the engine.
#include "compiled_steps.hpp"

#include <memory>
#include <utility>

namespace yoke::detail {

namespace {

/// Steps that are told together: a step of nothing but microseconds must not cost as much to tell.
constexpr int most_put_off = 32;

}  // namespace

const flow::step& compiled_steps::recorded(const unit_work& of, unit_id unit, int queue) {
  const auto found = recorded_.find(&of);
  if (found != recorded_.end()) return found->second;
  const bool is_graph =
      core_.rt().units().at(unit).dev != nullptr && of.is_recordable() && of.has_many_launches();
  const flow::step one[] = {of.step()};
  flow::engine& engine = core_.engine().get();
  return recorded_[&of] = is_graph ? engine.fuse(core_.engine().lane_of(unit, queue), one) : of.step();
}

/// Of two that run side by side none writes what the other uses, in pieces that both have: to the engine they
/// read them, and what comes before both and after both has written them. So both come after who read them
/// before, and who reads them then comes after both.
const flow::step& compiled_steps::recorded_beside(const unit_work& of, unit_id unit, int queue) {
  const auto found = beside_.find(&of);
  if (found != beside_.end()) return found->second;
  flow::step made = recorded(of, unit, queue);
  for (flow::argument& use : made.arguments)
    if (use.as == flow::role::inout) use.as = flow::role::in;
  return beside_[&of] = std::move(made);
}

void compiled_steps::list_parts() {
  const int k = static_cast<int>(parts_.size());
  std::vector<const part*>& all = parts_.emplace_back();
  const auto first = static_cast<std::size_t>(stages_.of_step(k).data() - stages_.all().data());
  for (std::size_t s = first; s < first + stages_.of_step(k).size(); ++s)
    for (const part& each : works_[s]) all.push_back(&each);
}

/// A unit that exchanges nothing with others does a step in one go.
const flow::step& compiled_steps::whole(int k, unit_id unit) {
  const auto found = whole_.find({k, unit});
  if (found != whole_.end()) return found->second;
  std::vector<flow::step> all;
  bool is_recordable = true;
  for (const part* const each : parts_of(k))
    for (const unit_work& work : each->works[static_cast<std::size_t>(unit)]) {
      all.push_back(work.step());
      is_recordable = is_recordable && work.is_recordable();
    }
  flow::step made;
  if (!all.empty() && (is_recordable || core_.rt().units().at(unit).dev == nullptr))
    made = core_.engine().get().fuse(core_.engine().lane_of(unit), all);
  return whole_[{k, unit}] = std::move(made);
}

void compiled_steps::tell(unit_id unit, const flow::step& next, bool is_timed) {
  core_.enqueue(unit,
                is_timed ? unit_clock::timed(next, clocks_[static_cast<std::size_t>(int{unit})]) : next);
}

/// One after the other, or the first or second of two that run side by side.
void compiled_steps::tell(const part& of, unit_id unit, bool is_timed) {
  const auto u = static_cast<std::size_t>(int{unit});
  const bool is_first = !of.before_both.empty() && of.before_both[u].what != nullptr;
  const bool is_second = !of.after_both.empty() && of.after_both[u].what != nullptr;
  if (is_first || is_second) return tell_beside(of, unit, is_timed);
  for (const unit_work& work : of.works[u]) tell(unit, recorded(work, unit, 0), is_timed);
}

void compiled_steps::tell_beside(const part& of, unit_id unit, bool is_timed) {
  constexpr int queue_of_second = 1;  // a device begins with what it is given first
  const auto u = static_cast<std::size_t>(int{unit});
  const auto timed = [&](const flow::step& next, unit_clock::end which) {
    return is_timed ? unit_clock::timed(next, clocks_[u], which) : next;
  };
  const unit_work& work = of.works[u].front();
  if (of.after_both.empty()) {
    core_.enqueue(unit, of.before_both[u]);
    first_[u] = core_.enqueue(unit, timed(recorded_beside(work, unit, 0), unit_clock::end::first));
    return;
  }
  const flow::completion both[] = {
      std::exchange(first_[u], {}),
      core_.enqueue(unit, recorded_beside(work, unit, queue_of_second), queue_of_second)};
  core_.enqueue(unit, timed(of.after_both[u], unit_clock::end::last), 0, both);
}

void compiled_steps::put_off(int k, unit_id unit) {
  for (const part* const each : parts_of(k))
    for (const unit_work& work : each->works[static_cast<std::size_t>(unit)]) {
      const auto launches = work.shared_launches();
      put_off_.launches.insert(put_off_.launches.end(), launches.begin(), launches.end());
      if (put_off_.n < period())
        for (const flow::argument& use : work.step().arguments) flow::add(put_off_.arguments, use);
    }
  ++put_off_.n;
}

void compiled_steps::tell_put_off(unit_id unit) {
  put_off_steps all = std::exchange(put_off_, {});
  if (all.launches.empty()) return;
  // Plans keep the tables of their launches.
  std::vector<std::shared_ptr<const flow::plan>> kept;
  for (const auto& parts : parts_)
    for (const part* const each : parts)
      for (const unit_work& work : each->works[static_cast<std::size_t>(unit)])
        kept.push_back(work.step().what);
  auto run = [pool = core_.shared(unit)->pool, launches = std::move(all.launches),
              kept = std::move(kept)](const flow::site& at) { pool->begin({launches, at.over}); };
  core_.enqueue(
      unit, {std::make_shared<flow::plan>(flow::plan{"steps", std::move(run)}), std::move(all.arguments)});
}

void compiled_steps::enqueue(int k, bool is_timed, bool is_last) {
  std::vector<char> is_told(clocks_.size());
  first_.resize(clocks_.size());
  for (int u = 0; u < std::ssize(clocks_); ++u) {
    const unit_id unit{u};
    if (!is_alone(unit) || core_.layout().of(unit).empty()) continue;
    if (core_.shared(unit) != nullptr) {
      put_off(k, unit);
      if (is_last || put_off_.n >= most_put_off) tell_put_off(unit);
      is_told[static_cast<std::size_t>(u)] = 1;
      continue;
    }
    const flow::step& all = whole(k, unit);
    if (all.what == nullptr) continue;
    tell(unit, all, is_timed);
    is_told[static_cast<std::size_t>(u)] = 1;
  }
  for (const part* const each : parts_of(k)) {
    for (std::size_t u = 0; u < clocks_.size(); ++u) {
      if (is_told[u] != 0) continue;
      tell(*each, unit_id{static_cast<int>(u)}, is_timed);
    }
    for (const flow::step* const next : each->exchanges) core_.exchange(*next);
  }
  core_.send_help();
}

void compiled_steps::start_clocks() {
  for (const auto& each : clocks_) each->start();
}

std::vector<seconds> compiled_steps::take_clocks() {
  std::vector<seconds> all;
  for (const auto& each : clocks_) all.push_back(each->take());
  return all;
}

std::size_t compiled_steps::launches(int k, unit_id unit) const {
  std::size_t all = 0;
  for (const part* const each : parts_of(k))
    for (const unit_work& work : each->works[static_cast<std::size_t>(unit)]) all += work.launches();
  return all;
}

}  // namespace yoke::detail
