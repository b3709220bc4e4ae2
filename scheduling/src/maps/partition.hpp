#pragma once
/// Tasks for units of known speeds, neighbours together.

#include "assignment.hpp"

#include <span>
#include <string>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

struct partition_plan {
  assignment shares;
  seconds makespan = 0;  ///< of the slowest unit, with what its space exchanges
  double cut_bytes = 0;  ///< exchanged between spaces in a pass
};

/// What exchanges between spaces get.
class exchange_rates {
 public:
  /// `usual`: bytes a second between spaces of which `links` says nothing.
  exchange_rates(double usual, std::span<const space_link> links)
      : usual_{usual}, links_{links.begin(), links.end()} {}
  double between(space_id from, space_id to) const;
  /// "12 GB/s", "12 to 300 GB/s".
  std::string text() const;

 private:
  double usual_;
  std::vector<space_link> links_;
};

/// What links between devices are known to give, and what is usual through the host.
exchange_rates usual_rates(const workload& work);

/// What a map takes so.
partition_plan cost_of(assignment shares, const workload& work, std::span<const unit> units,
                       std::span<const speed> speeds, const exchange_rates& rates);

/// Each space gets as much weight as units of it have in `loads`, as a region with few bytes to others; its
/// units share it longest first; then tasks move from the latest unit while that makes the pass shorter. A
/// space exchanges its bytes at these rates after its units have finished.
partition_plan partition(const assignment& loads, const workload& work, std::span<const unit> units,
                         std::span<const speed> speeds, const exchange_rates& rates);

/// The tasks of `from` dealt out to its units longest first, in the numbers of the whole: `tasks` and `among`
/// say which tasks and units there are.
void deal_out(std::span<const int> tasks, std::span<const std::size_t> among, const workload& work,
              std::span<const unit> units, std::span<const speed> speeds, assignment& shares);

}  // namespace yoke::scheduling
