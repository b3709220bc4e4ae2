#pragma once
/// What `auto` makes of a profile, and what it puts into one.

#include "alternatives.hpp"
#include "observations.hpp"

#include <optional>
#include <span>

#include <yoke/profile.hpp>

namespace yoke::scheduling {

/// Tells `told` of batches as the earlier runs had them: few where few runs have seen a unit, so that new
/// ones soon outnumber them.
void tell_again(const profile& earlier, const workload& work, std::span<const unit> units,
                observations& told);

struct recollection {
  alternative best;    ///< to begin with
  alternatives known;  ///< the maps that were measured and can be had
};

/// nullopt where the profile is of other units or its map does not fit into the memories, or would leave a
/// GPU CU without tasks that fewer than two runs have seen: one bad run must not idle a GPU for good.
std::optional<recollection> recollect(const profile& earlier, const workload& work,
                                      std::span<const unit> units);

/// What this run has told, `present` being the map in force. Nothing of units and maps that it did not use.
profile to_profile(const observations& told, const alternatives& known, const alternative& present,
                   const workload& work, std::span<const unit> units);

}  // namespace yoke::scheduling
