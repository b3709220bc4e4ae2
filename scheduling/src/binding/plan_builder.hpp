#pragma once
/// A plan that grows task by task, each where it ends first.

#include "graph_view.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace yoke::scheduling {

class plan_builder {
 public:
  explicit plan_builder(const graph_view& graph)
      : graph_{graph}, busy_(graph.machine().n_units()), ends_(graph.n_tasks()) {}

  /// Requires that all that it comes after has been placed.
  void place(int task);
  task_plan get() &&;

 private:
  struct span {
    seconds begin, end;
  };
  /// When the latest version of a piece is in each memory.
  using places = std::vector<seconds>;

  seconds data_at(const recorded_task& task, std::size_t space);
  places& places_of(std::uint64_t piece);
  seconds arrival(const piece_use& use, std::size_t space);
  seconds first_gap(int unit, seconds from, seconds time) const;
  planned_task on_one(int task);
  planned_task on_several(int task);
  void occupy(int unit, span when);

  const graph_view& graph_;
  std::vector<std::vector<span>> busy_;  ///< of each unit, ascending
  std::vector<seconds> ends_;
  std::unordered_map<std::uint64_t, places> pieces_;
  task_plan plan_;
};

}  // namespace yoke::scheduling
