#pragma once
/// What a binder knows: tasks, units, times of kinds, where pieces are; and how that changes.

#include "kind_times.hpp"
#include "machine_view.hpp"
#include "piece_places.hpp"
#include "task_record.hpp"
#include "unit_lists.hpp"
#include "unit_loads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace yoke::scheduling {

/// What a task reads, in one memory.
struct data_arrival {
  seconds at = 0;      ///< when all can be there, and what the task comes after has ended
  seconds copies = 0;  ///< that bring it, one after the other
};

class binder_state {
 public:
  explicit binder_state(const task_machine& of) : machine{of} {}

  /// What a unit takes for a task, as a choice goes by it; 0 where nothing is known.
  seconds time_of(const task_record& task, std::size_t unit) const;
  data_arrival data_of(const task_record& task, std::size_t unit, seconds now) const;

  /// A task that waits for nothing yet; complete when admit is called.
  std::uint32_t add(const task_request& next);
  void come_after(std::uint32_t record, std::uint32_t before);
  void admit(std::uint32_t record);
  /// Requires a ready task, and units with room.
  void bind(std::uint32_t record, std::span<const int> units, seconds begin);
  void start(std::uint32_t record, seconds now);
  /// Requires one that is bound.
  void end(std::uint32_t record, seconds now);
  /// Requires one that is neither bound nor over.
  void cancel(std::uint32_t record);

  machine_view machine;
  slab<task_record> tasks{};
  kind_times times{machine.promised()};
  piece_places pieces{machine};
  unit_loads loads{machine, tasks};
  unit_lists lists{machine.n_units()};
  std::size_t n_told = 0, n_ready = 0;
  bool is_settled = false;  ///< a look has found nothing, and none of these has changed since

 private:
  void add_uses(task_record& task, std::span<const piece_use> uses);
  void make_ready(std::uint32_t record);
  void leave_ready(std::uint32_t record);
  seconds least_time(const task_record& task) const;
  void place_pieces(const task_record& task, std::size_t space, seconds end);
  void count_bound(std::uint32_t first, seconds end);
  void count_ended(std::uint32_t first, seconds now);
  void pass(std::uint32_t record, std::vector<std::uint32_t>& left);
  void release(std::uint32_t record);
  void remove(std::uint32_t record);

  slab<successor_link> successors_{};
  slab<use_link> uses_{};
  /// Of tasks on several CPU CUs, all of them.
  std::unordered_map<std::uint32_t, std::vector<int>> teams_{};
  std::vector<std::uint32_t> ended_{};  ///< what is counted
  std::uint64_t n_orders_ = 0;
  seconds now_ = 0;
};

}  // namespace yoke::scheduling
