#pragma once
/// What is bound to each unit, and when it will be through with that.

#include "machine_view.hpp"
#include "task_record.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace yoke::scheduling {

class unit_loads {
 public:
  unit_loads(const machine_view& machine, const slab<task_record>& tasks)
      : machine_{machine}, tasks_{tasks}, bound_(machine.n_units()) {
    for (const int room : machine.room()) n_free_ += room > 0 ? 1 : 0;
  }

  bool is_free(std::size_t unit) const {
    return bound_[unit].size() < static_cast<std::size_t>(machine_.room()[unit]);
  }
  /// Whether any is.
  bool any_free() const { return n_free_ > 0; }
  void bind(std::size_t unit, std::uint32_t task);
  void release(std::size_t unit, std::uint32_t task);
  /// When a task that is bound next could begin, all others done; infinite where that is not known.
  /// Cost: O(room).
  seconds free_at(std::size_t unit, seconds now) const;

 private:
  const machine_view& machine_;
  const slab<task_record>& tasks_;
  std::vector<std::vector<std::uint32_t>> bound_;  ///< in the order in which they were
  int n_free_ = 0;
};

}  // namespace yoke::scheduling
