#include "virtual_trace.hpp"

#include <fmt/format.h>

namespace tools {

std::string name_of_unit(const yoke::simulated_machine& machine, std::size_t unit) {
  const bool is_gpu = machine.units[unit].seen.kind == yoke::unit_kind::gpu;
  return fmt::format("CU {} ({})", unit, is_gpu ? "gpu" : "cpu");
}

virtual_trace::virtual_trace(const yoke::simulated_machine& machine) {
  for (std::size_t u = 0; u < machine.units.size(); ++u) {
    events_.push_back({{"name", "thread_name"},
                       {"ph", "M"},
                       {"pid", 1},
                       {"tid", u},
                       {"args", {{"name", name_of_unit(machine, u)}}}});
    events_.push_back(
        {{"name", "thread_sort_index"}, {"ph", "M"}, {"pid", 1}, {"tid", u}, {"args", {{"sort_index", u}}}});
  }
}

void virtual_trace::add(const yoke::simulated_batch& batch, const yoke::workload& work) {
  constexpr double microseconds = 1e6;
  double weight = 0;
  for (const int task : batch.tasks)
    weight += work.weights.empty() ? 1 : work.weights[static_cast<std::size_t>(task)];
  const std::string name = batch.tasks.size() == 1 ? fmt::format("task {}", int{batch.tasks[0]})
                                                   : fmt::format("{} tasks", batch.tasks.size());
  events_.push_back({{"name", name},
                     {"cat", "batch"},
                     {"ph", "X"},
                     {"ts", batch.begin * microseconds},
                     {"dur", (batch.end - batch.begin) * microseconds},
                     {"pid", 1},
                     {"tid", int{batch.unit}},
                     {"args",
                      {{"pass", batch.pass},
                       {"first", int{batch.tasks[0]}},
                       {"tasks", batch.tasks.size()},
                       {"weight", weight}}}});
}

}  // namespace tools
