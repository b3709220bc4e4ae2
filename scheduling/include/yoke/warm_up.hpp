// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a program runs before its time counts.

#include <yoke/schedule.hpp>

namespace yoke {

/// What the passes that warmed up last have shown.
struct warm_up_outcome {
  bool map_is_new = false;          ///< data had to move to where the next pass wants them
  bool allowance_is_spent = false;  ///< warming up has taken what it may
};

/// How many passes warm up: one in which memory is touched and kernels are loaded, some for each map that is
/// new, and some for a schedule that learns. NPB-MZ follows it, and the simulator. A program says so to the
/// schedule by `workload::warms_up`. Pure.
///
///   yoke::warm_up rule{loop.plan(), passes};
///   while (const yoke::pass_id n = rule.next(loop.pass())) {
///     rt.run(loop, n, body);
///     loop.prepare();
///   }
///   loop.reset_times();
class warm_up {
 public:
  /// Passes that are asked for at most, beyond the first.
  static constexpr pass_id most = 256;

  /// `passes` will count. Runs of few are not warmed up for a schedule to learn, that would be a large part
  /// of them. Keeps the reference.
  warm_up(schedule& plan, pass_id passes);

  /// How many passes to run from `pass` on; 0: time may count. Where it is not the first call, `pass` was
  /// prepared.
  pass_id next(pass_id pass, warm_up_outcome last = {});

 private:
  bool goes_on(pass_id pass, warm_up_outcome last) const;
  bool wants_more() const;

  schedule& plan_;
  bool may_learn_;
  int times_ = 0;  ///< that passes were asked for
};

}  // namespace yoke
