#include "task_graph.hpp"

#include "assignment.hpp"

#include <algorithm>
#include <tuple>

namespace yoke::scheduling {

namespace {

struct arc {
  int from = 0;
  int to = 0;
  double bytes = 0;
};

/// Both directions of every edge, sorted, those between the same two tasks added up.
std::vector<arc> arcs_of(const workload& work) {
  std::vector<arc> arcs;
  for (const edge& e : work.edges) {
    if (e.from == e.to) continue;
    arcs.push_back({int{e.from}, int{e.to}, static_cast<double>(e.bytes)});
    arcs.push_back({int{e.to}, int{e.from}, static_cast<double>(e.bytes)});
  }
  std::ranges::sort(arcs, {}, [](const arc& a) { return std::tuple{a.from, a.to}; });
  std::vector<arc> merged;
  for (const arc& a : arcs) {
    const bool is_another = merged.empty() || merged.back().from != a.from || merged.back().to != a.to;
    is_another ? merged.push_back(a) : void(merged.back().bytes += a.bytes);
  }
  return merged;
}

}  // namespace

task_graph::task_graph(const workload& work) {
  for (int task = 0; task < work.n_tasks; ++task) weights_.push_back(weight_of(work, task_id{task}));
  first_.assign(weights_.size() + 1, 0);
  for (const arc& a : arcs_of(work)) {
    neighbours_.push_back({a.to, a.bytes});
    ++first_[static_cast<std::size_t>(a.from) + 1];
  }
  for (std::size_t task = 0; task < weights_.size(); ++task) first_[task + 1] += first_[task];
}

std::span<const neighbour> task_graph::neighbours(int task) const {
  const std::size_t first = first_[static_cast<std::size_t>(task)];
  return std::span{neighbours_}.subspan(first, first_[static_cast<std::size_t>(task) + 1] - first);
}

double cut_of(const task_graph& graph, std::span<const int> part_of) {
  double bytes = 0;
  for (int task = 0; task < graph.n_tasks(); ++task)
    for (const neighbour& other : graph.neighbours(task))
      if (part_of[static_cast<std::size_t>(task)] != part_of[static_cast<std::size_t>(other.task)])
        bytes += other.bytes;
  return bytes / 2;
}

}  // namespace yoke::scheduling
