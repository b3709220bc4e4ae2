#pragma once
/// What schedules come to on a machine in virtual time.

#include "json_fields.hpp"
#include "machine_file.hpp"

#include <string>
#include <vector>

#include <yoke/simulated_machine.hpp>

namespace tools {

/// What is run, by each schedule.
struct simulation_case {
  std::string machine_name;
  yoke::configuration cus;
  yoke::simulated_machine machine;
  yoke::workload work;
  int passes = 0;
  yoke::pass_order order = yoke::pass_order::barrier;
  bool is_npb_mz = false;  ///< rehearses, sets zones up where they run, and warms up
};

struct pass_result {
  double makespan_s = 0;
  std::size_t copied = 0;  ///< bytes between memories: exchanged by neighbours, and data of tasks that moved
  int undone = 0;
};

/// Means of the second half of the passes, when schedules that learn have settled.
struct schedule_result {
  std::string schedule;
  std::string described;
  std::vector<pass_result> passes{};
  std::vector<double> busy{};  ///< of each unit: part of the time
  double pass_s = 0;
  double all_s = 0;          ///< all passes
  double copied = 0;         ///< bytes of a pass
  std::size_t too_much = 0;  ///< bytes that its tasks need beyond what their memory has
  double regret = 0;         ///< pass_s / best known - 1

  bool is_undone() const;
};

struct simulation_result {
  yoke::known_best best{};
  std::string best_from{};  ///< "a search", or the schedule that had it
  std::vector<schedule_result> schedules{};
};

/// Errors: config_error for a schedule that does not exist, with those that do.
simulation_result run_simulation(const simulation_case& what, const std::vector<std::string>& schedules,
                                 const std::string& trace_file);

std::string text_of(const simulation_case& what, const simulation_result& found);
json as_json(const simulation_case& what, const simulation_result& found);

}  // namespace tools
