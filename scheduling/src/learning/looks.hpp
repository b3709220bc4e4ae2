#pragma once
/// Which passes count, and how long `auto` goes without a look at its map.

#include "estimate.hpp"

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// A program may run passes before its time counts, and say how many there will be then.
class counted_passes {
 public:
  explicit counted_passes(const workload& work) : passes_{work.passes}, from_{work.warms_up ? none : 0} {}

  bool have_begun() const { return from_ != none; }
  void begin(pass_id pass) { from_ = have_begun() ? from_ : pass; }
  /// Of a change of the map where `newest` is the pass that begins.
  horizon horizon_at(pass_id newest) const;

 private:
  static constexpr pass_id none = -1;

  pass_id passes_, from_;
};

/// So many passes, each of which takes `pass`, are timed before they decide.
pass_id block_of(seconds pass);
/// Passes until the next look: as many as there were with this map, until looking is cheap.
pass_id period_after(pass_id age, seconds pass, double overlap);

}  // namespace yoke::scheduling
