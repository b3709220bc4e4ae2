#include "plan_builder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace yoke::scheduling {

namespace {

constexpr seconds not_there = std::numeric_limits<seconds>::infinity();

}  // namespace

plan_builder::places& plan_builder::places_of(std::uint64_t piece) {
  const auto [at, is_new] = pieces_.try_emplace(piece, graph_.machine().n_spaces(), not_there);
  if (is_new) at->second[0] = 0;
  return at->second;
}

seconds plan_builder::arrival(const piece_use& use, std::size_t space) {
  const places& of = places_of(use.piece);
  seconds least = of[space];
  for (std::size_t from = 0; from < of.size(); ++from)
    if (of[from] < not_there)
      least = std::min(least, of[from] + graph_.machine().way(from, space).time_of(use.bytes));
  return least;
}

seconds plan_builder::data_at(const recorded_task& task, std::size_t space) {
  seconds at = 0;
  for (const int before : task.after) at = std::max(at, ends_[static_cast<std::size_t>(before)]);
  for (const piece_use& use : task.uses)
    if (use.reads) at = std::max(at, arrival(use, space));
  return at;
}

seconds plan_builder::first_gap(int unit, seconds from, seconds time) const {
  const auto& busy = busy_[static_cast<std::size_t>(unit)];
  auto next = std::ranges::upper_bound(busy, from, {}, &span::end);
  for (; next != busy.end() && next->begin < from + time; ++next) from = std::max(from, next->end);
  return from;
}

planned_task plan_builder::on_one(int task) {
  const auto at = static_cast<std::size_t>(task);
  planned_task best{.task = task, .end = not_there};
  std::size_t space = graph_.machine().n_spaces();
  seconds data = 0;
  for (const int u : graph_.units(at)) {
    if (const std::size_t own = graph_.machine().space_of(static_cast<std::size_t>(u)); own != space) {
      space = own;
      data = data_at(graph_.task(at), space);
    }
    const seconds begin = first_gap(u, data, graph_.time(at, u)), end = begin + graph_.time(at, u);
    if (end < best.end) best = {task, {unit_id{u}}, begin, end};
  }
  return best;
}

/// Behind all that the CPU CUs have that are through first.
planned_task plan_builder::on_several(int task) {
  const auto at = static_cast<std::size_t>(task);
  const auto free_at = [&](int u) {
    const auto& busy = busy_[static_cast<std::size_t>(u)];
    return busy.empty() ? 0 : busy.back().end;
  };
  std::vector<int> units = graph_.units(at);
  std::ranges::sort(units, {}, [&](int u) { return std::pair{free_at(u), u}; });
  units.resize(static_cast<std::size_t>(graph_.task(at).cpus));
  const std::size_t space = graph_.machine().space_of(static_cast<std::size_t>(units.front()));
  const seconds begin = std::max(data_at(graph_.task(at), space), free_at(units.back()));
  planned_task planned{.task = task, .begin = begin, .end = begin + graph_.time(at, units.front())};
  for (const int u : units) planned.units.push_back(unit_id{u});
  return planned;
}

void plan_builder::occupy(int unit, span when) {
  auto& busy = busy_[static_cast<std::size_t>(unit)];
  busy.insert(std::ranges::upper_bound(busy, when.begin, {}, &span::begin), when);
}

void plan_builder::place(int task) {
  const recorded_task& of = graph_.task(static_cast<std::size_t>(task));
  planned_task planned = of.cpus > 1 ? on_several(task) : on_one(task);
  const std::size_t space = graph_.machine().space_of(static_cast<std::size_t>(int{planned.units.front()}));
  for (const unit_id unit : planned.units) occupy(unit, {planned.begin, planned.end});
  for (const piece_use& use : of.uses) {
    if (use.reads) places_of(use.piece)[space] = arrival(use, space);
    if (!use.writes) continue;
    places_of(use.piece).assign(graph_.machine().n_spaces(), not_there);
    places_of(use.piece)[space] = planned.end;
  }
  ends_[static_cast<std::size_t>(task)] = planned.end;
  plan_.makespan = std::max(plan_.makespan, planned.end);
  plan_.tasks.push_back(std::move(planned));
}

task_plan plan_builder::get() && {
  std::ranges::sort(plan_.tasks, {},
                    [](const planned_task& each) { return std::pair{each.begin, each.task}; });
  return std::move(plan_);
}

}  // namespace yoke::scheduling
