#pragma once
/// The schedule: a pure state machine that decides which compute unit runs which task.

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <yoke/ids.hpp>

namespace yoke {

/// Two tasks that exchange `bytes` between passes.
struct edge {
  task_id from;
  task_id to;
  std::size_t bytes = 0;
};

/// What is to be scheduled. Empty vectors: equal weights, zero bytes, no edges.
struct workload {
  int n_tasks = 0;
  std::vector<double> weights{};     ///< relative work of each task, > 0
  std::vector<std::size_t> bytes{};  ///< memory of each task's data
  std::vector<edge> edges{};
};

/// A compute unit as a schedule sees it.
struct unit {
  unit_kind kind = unit_kind::cpu;
  space_id space = host_space;
  std::size_t memory = 0;  ///< bytes of its space that its tasks may use; 0: unlimited
  int cpus = 1;            ///< CPUs of a CPU CU: with several it can run tasks of a batch side by side
  int processors = 1;      ///< of a GPU CU: its SMs or CUs, a first guess at its speed; 1: unknown
};

/// Which CU runs which task. Implementations own no thread, clock or device and read no environment.
/// Passes of different units may overlap: a unit may be in pass p+1 while another still runs pass p, but a
/// unit asks for pass p+1 only after next(unit, p) gave an empty batch and all its batches of p are done.
class schedule {
 public:
  virtual ~schedule() = default;

  /// Hands `unit` the tasks it should run next, as one batch; empty when this unit has no more in this pass.
  /// The span stays valid until the unit's next call. Thread-safe: all units may call at once.
  /// Requires 0 <= unit < number of units and passes asked in ascending order by each unit.
  virtual std::span<const task_id> next(unit_id unit, pass_id pass) = 0;

  /// `unit` has finished the batch that next gave it, in `time` seconds (0 when timing is off).
  virtual void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) = 0;

  /// True for those that may give another map in every pass, or build it in the first (is_dynamic of Table
  /// 5).
  virtual bool is_dynamic() const = 0;
  /// From this pass on every unit gets the same tasks in every pass (but see shares_among_cpus). -1 for a
  /// schedule that never settles, and for one that decides from measured times until it has decided.
  virtual pass_id fixed_from() const = 0;
  /// Whether from then on CPU CUs may take each other's tasks: what the map gives to any of them is run by
  /// one or the other, and stays in host memory. For those who lay out more by the map than memories.
  virtual bool shares_among_cpus() const { return false; }
  /// The map that holds from fixed_from() on (unit of every task), for reports and for laying out messages;
  /// empty while there is none. Thread-safe, as are fixed_from and describe.
  virtual std::vector<unit_id> map() const = 0;
  /// The map of `pass`, where it can be told before the pass: also one that holds for this pass only, while
  /// the schedule still measures. Empty where units decide by asking. Only while no unit is in a pass, and
  /// for the one that comes next: a schedule may decide now what it would else decide when the first unit
  /// asks.
  virtual std::vector<unit_id> map_of(pass_id pass) {
    return fixed_from() >= 0 && pass >= fixed_from() ? map() : std::vector<unit_id>{};
  }
  /// The first pass that may have another map than `pass`, which is the next one as map_of has it: until then
  /// passes can be run without asking. Only while no unit is in a pass.
  virtual pass_id holds_until(pass_id pass) {
    const pass_id fixed = fixed_from();
    return fixed >= 0 && pass >= fixed ? std::numeric_limits<pass_id>::max() : pass + 1;
  }

  /// Whether it would be told by `rehearsed` what units need, before the first pass.
  virtual bool wants_rehearsal() const { return false; }
  /// `unit` has run tasks of this weight in `time` seconds on data that nobody needs. Thread-safe.
  virtual void rehearsed(unit_id /*unit*/, double /*weight*/, seconds /*time*/) {}
  /// Passes [first, first + passes) took `time` seconds from the first unit's begin to the last one's end.
  /// Only while no unit is in a pass.
  virtual void ran(pass_id /*first*/, pass_id /*passes*/, seconds /*time*/) {}

  /// One line of what was decided, for reports: "static-hybrid: pcf=12.3 (fitted), 12 tasks on GPUs, 4 on
  /// CPUs".
  virtual std::string describe() const = 0;
};

}  // namespace yoke
