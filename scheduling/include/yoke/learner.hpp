// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a schedule is told beyond the times of its batches, and what it knows at the end.

#include <yoke/ids.hpp>
#include <yoke/profile.hpp>

namespace yoke {

/// The part of a schedule that learns what its machine is like, see schedule::learning. Each call has a
/// default.
///
///   if (learner* const of = plan.learning()) of->recall(earlier);
class learner {
 public:
  /// Whether it would be told by `rehearsed` what units need, before the first pass.
  virtual bool wants_rehearsal() const { return false; }
  /// `unit` has run tasks of this weight in `time` seconds on data that nobody needs. Thread-safe.
  virtual void rehearsed(unit_id /*unit*/, double /*weight*/, seconds /*time*/) {}
  /// Whether it would learn from more passes whose time does not count, in a program that runs such first
  /// (workload::warms_up). Only while no unit is in a pass.
  virtual bool wants_warm_up() const { return false; }
  /// From the next pass on the program's time counts, if it did not yet. Only while no unit is in a pass.
  virtual void time_counts() {}
  /// Passes [first, first + passes) took `time` seconds: from the first unit's begin to the last one's end,
  /// or where passes go on, from when one unit was through with those before to when one was with these.
  /// Thread-safe: other units may be in passes.
  virtual void ran(pass_id /*first*/, pass_id /*passes*/, seconds /*time*/) {}

  /// What was learnt in this run, for a later one of the same work on the same units; {}: nothing. Only while
  /// no unit is in a pass.
  virtual profile learnt() const { return {}; }
  /// Earlier runs have learnt this. Before the first pass.
  virtual void recall(const profile& /*earlier*/) {}

 protected:
  ~learner() = default;
};

}  // namespace yoke
