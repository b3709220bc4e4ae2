#pragma once
/// What a loop shows of itself in the trace.

#include "loop_account.hpp"

#include <span>

#include <yoke/clock.hpp>
#include <yoke/trace.hpp>

namespace yoke::detail {

/// When a task or batch ran, and in which pass.
struct execution {
  unit_id unit;
  pass_id pass = 0;
  ticks began = 0;
  ticks ended = 0;
};

/// Does nothing without a recorder. Each CU's thread writes to the CU's own tracks.
class loop_trace {
 public:
  loop_trace(const workload& work, int n_units) : work_{work}, n_units_{n_units} {}
  /// `number`: of the loop in its runtime.
  void write_to(trace_recorder* recorder, int number);
  bool is_on() const { return recorder_ != nullptr; }

  void lined_up(unit_id unit, ticks came);
  void ran(const execution& when, task_id task) const;
  void ran(const execution& when, std::span<const task_id> batch) const;

 private:
  trace_arguments shown(const execution& when, task_id task) const;

  const workload& work_;
  int n_units_;
  trace_recorder* recorder_ = nullptr;
  int number_ = 0;
};

}  // namespace yoke::detail
