#include "task_needs.hpp"

#include "../maps/assignment.hpp"

#include <algorithm>

namespace yoke::scheduling {

std::vector<std::vector<task_id>> needs_of(const workload& work) {
  std::vector<std::vector<task_id>> needs(static_cast<std::size_t>(work.n_tasks));
  for (const edge& e : work.edges) {
    needs[index(e.from)].push_back(e.to);
    needs[index(e.to)].push_back(e.from);
  }
  for (int task = 0; task < work.n_tasks; ++task) {
    std::vector<task_id>& each = needs[static_cast<std::size_t>(task)];
    each.emplace_back(task);
    std::ranges::sort(each);
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return needs;
}

}  // namespace yoke::scheduling
