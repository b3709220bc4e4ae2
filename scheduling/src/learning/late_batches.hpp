#pragma once
/// Batches of CPU CUs that took far longer than usual: others used the CPU.

#include "../maps/forecast.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// The newest batches of a unit, by pass. Not thread-safe.
class passes_of_unit {
 public:
  struct batch {
    pass_id pass = 0;
    double weight = 0;
    seconds time = 0;
  };
  void add(batch of);
  void forget() { *this = {}; }
  std::span<const batch> all() const { return kept_; }

 private:
  std::vector<batch> kept_;
  std::size_t oldest_ = 0;
};

/// How many passes had late batches, by the speed of each unit that told: a burst of them in one pass counts
/// once, and the first such pass is taken for chance.
lateness lateness_of(std::span<const std::vector<passes_of_unit::batch>> units,
                     std::span<const speed> speeds);

}  // namespace yoke::scheduling
