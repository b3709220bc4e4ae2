#pragma once
/// Cutting tasks in two with few bytes between the halves.

#include "task_graph.hpp"

#include <span>
#include <vector>

namespace yoke::scheduling {

/// Of `tasks`, those for the first part: their weight is `wanted` or as near to it as whole tasks allow, and
/// the bytes between the parts are few. The first part grows from several tasks in turn, always by the
/// neighbour that costs least; then tasks change sides while that helps. Edges to tasks that are not in
/// `tasks` do not count. Source of the second half: Fiduccia and Mattheyses, "A linear-time heuristic for
/// improving network partitions", 1982. Cost: O(tries * edges * log tasks).
std::vector<int> first_part(const task_graph& graph, std::span<const int> tasks, double wanted);

}  // namespace yoke::scheduling
