#pragma once
/// Where zones begin, and which CU works on each zone where it is.

#include "driver/step/zone_store.hpp"

#include <span>
#include <vector>

#include <yoke/runtime.hpp>

namespace npb {

class placing {
 public:
  /// `weights`: by zone.
  placing(const yoke::runtime& rt, const zone_store& zones, std::span<const double> weights);

  /// The CU in whose memory each zone begins where nobody says it: in equal shares where there are GPU CUs
  /// only; empty, for host memory, where there are CPU CUs, which will have some of them.
  std::vector<yoke::unit_id> by_share() const;
  /// A CU of the space of each zone, in even shares; any where a space has no CU.
  std::vector<yoke::unit_id> by_place() const;
  std::vector<yoke::unit_id> all_units() const;

 private:
  std::vector<yoke::unit_id> units_in(yoke::space_id space) const;

  const yoke::runtime& rt_;
  const zone_store& zones_;
  std::span<const double> weights_;
};

}  // namespace npb
