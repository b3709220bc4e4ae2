#include "simulation.hpp"
#include "virtual_trace.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace tools {

namespace {

using sink = std::back_insert_iterator<std::string>;

/// Part of the time that units of a kind do nothing; nothing where there are none.
std::optional<double> idle_of(const simulation_case& what, const schedule_result& of, yoke::unit_kind kind) {
  double idle = 0;
  int units = 0;
  for (std::size_t u = 0; u < of.busy.size(); ++u)
    if (what.machine.units[u].seen.kind == kind) idle += 1 - of.busy[u], ++units;
  return units > 0 ? std::optional{std::max(0.0, idle / units)} : std::nullopt;
}

std::string percent(std::optional<double> part) { return part ? fmt::format("{:.1f}%", 100 * *part) : "-"; }

void heading(sink out, const simulation_case& what, const simulation_result& found) {
  fmt::format_to(out, "{}: {} tasks on {} of {}, {} passes\n", what.work.name, what.work.n_tasks,
                 what.cus.text(), what.machine_name, what.passes);
  fmt::format_to(out,
                 "best map known {:.6g} s a pass, by {}; none can go below {:.6g} s, copies left out\n\n",
                 found.best.found, found.best_from, found.best.bound);
}

void table(sink out, const simulation_case& what, const simulation_result& found) {
  std::size_t width = 20;
  for (const schedule_result& each : found.schedules) width = std::max(width, each.schedule.size());
  fmt::format_to(out, "{:<{}} {:>11} {:>8} {:>11} {:>11} {:>9} {:>9} {:>13}\n", "schedule", width, "pass s",
                 "regret", "first s", "all s", "idle CPU", "idle GPU", "bytes a pass");
  for (const schedule_result& each : found.schedules)
    fmt::format_to(out, "{:<{}} {:>11.6g} {:>8} {:>11.6g} {:>11.6g} {:>9} {:>9} {:>13.0f}\n", each.schedule,
                   width, each.pass_s, percent(each.regret), each.passes.front().makespan_s, each.all_s,
                   percent(idle_of(what, each, yoke::unit_kind::cpu)),
                   percent(idle_of(what, each, yoke::unit_kind::gpu)), each.copied);
}

void units(sink out, const simulation_case& what, const schedule_result& of) {
  fmt::format_to(out, "\n{}\n", of.described);
  for (std::size_t u = 0; u < of.busy.size(); ++u)
    fmt::format_to(out, "  {:<12} busy {:>6}\n", name_of_unit(what.machine, u), percent(of.busy[u]));
}

void warnings(sink out, const simulation_result& found) {
  for (const schedule_result& each : found.schedules) {
    if (each.is_undone())
      fmt::format_to(out, "{}: tasks of units that had disappeared were not run in {} passes\n",
                     each.schedule,
                     std::ranges::count_if(each.passes, [](const auto& p) { return p.undone > 0; }));
    if (each.too_much > 0)
      fmt::format_to(out, "{}: a memory would need {} bytes more than it has\n", each.schedule,
                     each.too_much);
  }
}

json of_schedule(const schedule_result& from) {
  json passes = json::array();
  for (const pass_result& pass : from.passes)
    passes.push_back({{"makespan_s", pass.makespan_s}, {"bytes", pass.copied}, {"undone", pass.undone}});
  return {{"schedule", from.schedule},  {"described", from.described}, {"pass_s", from.pass_s},
          {"regret", from.regret},      {"all_s", from.all_s},         {"busy", from.busy},
          {"bytes", from.copied},       {"undone", from.is_undone()},  {"bytes_too_many", from.too_much},
          {"passes", std::move(passes)}};
}

}  // namespace

std::string text_of(const simulation_case& what, const simulation_result& found) {
  std::string text;
  const sink out = std::back_inserter(text);
  heading(out, what, found);
  table(out, what, found);
  if (found.schedules.size() == 1) units(out, what, found.schedules.front());
  warnings(out, found);
  return text;
}

json as_json(const simulation_case& what, const simulation_result& found) {
  json kinds = json::array(), schedules = json::array();
  for (const yoke::simulated_unit& each : what.machine.units)
    kinds.push_back(each.seen.kind == yoke::unit_kind::gpu ? "gpu" : "cpu");
  for (const schedule_result& each : found.schedules) schedules.push_back(of_schedule(each));
  return {{"schema", "yoke-simulation/1"},    {"machine", what.machine_name}, {"cus", what.cus.text()},
          {"tasks", what.work.name},          {"n_tasks", what.work.n_tasks}, {"units", std::move(kinds)},
          {"best_s", found.best.found},       {"best_from", found.best_from}, {"bound_s", found.best.bound},
          {"schedules", std::move(schedules)}};
}

}  // namespace tools
