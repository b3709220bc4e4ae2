#pragma once
/// What a search for maps asks of a workload's tasks again and again: their orders, and who exchanges with
/// whom.

#include "task_graph.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Sorted once: what is asked of it takes time linear in the number of tasks.
class task_orders {
 public:
  explicit task_orders(const workload& work);

  /// All tasks by weight, those of equal weight by number.
  std::span<const task_id> longest_first() const { return longest_first_; }
  /// The same of some of them, each once.
  std::vector<task_id> longest_first(std::span<const task_id> some) const;
  /// Tasks of equal weight and bytes, from the lowest number on.
  std::size_t n_kinds() const { return ends_.size(); }
  std::span<const task_id> kind(std::size_t n) const {
    const std::size_t first = n == 0 ? 0 : ends_[n - 1];
    return std::span{by_kind_}.subspan(first, ends_[n] - first);
  }

  /// Where GPU CUs wait late: nobody else asks.
  const std::optional<task_graph>& graph() const { return graph_; }

 private:
  std::vector<task_id> longest_first_, by_kind_;
  std::vector<std::size_t> ends_;  ///< of each kind in by_kind_
  std::optional<task_graph> graph_;
};

}  // namespace yoke::scheduling
