#pragma once
/// How the threads of a CPU CU share the zones of a batch.

#include <span>
#include <vector>

#include <yoke/ids.hpp>

namespace npb {

/// Threads that each have zones of their own share no zone's data, and wait for each other once a batch; a
/// team on one zone waits twice a zone. So most zones go to single threads, and only those that would leave
/// threads idle to the whole team.
struct team_plan {
  std::vector<std::vector<yoke::task_id>> own;  ///< by thread
  std::vector<yoke::task_id> shared;            ///< by all threads together, after their own
};

/// The plan with the shortest expected time, among those that share some of the largest zones and deal out
/// the others longest first. `weights` are by zone. Requires n_threads >= 1.
team_plan plan_team(std::span<const yoke::task_id> batch, std::span<const double> weights, int n_threads);

}  // namespace npb
