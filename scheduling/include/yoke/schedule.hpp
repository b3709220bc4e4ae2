// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The schedule: a pure state machine that decides which compute unit runs which task.

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <yoke/ids.hpp>

namespace yoke {

class learner;

/// Two tasks that exchange `bytes` between passes.
struct edge {
  task_id from;
  task_id to;
  std::size_t bytes = 0;
};

/// Copies from one space to another get so many bytes a second.
struct space_link {
  space_id from;
  space_id to;
  double bandwidth = 0;  ///< from 1e-200 to 1e200
};

/// What is to be scheduled. Empty vectors: equal weights, zero bytes, no edges.
struct workload {
  int n_tasks = 0;
  std::vector<double> weights{};     ///< relative work of each task, from 1e-200 to 1e200
  std::vector<std::size_t> bytes{};  ///< memory of each task's data
  /// What a GPU CU needs beside a task's data in its space, which moves with no task.
  std::vector<std::size_t> gpu_bytes{};
  std::vector<edge> edges{};
  std::string name{};  ///< what the tasks do ("SP-MZ C"), for reports and profiles
  /// How many there will be whose time counts, so that nothing is moved that cannot pay; 0: unknown.
  pass_id passes = 0;
  bool warms_up = false;  ///< passes come first whose time does not count, until learner::time_counts
  /// GPU CUs whose share is known begin a pass with what needs no other CU's tasks of the pass before
  /// (`edges`), and wait for these only then: CPU CUs may be late by a part of a pass, and nobody waits.
  bool waits_late = false;
  /// Bytes that the tasks may use in each space, by its number; where it ends, or says 0, unit::memory holds.
  std::vector<std::size_t> room{};
  /// What is known of the way between spaces. Of other pairs a schedule assumes what is usual through host
  /// memory.
  std::vector<space_link> links{};
};

/// The relative work of a task of `work`: 1 where it says nothing.
inline double weight_of(const workload& work, task_id task) {
  return work.weights.empty() ? 1.0 : work.weights[static_cast<std::size_t>(static_cast<int>(task))];
}
/// Of several, added in their order.
inline double weight_of(const workload& work, std::span<const task_id> tasks) {
  double total = 0;
  for (const task_id task : tasks) total += weight_of(work, task);
  return total;
}

/// A compute unit as a schedule sees it.
struct unit {
  unit_kind kind = unit_kind::cpu;
  space_id space = host_space;
  std::size_t memory = 0;  ///< bytes of its space that its tasks may use; 0: unlimited
  int cpus = 1;            ///< CPUs of a CPU CU: with several it can run tasks of a batch side by side
  int processors = 1;      ///< of a GPU CU: its SMs or CUs, a first guess at its speed; 1: unknown
  int numa_node = 0;       ///< of its CPUs, or of the first where they span several
};

/// What a schedule knows of a pass before units ask for it. {}: nothing, the pass is open.
struct pass_plan {
  static constexpr pass_id for_good = std::numeric_limits<pass_id>::max();

  std::vector<unit_id> map{};  ///< unit of each task
  pass_id until = 0;           ///< the first pass that may have another map, or cut it into other batches
  bool cpus_share = false;     ///< CPU CUs may take each other's tasks, whose data stay in host memory

  bool is_open() const { return until == 0; }
  /// This map, for this pass and all that follow.
  bool is_settled() const { return until == for_good; }
  /// Who asks first decides who runs what, if only among CPU CUs: is_dynamic of Table 5.
  bool is_first_come() const { return is_open() || cpus_share; }
};

/// Which CU runs which task. Implementations own no thread, clock or device and read no environment; one that
/// hands out tasks anew in every pass implements `next` and `describe`.
/// Passes of different units may overlap: a unit may be in pass p+1 while another still runs pass p, but a
/// unit asks for pass p+1 only after next(unit, p) gave an empty batch and all its batches of p are done.
class schedule {
 public:
  virtual ~schedule() = default;

  /// Hands `unit` the tasks it should run next, as one batch; empty when this unit has no more in this pass.
  /// The span stays valid until the unit's next call. Thread-safe: all units may call at once.
  /// Requires 0 <= unit < number of units and passes asked in ascending order by each unit.
  virtual std::span<const task_id> next(unit_id unit, pass_id pass) = 0;
  /// `unit` has finished the batch that next gave it, in `time` seconds (0 when timing is off). Thread-safe.
  virtual void done(unit_id /*unit*/, pass_id /*pass*/, std::span<const task_id> /*batch*/,
                    seconds /*time*/) {}
  /// One line of what was decided, for reports: "static-hybrid: pcf=12.3 (fitted), 12 tasks on GPUs, 4 on
  /// CPUs". Thread-safe.
  virtual std::string describe() const = 0;

  /// `pass` comes next, and no unit has asked for it: a schedule decides now what it would else decide when
  /// the first unit does, so that plan_of can tell. Whoever runs passes may call it, again too. Thread-safe.
  virtual void prepare(pass_id /*pass*/) {}
  /// What is known of `pass`: it decides nothing. Once settled, always settled, with the same map.
  /// Thread-safe.
  virtual pass_plan plan_of(pass_id /*pass*/) const { return {}; }
  /// Of a schedule that decides by asking and never gives a space more than its memory, where no space has
  /// room for all tasks: the unit in whose space each task's data must be before the first pass. {} of
  /// others.
  virtual std::vector<unit_id> homes() const { return {}; }

  /// Of a schedule that would be told more, and knows more for the next run, itself as that:
  /// <yoke/learner.hpp>. nullptr of others. It lives as long as the schedule.
  virtual learner* learning() { return nullptr; }
};

}  // namespace yoke
