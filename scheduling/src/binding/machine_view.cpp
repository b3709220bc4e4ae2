#include "machine_view.hpp"

#include "../maps/assignment.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

/// As many streams as a GPU CU has.
constexpr int gpu_room = 4;
/// What memories are bits of one word of.
constexpr int most_spaces = 64;

bool are_alike(const unit& a, const unit& b) {
  return a.kind == b.kind && a.cpus == b.cpus && a.processors == b.processors;
}

/// In the time of one CPU.
double promised_time(const unit& one, std::span<const unit> all) {
  return one.kind == unit_kind::cpu ? 1.0 / one.cpus : 1.0 / promised_pcf(all);
}

void check(const link_speed& speed, std::size_t at) {
  for (const double value : {speed.bandwidth, speed.latency})
    if (!detail::amounts_or_none.has(value))
      throw usage_error{fmt::format("task_machine::ways[{}]: {}; a bandwidth and a latency are {}", at, value,
                                    detail::amounts_or_none.accepted())};
}

void check_room(const task_machine& machine) {
  if (machine.room.size() != machine.units.size() && !machine.room.empty())
    throw usage_error{fmt::format("task_machine::room has {} values for {} units; one for each, or none",
                                  machine.room.size(), machine.units.size())};
  for (std::size_t u = 0; u < machine.room.size(); ++u)
    if (machine.room[u] < 0)
      throw usage_error{fmt::format("task_machine::room[{}]: {}; a number of tasks, 0 for what is usual", u,
                                    machine.room[u])};
}

std::size_t checked_space(space_id space, const char* what) {
  if (space < 0 || space >= most_spaces)
    throw usage_error{fmt::format("{}: memory {}; memories are 0 to {}", what, int{space}, most_spaces - 1)};
  return static_cast<std::size_t>(int{space});
}

}  // namespace

machine_view::machine_view(const task_machine& machine) : room_{machine.room} {
  if (machine.units.empty()) throw usage_error{"task_machine::units is empty; a task needs a unit to run on"};
  check_room(machine);
  room_.resize(machine.units.size());
  for (const unit& each : machine.units) add_unit(each);
  for (const unit& each : classes_) promised_.push_back(promised_time(each, units_));
  for (const memory_way& way : machine.ways)
    n_spaces_ = std::max(
        {n_spaces_, checked_space(way.from, "memory_way") + 1, checked_space(way.to, "memory_way") + 1});
  ways_.resize(n_spaces_ * n_spaces_);
  for (std::size_t at = 0; at < machine.ways.size(); ++at) {
    check(machine.ways[at].speed, at);
    add_way(machine.ways[at]);
  }
  go_through_host();
}

void machine_view::add_unit(const unit& next) {
  const std::size_t at = units_.size();
  if (room_[at] == 0) room_[at] = next.kind == unit_kind::cpu ? 1 : gpu_room;
  n_spaces_ = std::max(n_spaces_, checked_space(next.space, "task_machine::units") + 1);
  const auto like = std::ranges::find_if(classes_, [&](const unit& one) { return are_alike(one, next); });
  class_of_.push_back(static_cast<std::size_t>(like - classes_.begin()));
  if (like == classes_.end()) classes_.push_back(next);
  units_.push_back(next);
  add_to_group(at);
}

void machine_view::add_to_group(std::size_t unit) {
  const auto like = std::ranges::find_if(groups_, [&](const std::vector<int>& group) {
    const auto first = static_cast<std::size_t>(group.front());
    return class_of(first) == class_of(unit) && space_of(first) == space_of(unit);
  });
  group_of_.push_back(static_cast<std::size_t>(like - groups_.begin()));
  if (like == groups_.end()) groups_.emplace_back();
  groups_[group_of_.back()].push_back(static_cast<int>(unit));
}

void machine_view::add_way(const memory_way& way) {
  ways_[static_cast<std::size_t>(int{way.from}) * n_spaces_ + static_cast<std::size_t>(int{way.to})] =
      way.speed;
}

void machine_view::go_through_host() {
  for (std::size_t from = 1; from < n_spaces_; ++from)
    for (std::size_t to = 1; to < n_spaces_; ++to) {
      const link_speed &up = way(from, 0), &down = way(0, to);
      if (from == to || way(from, to).bandwidth > 0 || up.bandwidth == 0 || down.bandwidth == 0) continue;
      ways_[from * n_spaces_ + to] = {.bandwidth = 1 / (1 / up.bandwidth + 1 / down.bandwidth),
                                      .latency = up.latency + down.latency};
    }
}

std::size_t machine_view::checked(unit_id unit, const char* what) const {
  if (unit < 0 || static_cast<std::size_t>(int{unit}) >= n_units())
    throw usage_error{fmt::format("{}: unit {}; units are 0 to {}", what, int{unit}, n_units() - 1)};
  return static_cast<std::size_t>(int{unit});
}

std::size_t machine_view::checked(space_id space, const char* what) const {
  if (space < 0 || static_cast<std::size_t>(int{space}) >= n_spaces_)
    throw usage_error{fmt::format("{}: memory {}; memories are 0 to {}", what, int{space}, n_spaces_ - 1)};
  return static_cast<std::size_t>(int{space});
}

std::vector<int> machine_view::units_for(std::span<const unit_id> on, int cpus) const {
  std::vector<int> units;
  for (const unit_id each : on) units.push_back(static_cast<int>(checked(each, "task_request::on")));
  for (int u = 0; on.empty() && u < static_cast<int>(n_units()); ++u) units.push_back(u);
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  if (cpus == 1) return units;
  std::erase_if(units, [&](int u) { return !is_cpu(static_cast<std::size_t>(u)); });
  if (cpus < 1 || static_cast<std::size_t>(cpus) > units.size())
    throw usage_error{fmt::format(
        "task_request::cpus: {}; 1, or a number of CPU CUs, of which its list has {}", cpus, units.size())};
  return units;
}

}  // namespace yoke::scheduling
