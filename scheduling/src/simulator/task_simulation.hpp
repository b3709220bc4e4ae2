#pragma once
/// Tasks that a binder places, in virtual time.

#include "../binding/graph_view.hpp"

#include <cstddef>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include <yoke/simulated_tasks.hpp>

namespace yoke::scheduling {

class task_simulation {
 public:
  task_simulation(const graph_view& graph, task_binder& binder)
      : graph_{graph},
        binder_{binder},
        tasks_(graph.n_tasks()),
        units_(graph.machine().n_units()),
        last_planned_(graph.machine().n_units(), -1) {}

  /// Tells the tasks in this order, each on the units of `planned` alone where that is not empty.
  task_run run(const std::vector<planned_task>& planned);

 private:
  struct task {
    told_task told{};
    std::vector<int> before_of{};  ///< tasks that come after it
    std::size_t left = 0;          ///< that it comes after, and that have not ended
    std::vector<unit_id> units{};
    seconds bound_at = -1, data_at = 0, begin = 0;
  };
  struct unit_state {
    std::vector<int> bound{};  ///< and not running, in order
    bool is_busy = false;
  };
  /// A task has all that it needs, or ends.
  struct event {
    seconds at;
    int task;
    bool ends;
    bool operator>(const event& other) const {
      return at != other.at ? at > other.at : task != other.task ? task > other.task : ends < other.ends;
    }
  };

  std::vector<int> before_in_plan(int number, std::span<const unit_id> on);
  void tell_all(const std::vector<planned_task>& planned);
  void tell(int number, std::span<const unit_id> on);
  void bind_all();
  void bring_data(int number);
  seconds arrival(const piece_use& use, std::size_t space, seconds asked);
  std::vector<seconds>& places_of(std::uint64_t piece);
  void start_what_can();
  bool can_start(int number) const;
  void start(int number);
  void end(int number);

  const graph_view& graph_;
  task_binder& binder_;
  std::vector<task> tasks_;
  std::unordered_map<std::uint64_t, int> by_told_;
  std::vector<unit_state> units_;
  std::vector<int> last_planned_;  ///< of each unit, or -1
  std::unordered_map<std::uint64_t, std::vector<seconds>> pieces_;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  bool is_planned_ = false;
  seconds now_ = 0;
  task_run result_;
};

}  // namespace yoke::scheduling
