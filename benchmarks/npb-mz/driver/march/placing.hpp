#pragma once
/// Where zones begin, and which CU works on each zone where it is.

#include "common/solver.hpp"
#include "driver/step/zone_store.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <yoke/runtime.hpp>

namespace npb {

class placing {
 public:
  /// `weights`: by zone.
  placing(const yoke::runtime& rt, const benchmark& what, const zone_store& zones,
          std::span<const double> weights);

  /// The CU in whose memory each zone begins under the map of the first pass. Where that is empty: in equal
  /// shares where there are GPU CUs only; empty, for host memory, where there are CPU CUs, which will have
  /// some of them, or where an even share is too much for a device. Errors: those of check_room.
  std::vector<yoke::unit_id> first_places(const std::vector<yoke::unit_id>& first) const;
  /// Errors: out_of_memory of the first device that lacks memory for its zones, before any of them has moved.
  void check_room(const std::vector<yoke::unit_id>& map) const;
  /// A CU of the space of each zone, in even shares; any where a space has no CU.
  std::vector<yoke::unit_id> by_place() const;
  std::vector<yoke::unit_id> all_units() const;

 private:
  struct demand {  ///< on a memory space
    std::size_t bytes = 0;
    int zones = 0;
  };
  std::vector<demand> demands_of(const std::vector<yoke::unit_id>& map) const;
  std::vector<yoke::unit_id> units_in(yoke::space_id space) const;

  const yoke::runtime& rt_;
  const benchmark& what_;
  const zone_store& zones_;
  std::span<const double> weights_;
};

}  // namespace npb
