#pragma once
/// Events of a schedule's units in virtual time: who asks next, and what comes of it.

#include "../maps/assignment.hpp"
#include "work_queue.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include <yoke/simulator.hpp>

namespace yoke::scheduling {

/// What surrounds the units.
struct simulation_rules {
  batch_time time;                                ///< without the slowdown
  std::vector<int> groups{};                      ///< of each unit; empty: 0
  std::vector<slowdown> slowdowns{};              ///< of each group
  std::function<bool(unit_id, pass_id)> is_away;  ///< empty: nobody ever is
  batch_watcher watcher;
  bool warms_up = false;  ///< simulation_options::warm_up
  /// Of each unit, whether it does as workload::waits_late says; empty: none.
  std::vector<char> waits_late{};
};

class simulation {
 public:
  /// Keeps references.
  simulation(schedule& plan, const workload& work, int n_units, const simulation_rules& rules);

  std::vector<simulated_pass> run(int passes, pass_order order) &&;

 private:
  struct unit_state {
    pass_id pass = 0;
    std::span<const task_id> batch;
    seconds started = 0;
    seconds waited = 0;     ///< since then
    seconds stopped = 0;    ///< when it last began to wait
    seconds rest = 0;       ///< of its batch, that needs others
    bool has_rest = false;  ///< and is to come
    work_queue* queue = nullptr;
    bool is_active = false;
    bool waits = false;  ///< for what its batch needs
  };

  /// Passes before `last`, the first of which is `pass`. Returns when the last unit has finished.
  seconds run_all(pass_id pass, pass_id last, pass_order order, seconds start);
  /// The pass before which all units meet again that begin `pass`.
  pass_id meeting_after(pass_id pass, pass_id last, pass_order order) const;
  /// Passes that do not count, before `passes` that do; returns how many.
  pass_id warm_up(pass_id passes, pass_order order);
  std::vector<unit_id> map_of(pass_id pass) const;
  /// `pass` of those that count, 0 before them.
  pass_id counted(pass_id pass) const { return std::max<pass_id>(pass - counted_from_, 0); }
  /// Everybody runs passes [first, last), beginning at `start`. Returns when the last unit has finished.
  seconds run(pass_id first, pass_id last, seconds start);
  /// What the passes took, to a plan that learns.
  void tell(pass_id first, pass_id passes, seconds time);
  work_queue* soonest();
  /// The unit has nothing open: it asks until it gets something or has no pass left.
  void step(unit_id unit, seconds now, pass_id last);
  void hand_out(unit_id unit, unit_state& own, seconds now);
  bool is_ready(const unit_state& own) const;
  /// Whether it begins the batch, which is all that it has in a known map, before what that needs is there.
  bool waits_late(unit_id unit, const unit_state& own) const;
  /// Of its batch, by weight: the tasks that need some of others.
  double part_that_needs_others(unit_id unit, const unit_state& own);
  /// Errors: usage_error for what no batch takes.
  seconds time_of(unit_id unit, const unit_state& own) const;
  void start(unit_id unit, unit_state& own, seconds now);
  /// What is left of a batch that the unit has begun, or nothing yet where that has to wait.
  void go_on(unit_id unit, unit_state& own, seconds now);
  void start_those_that_wait(seconds now);
  void let_go_of_undone();
  void finish(unit_id unit, unit_state& own, seconds now);
  void take(unit_id unit, task_id task, pass_id pass, std::vector<unit_id>& map) const;
  void set_active(unit_state& own, bool active, seconds now);
  void count_undone(pass_id pass);
  bool is_away(unit_id unit, pass_id pass) const {
    return rules_.is_away && rules_.is_away(unit, counted(pass));
  }
  simulated_pass& pass_of(pass_id pass) { return passes_[static_cast<std::size_t>(pass)]; }

  schedule& plan_;
  const workload& work_;
  const simulation_rules& rules_;
  std::vector<work_queue> queues_;
  std::vector<unit_state> units_;
  std::vector<simulated_pass> passes_;
  std::vector<char> started_;
  std::vector<unit_id> map_;  ///< of the passes that run; empty where it is open
  pass_id counted_from_ = 0;
  seconds counts_since_ = 0;
  std::vector<std::vector<task_id>> needs_;  ///< of each task; empty: units wait for no tasks
  pass_id all_past_ = 0;                     ///< the first pass that some unit may be in
  std::vector<pass_id> ended_;               ///< of each task the newest, where needs_ are asked
};

}  // namespace yoke::scheduling
