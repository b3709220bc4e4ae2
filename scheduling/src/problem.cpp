#include "kinds.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>
#include <yoke/number_range.hpp>
#include <yoke/numbers_below.hpp>

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

/// Maps add them up.
void check_bytes(const char* what, std::span<const std::size_t> bytes) {
  std::size_t all = 0;
  for (const std::size_t each : bytes) {
    const auto next = detail::sum_of(all, each);
    if (!next)
      throw usage_error{
          fmt::format("workload: {} add up to more than {}, which is more than all memory has: {} "
                      "bytes come behind {}",
                      what, detail::most_addressable, each, all)};
    all = *next;
  }
}

void check_bytes_of_edges(const workload& work) {
  std::vector<std::size_t> bytes(work.edges.size());
  std::ranges::transform(work.edges, bytes.begin(), &edge::bytes);
  check_bytes("the bytes of the edges", bytes);
}

}  // namespace

void check_workload(const workload& work) {
  if (work.n_tasks < 0)
    throw usage_error{fmt::format("workload of {} tasks; the number of tasks is at least 0", work.n_tasks)};
  check_size("weights", work.weights.size(), work.n_tasks);
  check_size("bytes", work.bytes.size(), work.n_tasks);
  check_size("bytes for GPU CUs", work.gpu_bytes.size(), work.n_tasks);
  check_weights(work);
  check_bytes("the bytes of the tasks", work.bytes);
  check_bytes("the bytes of the tasks for GPU CUs", work.gpu_bytes);
  check_bytes_of_edges(work);
  for (const edge& e : work.edges)
    for (const task_id end : {e.from, e.to})
      if (end < 0 || end >= work.n_tasks)
        throw usage_error{fmt::format("workload: an edge names task {}; the workload has {}",
                                      static_cast<int>(end), detail::numbers_below(work.n_tasks, "task"))};
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
