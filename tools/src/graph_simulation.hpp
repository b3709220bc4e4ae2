#pragma once
/// Graphs of tasks, bound one by one on a machine in virtual time.

#include "json_fields.hpp"
#include "machine_file.hpp"

#include <string>
#include <vector>

#include <yoke/simulated_tasks.hpp>

namespace tools {

/// A machine, and a graph by its name.
struct graph_simulation {
  std::string graph;  ///< random, cholesky or lu, and after a colon tasks, or tiles of a side
  std::string machine_name;
  yoke::configuration cus;
  yoke::simulated_machine machine;
  std::uint64_t seed = 1;
};

struct graph_result {
  std::size_t n_tasks = 0;
  yoke::seconds bound = 0, heft = 0;  ///< none is shorter; all known before
  yoke::scheduling::task_run on_line{}, learning{}, recorded{};
};

/// Errors: config_error for a graph that is none, and what the machine does not allow.
graph_result run_graph(const graph_simulation& what);

std::string text_of(const graph_simulation& what, const graph_result& found);
json as_json(const graph_simulation& what, const graph_result& found);

}  // namespace tools
