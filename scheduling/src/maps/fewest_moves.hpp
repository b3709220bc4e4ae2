#pragma once
/// Mending a map by moving few tasks.

#include "assignment.hpp"

#include <span>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

struct mended_map {
  assignment shares;
  seconds makespan = 0;
  int moved = 0;  ///< tasks with another unit than before
};

/// Moves tasks from the unit that is last to the one that would have them done first, the heaviest that
/// helps, until nothing helps or the makespan is within `slack` of what tasks cut at will would need. Keeps
/// to the memory of each space. Of tasks of equal weight the one that has most neighbours in the memory it
/// goes to is moved.
mended_map move_few(assignment shares, const workload& work, std::span<const unit> units,
                    std::span<const speed> speeds, double slack);

}  // namespace yoke::scheduling
