#include "calibration.hpp"
#include "cluster.hpp"
#include "commands.hpp"
#include "graph_simulation.hpp"
#include "simulation.hpp"
#include "task_file.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

yoke::workload tasks_of(const simulate_options& options) {
  if (options.tasks.empty() == options.class_name.empty())
    throw yoke::config_error{"simulate needs its tasks: either --class SP:D or --tasks FILE, or --graph"};
  return options.tasks.empty() ? tasks_of_class(options.class_name) : read_tasks(options.tasks);
}

/// Of what the command line accepts.
yoke::pass_order order_of(const std::string& name) {
  return name == "dataflow" ? yoke::pass_order::dataflow : yoke::pass_order::barrier;
}

machine_file machine_of(const simulate_options& options) {
  if (options.machine.empty())
    throw yoke::config_error{"simulate needs --machine FILE; --calibrate RUN.json makes one of a run"};
  return read_machine(options.machine);
}

yoke::configuration cus_of(const simulate_options& options, const machine_file& machine) {
  return options.cus.empty() ? machine.whole() : yoke::parse_configuration({options.cus, "--cus"});
}

simulation_case case_of(const simulate_options& options) {
  const machine_file machine = machine_of(options);
  const yoke::configuration cus = cus_of(options, machine);
  simulation_case what{.machine_name = machine.name,
                       .cus = cus,
                       .machine = machine.with(cus),
                       .work = tasks_of(options),
                       .passes = options.passes,
                       .order = order_of(options.order),
                       .is_npb_mz = !options.class_name.empty()};
  what.machine.seed = options.seed;
  what.work.passes =
      std::max(what.work.passes, yoke::pass_id{options.passes});  // so much schedules are told of what comes
  what.work.warms_up = what.is_npb_mz;
  what.work.waits_late = what.is_npb_mz && what.order == yoke::pass_order::dataflow;
  return what;
}

int status_of(const simulation_result& found) {
  const bool is_wrong = std::ranges::any_of(
      found.schedules, [](const schedule_result& each) { return each.is_undone() || each.too_much > 0; });
  return is_wrong ? found_wrong : fine;
}

int run_graph_of(const simulate_options& options) {
  if (!options.tasks.empty() || !options.class_name.empty() || !options.schedules.empty() ||
      !options.trace.empty())
    throw yoke::config_error{
        "--graph is bound task by task: without --class, --tasks, --schedule and --trace"};
  const machine_file machine = machine_of(options);
  const yoke::configuration cus = cus_of(options, machine);
  const graph_simulation what{options.graph, machine.name, cus, machine.with(cus), options.seed};
  const graph_result found = run_graph(what);
  if (options.json)
    print_json(as_json(what, found));
  else
    fmt::print("{}", yoke::detail::printable_lines(text_of(what, found)));
  return fine;
}

int run_cluster_of(const simulate_options& options) {
  if (options.class_name.empty() || !options.tasks.empty() || !options.schedules.empty() ||
      !options.trace.empty())
    throw yoke::config_error{
        "--nodes takes zones of NPB-MZ, by --class: without --tasks, --schedule and --trace"};
  const machine_file machine = machine_of(options);
  const yoke::configuration cus = cus_of(options, machine);
  const cluster_case what{.machine_name = machine.name,
                          .cus = cus,
                          .node = machine.with(cus),
                          .network = machine.network,
                          .grid = grid_of_class(options.class_name),
                          .work = tasks_of_class(options.class_name),
                          .most_nodes = options.nodes,
                          .is_weak = options.weak};
  const std::vector<cluster_row> rows = run_cluster(what);
  if (options.json)
    print_json(as_json(what, rows));
  else
    fmt::print("{}", yoke::detail::printable_lines(text_of(what, rows)));
  return fine;
}

}  // namespace

int run_simulate(const simulate_options& options) {
  if (!options.calibrate.empty()) {
    print_json(as_json(calibrate(options.calibrate)));
    return fine;
  }
  if (!options.graph.empty()) return run_graph_of(options);
  if (options.nodes > 0) return run_cluster_of(options);
  if (options.weak) throw yoke::config_error{"--weak: on how many nodes? give --nodes N"};
  if (!options.trace.empty() && options.schedules.size() > 1)
    throw yoke::config_error{"--trace shows one schedule; several are given"};
  const simulation_case what = case_of(options);
  const std::vector<std::string> schedules =
      options.schedules.empty() ? std::vector<std::string>{"auto"} : options.schedules;
  const simulation_result found = run_simulation(what, schedules, options.trace);
  if (options.json)
    print_json(as_json(what, found));
  else
    fmt::print("{}", yoke::detail::printable_lines(text_of(what, found)));
  return status_of(found);
}

}  // namespace tools
