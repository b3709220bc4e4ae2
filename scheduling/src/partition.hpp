#pragma once
/// Tasks for units of known speeds, neighbours together.

#include "assignment.hpp"

#include <span>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

struct partition_plan {
  assignment shares;
  seconds makespan = 0;  ///< of the slowest unit, with what its space exchanges
  double cut_bytes = 0;  ///< exchanged between spaces in a pass
};

/// Each space gets as much weight as units of it have in `loads`, as a region with few bytes to others; its
/// units share it longest first; then tasks move from the latest unit while that makes the pass shorter. A
/// space exchanges its bytes at `bandwidth` bytes a second after its units have finished.
partition_plan partition(const assignment& loads, const workload& work, std::span<const unit> units,
                         std::span<const speed> speeds, double bandwidth);

/// The tasks of `from` dealt out to its units longest first, in the numbers of the whole: `tasks` and `among`
/// say which tasks and units there are.
void deal_out(std::span<const int> tasks, std::span<const std::size_t> among, const workload& work,
              std::span<const unit> units, std::span<const speed> speeds, assignment& shares);

}  // namespace yoke::scheduling
