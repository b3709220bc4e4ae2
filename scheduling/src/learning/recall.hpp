#pragma once
/// What `auto` makes of a profile, and what it puts into one.

#include "candidates.hpp"
#include "heard.hpp"

#include <optional>
#include <span>

#include <yoke/profile.hpp>

namespace yoke::scheduling {

/// Tells `told` of batches as the earlier runs had them: few where few runs have seen a unit, so that new
/// ones soon outnumber them.
void tell_again(const profile& earlier, const workload& work, std::span<const unit> units,
                heard_batches& told);

struct timed_map {
  alternative what;
  estimate pass;
};

struct recollection {
  alternative best;              ///< to begin with
  std::vector<timed_map> known;  ///< that can be had
};

/// nullopt where the profile is of other units or its map does not fit into the memories, or would leave a
/// GPU CU without tasks that fewer than two runs have seen: one bad run must not idle a GPU for good.
std::optional<recollection> recollect(const profile& earlier, const workload& work,
                                      std::span<const unit> units);

/// What this run has told: speeds of the units that it used, and the best map that it timed.
profile to_profile(const heard_batches& told, const heard_speeds& heard, const candidates& known,
                   std::span<const unit> units);

}  // namespace yoke::scheduling
