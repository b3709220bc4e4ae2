#include "kinds.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

void check_size(std::string_view what, std::size_t size, int n_tasks) {
  if (size == 0 || size == static_cast<std::size_t>(n_tasks)) return;
  throw usage_error{
      fmt::format("workload of {} tasks with {} {}; give one for each task, or none", n_tasks, size, what)};
}

void check_weights(const workload& work) {
  for (std::size_t task = 0; task < work.weights.size(); ++task) {
    const double weight = work.weights[task];
    if (!detail::amounts.has(weight))
      throw usage_error{fmt::format("workload: task {} has weight {}; a weight is {}, relative to the others",
                                    task, weight, detail::amounts.accepted())};
  }
}

}  // namespace

void check_workload(const workload& work) {
  if (work.n_tasks < 0)
    throw usage_error{fmt::format("workload of {} tasks; the number of tasks is at least 0", work.n_tasks)};
  check_size("weights", work.weights.size(), work.n_tasks);
  check_size("bytes", work.bytes.size(), work.n_tasks);
  check_size("bytes for GPU CUs", work.gpu_bytes.size(), work.n_tasks);
  check_weights(work);
  for (const edge& e : work.edges)
    for (const task_id end : {e.from, e.to})
      if (end < 0 || end >= work.n_tasks)
        throw usage_error{fmt::format("workload: an edge names task {}; tasks are 0 to {}",
                                      static_cast<int>(end), work.n_tasks - 1)};
  for (const space_link& each : work.links)
    if (!detail::amounts.has(each.bandwidth))
      throw usage_error{
          fmt::format("workload: the link from space {} to space {} has {} bytes a second; they are {}",
                      static_cast<int>(each.from), static_cast<int>(each.to), each.bandwidth,
                      detail::amounts.accepted())};
}

void check_problem(const workload& work, std::span<const unit> units) {
  check_workload(work);
  if (units.empty()) throw usage_error{"a schedule needs at least one compute unit; it was given none"};
}

}  // namespace yoke::scheduling
