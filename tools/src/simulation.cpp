#include "simulation.hpp"

#include "virtual_trace.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>
#include <yoke/scheduling.hpp>

namespace tools {

namespace {

/// Bytes beyond what memories have, in the pass that needs most.
std::size_t beyond_memory(const std::vector<yoke::simulated_pass>& passes, const simulation_case& what) {
  if (what.work.bytes.empty()) return 0;
  std::size_t most = 0;
  for (const yoke::simulated_pass& pass : passes) {
    std::map<std::size_t, std::size_t> needed;  // by unit that has a memory of its own
    for (std::size_t task = 0; task < pass.map.size(); ++task)
      if (pass.map[task] >= 0) needed[static_cast<std::size_t>(int{pass.map[task]})] += what.work.bytes[task];
    for (const auto& [unit, bytes] : needed) {
      const std::size_t has = what.machine.units[unit].seen.memory;
      if (has > 0 && bytes > has) most = std::max(most, bytes - has);
    }
  }
  return most;
}

/// There are two passes at least.
void add_means(schedule_result& result, std::span<const yoke::simulated_pass> passes) {
  const auto end_of = [](std::span<const yoke::simulated_pass> some) {
    return std::ranges::max(some, {}, &yoke::simulated_pass::end).end;
  };
  const std::size_t first = passes.size() / 2;
  const double span = end_of(passes) - end_of(passes.first(first));
  const auto counted = static_cast<double>(passes.size() - first);
  if (!(span > 0))
    throw yoke::config_error{
        fmt::format("{}: the times of passes from {} on are lost in rounding after the {} s of those before",
                    result.schedule, first, end_of(passes))};
  result.pass_s = span / counted;
  result.all_s = end_of(passes);
  result.busy.assign(passes.front().busy.size(), 0);
  for (std::size_t p = first; p < passes.size(); ++p) {
    result.copied += static_cast<double>(result.passes[p].copied) / counted;
    for (std::size_t u = 0; u < result.busy.size(); ++u) result.busy[u] += passes[p].busy[u] / span;
  }
}

/// What units or tasks have comes from files.
yoke::known_best best_of(const simulation_case& what) try {
  return yoke::best_of(what.machine, what.work);
} catch (const yoke::usage_error& problem) {
  throw yoke::config_error{fmt::format("{}: on {}: {}", what.work.name, what.machine_name, problem.what())};
}

schedule_result run_one(const simulation_case& what, const std::string& schedule, virtual_trace* trace) {
  const std::vector<yoke::unit> units = what.machine.seen();
  const auto plan = yoke::scheduling::make(schedule, what.work, units, "--schedule");
  yoke::simulation_options how{
      .passes = what.passes, .order = what.order, .rehearse = what.is_npb_mz, .warm_up = what.is_npb_mz};
  if (what.is_npb_mz) how.data = yoke::data_start::in_place;
  if (trace != nullptr) how.watcher = [&](const auto& batch) { trace->add(batch, what.work); };
  const auto passes = yoke::simulate(*plan, what.work, what.machine, how);
  schedule_result result{.schedule = schedule, .described = plan->describe()};
  std::span<const yoke::unit_id> before;
  for (const yoke::simulated_pass& pass : passes) {
    const std::size_t exchanged = yoke::exchanged_bytes(pass.map, what.work, units);
    const bool is_set_up = before.empty() && what.is_npb_mz;
    const std::size_t moved = is_set_up ? 0 : yoke::moved_bytes(before, pass.map, what.work, units);
    result.passes.push_back({pass.makespan(), exchanged + moved, pass.undone});
    before = pass.map;
  }
  add_means(result, passes);
  result.too_much = beyond_memory(passes, what);
  return result;
}

/// A schedule may have found what the search did not; where speeds vary, below the bound.
void add_regret(simulation_result& found) {
  found.best_from = "a search";
  for (const schedule_result& each : found.schedules)
    if (each.pass_s < found.best.found && !each.is_undone()) {
      found.best.found = each.pass_s;
      found.best_from = each.schedule;
    }
  for (schedule_result& each : found.schedules) each.regret = each.pass_s / found.best.found - 1;
}

}  // namespace

bool schedule_result::is_undone() const {
  return std::ranges::any_of(passes, [](const pass_result& pass) { return pass.undone > 0; });
}

simulation_result run_simulation(const simulation_case& what, const std::vector<std::string>& schedules,
                                 const std::string& trace_file) {
  simulation_result found{.best = best_of(what)};
  for (const std::string& schedule : schedules) yoke::check_schedule({schedule, "--schedule"});
  virtual_trace trace{what.machine};
  for (const std::string& schedule : schedules)
    found.schedules.push_back(run_one(what, schedule, trace_file.empty() ? nullptr : &trace));
  add_regret(found);
  if (!trace_file.empty()) write_text(trace_file, trace.text());
  return found;
}

}  // namespace tools
