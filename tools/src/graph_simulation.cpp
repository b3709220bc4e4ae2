#include "graph_simulation.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>

namespace tools {

namespace {

using yoke::scheduling::recorded_task;

/// Bytes of a tile of 512 x 512 doubles, and of what a task of a random graph writes.
constexpr std::size_t tile_bytes = std::size_t{8} * 512 * 512;
/// Weight of the update of a tile, in that of the machine; of the tile of the diagonal, of one beside it, and
/// of the symmetric update, by their operations. Kinds of random graphs weigh the same.
constexpr double update_weight = 1e5;
constexpr std::array<double, 4> weights{1.0 / 6, 0.5, 1, 0.5};
/// More tasks than anybody waits for: HEFT takes a minute for 10^5.
constexpr int most_tasks = 100000, most_tiles = 64;

std::vector<recorded_task> tasks_of(const graph_simulation& what) {
  const std::size_t colon = what.graph.find(':');
  const std::string name = what.graph.substr(0, colon),
                    number = colon == std::string::npos ? "" : what.graph.substr(colon + 1);
  if (name != "random" && name != "cholesky" && name != "lu")
    throw yoke::config_error{
        fmt::format("--graph {}: no such graph; random, cholesky or lu, as cholesky:16", what.graph)};
  const yoke::sourced given{number, "--graph " + what.graph};
  const auto size = [&](int usual, int most) {
    if (colon == std::string::npos) return usual;
    yoke::detail::text_parser in{given, "a number of tasks, or of tiles of a side"};
    const int n = in.number("a number", 1, most);
    in.expect_end();
    return n;
  };
  if (name == "cholesky") return yoke::scheduling::tiled_cholesky(size(16, most_tiles), tile_bytes);
  if (name == "lu") return yoke::scheduling::tiled_lu(size(16, most_tiles), tile_bytes);
  const int n = size(200, most_tasks);
  return yoke::scheduling::random_tasks(
      {.n_tasks = n, .width = static_cast<int>(std::sqrt(n)) + 1, .bytes = tile_bytes, .seed = what.seed});
}

yoke::scheduling::task_machine machine_of(const yoke::simulated_machine& of) {
  yoke::scheduling::task_machine machine{.units = of.seen()};
  for (const yoke::simulated_unit& each : of.units) {
    if (each.seen.kind != yoke::unit_kind::gpu) continue;
    machine.ways.push_back({yoke::host_space, each.seen.space, each.to_host});
    machine.ways.push_back({each.seen.space, yoke::host_space, each.to_host});
    for (const yoke::simulated_unit& other : of.units)
      if (other.seen.kind == yoke::unit_kind::gpu && other.seen.space != each.seen.space)
        machine.ways.push_back({each.seen.space, other.seen.space, of.between_devices});
  }
  return machine;
}

/// With all units at work.
yoke::scheduling::kind_times_by_unit times_of(const yoke::simulated_machine& machine) {
  yoke::scheduling::kind_times_by_unit times;
  for (const double weight : weights) {
    times.emplace_back();
    for (const yoke::speed& each : machine.speeds())
      times.back().push_back(each.launch + each.per_weight * weight * update_weight);
  }
  return times;
}

}  // namespace

graph_result run_graph(const graph_simulation& what) try {
  const std::vector<recorded_task> tasks = tasks_of(what);
  const yoke::scheduling::task_machine machine = machine_of(what.machine);
  const yoke::scheduling::kind_times_by_unit times = times_of(what.machine);
  using yoke::scheduling::run_tasks;
  return {.n_tasks = tasks.size(),
          .bound = least_makespan(machine, tasks, times),
          .heft = heft(machine, tasks, times).makespan,
          .on_line = run_tasks(machine, tasks, times),
          .learning = run_tasks(machine, tasks, times, {.knows_times = false}),
          .recorded = run_tasks(machine, tasks, times, {.is_recorded = true})};
} catch (const yoke::usage_error& problem) {
  throw yoke::config_error{fmt::format("{} on {}: {}", what.graph, what.machine_name, problem.what())};
}

std::string text_of(const graph_simulation& what, const graph_result& found) {
  std::string text =
      fmt::format("{}: {} tasks on {} of {}\nnone can end before {:.6g} s, copies left out\n\n", what.graph,
                  found.n_tasks, what.cus.text(), what.machine_name, found.bound);
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<32} {:>11} {:>8} {:>13}\n", "tasks are bound", "makespan s", "to HEFT",
                 "bytes copied");
  fmt::format_to(out, "{:<32} {:>11.6g} {:>8.3f} {:>13}\n", "by HEFT, which knows all", found.heft, 1.0, "-");
  const auto line = [&](const char* how, const yoke::scheduling::task_run& run) {
    fmt::format_to(out, "{:<32} {:>11.6g} {:>8.3f} {:>13}\n", how, run.makespan, run.makespan / found.heft,
                   run.copied);
  };
  line("in program order", found.on_line);
  line("in program order, times unknown", found.learning);
  line("as recorded", found.recorded);
  return text;
}

json as_json(const graph_simulation& what, const graph_result& found) {
  const auto run = [](const yoke::scheduling::task_run& of) {
    return json{{"makespan_s", of.makespan}, {"copied_bytes", of.copied}};
  };
  return {{"schema", "yoke-graph-simulation/1"},
          {"graph", what.graph},
          {"machine", what.machine_name},
          {"cus", what.cus.text()},
          {"n_tasks", found.n_tasks},
          {"bound_s", found.bound},
          {"heft_s", found.heft},
          {"on_line", run(found.on_line)},
          {"times_unknown", run(found.learning)},
          {"recorded", run(found.recorded)}};
}

}  // namespace tools
