#pragma once
/// A look at what is ready: which task takes which unit now.

#include "binder_state.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace yoke::scheduling {

/// A task and the units that it takes.
struct choice {
  std::uint32_t task = none;
  std::vector<int> units{};
  seconds begin = 0;
};

/// Goes through ready tasks, the more urgent first, as if each were bound to the unit where it ends first,
/// until one meets a unit that has room for it. Those before it wait for others, and hold on to these.
class ready_look {
 public:
  explicit ready_look(const binder_state& of) : of_{of} {}

  /// Null where none takes any; valid until the next call.
  const choice* find(seconds now);

 private:
  /// Of a unit, with what more urgent tasks will take.
  struct outlook {
    seconds free_at = 0;
    seconds gap_end = 0;  ///< until when it is free now; infinite where nobody holds it
    bool has_room = false;
    seconds free_at_first = 0;  ///< with what is bound to it, and no more
  };
  /// On one unit.
  struct offer {
    int unit = -1;
    seconds begin = 0, end = 0;
    // Of two that end at one time that with fewer copies is better, then that which keeps its unit idle for
    // less: there a chain stays where it is, and others get what is free.
    seconds copies = 0, idle = 0;
    bool is_now = false;  ///< it can be bound there now

    bool is_better_than(const offer& other) const {
      return std::tuple{end, copies, idle, unit} <
             std::tuple{other.end, other.copies, other.idle, other.unit};
    }
  };
  struct cursor {
    const unit_list* list = nullptr;
    std::size_t at = 0;
  };

  outlook& at(int unit) { return units_[static_cast<std::size_t>(unit)]; }
  const outlook& at(int unit) const { return units_[static_cast<std::size_t>(unit)]; }
  bool is_unheld(int unit) const;
  static const ready_task& task_at(const cursor& of) { return of.list->ready.window()[of.at]; }

  std::optional<const choice*> find_where_all_are_alike(seconds now);
  std::optional<const choice*> take_first_free(const ready_task& ready);
  void begin(seconds now);
  void open(const unit_list& list);
  const choice* first_that_takes();
  const choice* one_behind(const unit_list& list);
  const choice* consider(const ready_task& ready, const unit_list& list);
  const choice* take(choice& into, const ready_task& ready, int unit, seconds when);
  const choice* take_first(const ready_task& ready, const unit_list& list);
  const choice* consider_team(const ready_task& ready, const unit_list& list);
  bool waits_for_others(const task_record& task, int unit) const;
  bool is_measured(const task_record& task, int unit) const;
  std::span<const int> candidates(const unit_list& list);
  offer best_offer(const task_record& task, const unit_list& list);
  offer offer_of(int unit, seconds time, const data_arrival& data) const;
  void hold(int unit, seconds from, seconds until);
  void find_first_of(std::size_t group);

  const binder_state& of_;
  seconds now_ = 0;
  std::vector<outlook> units_;
  std::vector<int> first_of_;  ///< of each group, the unit that nobody holds and that is through first; or -1
  std::vector<int> held_, candidates_;
  std::vector<cursor> lists_, open_;
  choice found_, ahead_;
};

}  // namespace yoke::scheduling
