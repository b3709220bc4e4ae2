#pragma once
/// Which passes count, and how long `auto` goes without a look at its map.

#include "alternatives.hpp"

#include <optional>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// The first pass with a map is cold, and one that is no longer than the period of a look is not overlapped
/// with others.
inline constexpr pass_id shortest_period = 2;
/// The least of what the longest period may come to.
inline constexpr pass_id steady_after = 12;

/// Where a program rehearses, so many passes of a map say nothing of CPU CUs beside GPUs: in the first they
/// take over tasks, and in the next they were seen to lose up to half of a pass of SP-MZ class D.
inline constexpr pass_id cold_of_cpus = 2;
/// And as many are cold by the clock: a GPU lays its work out and captures it.
inline constexpr pass_id cold_by_clock = 4;
/// There is a look after so many passes, whatever the periods are: by then most is known.
inline constexpr pass_id look_at = 10;

/// What a look takes, beside what passes lose for they do not overlap across it.
inline constexpr seconds meeting = 3e-4;
/// How much of a pass is lost at a look, for passes do not overlap across it.
double overlap_of(use how);

/// Passes after which looking is cheap.
pass_id cheap_period(pass_time now, use how);
/// Passes until the next look: as many as there were with this map, up to so many that looking is cheap.
pass_id period_after(pass_id age, std::optional<pass_time> now, use how);

/// The pass before which CPU CUs alone are not looked at from `from` on, by what a pass takes: what short
/// ones tell of each CU is noise, and following it takes tasks away from the caches that have their data.
/// That is `end`, where the loop ends before as much comes after it: what a look takes would not be won back.
pass_id look_at_cpus(pass_id from, seconds pass, pass_id end);
/// The same after a change of the map: how many passes, which take `pass` each, a new one is left to run.
pass_id period_when_new(seconds pass, bool is_rehearsed, bool has_gpus);

/// The passes in which a change of the map has to pay.
struct horizon {
  pass_id passes = 0;    ///< that are left, or as many as there were where nobody knows
  bool is_free = false;  ///< it is over before the program's time counts
};

/// A program may run passes before its time counts, and say how many there will be then.
class counted_passes {
 public:
  explicit counted_passes(const workload& work) : passes_{work.passes}, from_{work.warms_up ? none : 0} {}

  bool have_begun() const { return from_ != none; }
  void begin(pass_id pass) { from_ = have_begun() ? from_ : pass; }
  /// Where the program has said how many there will be: the pass behind the last one.
  pass_id end() const {
    const bool is_known = have_begun() && passes_ > 0 && passes_ < pass_plan::for_good - from_;
    return is_known ? from_ + passes_ : pass_plan::for_good;
  }
  /// Of a change of the map where `newest` is the pass that begins.
  horizon horizon_at(pass_id newest) const;

 private:
  static constexpr pass_id none = -1;

  pass_id passes_, from_;
};

}  // namespace yoke::scheduling
