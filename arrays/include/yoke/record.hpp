// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops that are listed once and run many times.
///
///   yoke::recording step = yoke::record(rt, [&] {
///     yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(a), out(b), omega);
///     yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(b), out(a), omega);
///   });
///   for (int k = 0; k < 500; ++k) step.replay();

#include <functional>
#include <memory>

#include <yoke/detail/recorder.hpp>

namespace yoke {

class runtime;

/// What record has listed. Movable; may end after its arrays and its runtime, but not be replayed then.
class recording {
 public:
  explicit recording(detail::ended_in_turn<detail::recorded_steps> steps);
  ~recording();
  recording(recording&&) noexcept;
  recording& operator=(recording&&) noexcept;

  /// Runs the loops in their order: CPU CUs meet in one parallel region for all of them, a GPU gets a graph
  /// for each stretch in which it meets no other memory. Values are those that were given to record. Results
  /// of reductions are combined with what their variables hold, at the end and in the order of loops; so
  /// those variables live as long as this. Those for arrays are there before the next loop.
  ///
  /// Returns as for_each does: with reductions and under YOKE_CHECK=1 all has finished. When it throws, the
  /// elements of all arrays that its loops write are undefined. Errors: usage_error inside a parallel region
  /// or a record, where an array of the recording was detached, has ended, or has another's contents after a
  /// swap; those of for_each.
  /// Cuts that have moved since the last time are gone by; none moves during a replay.
  void replay();

 private:
  detail::ended_in_turn<detail::recorded_steps> steps_;
};

/// Lists for_each, exchange and swap that `loops` calls, and runs none of them. Swaps leave each array with
/// the contents that it had. Errors: usage_error where they do not, for any other call that reads or moves
/// elements, inside a parallel region or another record; those that for_each finds before it runs.
[[nodiscard]] recording record(runtime& rt, const std::function<void()>& loops);

}  // namespace yoke
