#pragma once
/// Keeps an assignment within the memory of the spaces.

#include "assignment.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// What is left of each space's memory while tasks are assigned. Units of one space share it: the least limit
/// that any of them states.
class memory_limits {
 public:
  memory_limits(const workload& work, std::span<const unit> units);

  /// Whether some space has no room for all tasks: else nothing has to be looked after.
  bool any() const { return any_; }
  bool fits(task_id task, unit_id unit) const { return bytes_of(task, unit) <= free_[slot_of_[index(unit)]]; }
  void take(task_id task, unit_id unit) { free_[slot_of_[index(unit)]] -= bytes_of(task, unit); }
  void give_back(task_id task, unit_id unit) { free_[slot_of_[index(unit)]] += bytes_of(task, unit); }
  /// Below 0 where more was taken than there is.
  std::int64_t free_at(unit_id unit) const { return free_[slot_of_[index(unit)]]; }

 private:
  bool can_be_met(std::span<const unit> units) const;
  std::int64_t bytes_of(task_id task, unit_id unit) const {
    const std::vector<std::int64_t>& bytes = on_gpu_[index(unit)] != 0 ? gpu_bytes_ : bytes_;
    return bytes.empty() ? 0 : bytes[index(task)];
  }

  bool any_ = false;
  std::vector<std::int64_t> bytes_;
  std::vector<std::int64_t> gpu_bytes_;  ///< with what a GPU CU needs beside
  std::vector<char> on_gpu_;             ///< of each unit
  std::vector<std::size_t> slot_of_;     ///< of each unit
  std::vector<std::int64_t> free_;
};

/// Moves tasks out of spaces that are too full, largest first, each to the unit with the least work among
/// those with room; where that fails, packs all tasks anew, largest first. Shares stay ascending. nullopt
/// when the tasks cannot be packed so.
std::optional<assignment> try_fit(assignment shares, const workload& work, std::span<const unit> units);

/// The same. Errors: out_of_memory with the numbers instead of nullopt.
assignment fit_into_memory(assignment shares, const workload& work, std::span<const unit> units,
                           std::string_view schedule_name);

}  // namespace yoke::scheduling
