#pragma once
/// What a runtime is made of, over devices that a test chooses, and a way to act as each of its units.

#include "spaces.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/openmp.hpp>
#include <yoke/region_table.hpp>

namespace spaces {

/// Current while it lives. `gpus[g]` is the device of GPU unit g, `their_spaces[g]` its space.
class parts {
 public:
  parts(int cpu_units, const std::vector<yoke::device*>& devices, const std::vector<yoke::device*>& gpus,
        const std::vector<yoke::space_id>& their_spaces)
      : table_{devices},
        units_{shape(cpu_units, gpus.size()),
               std::vector<yoke::place>(static_cast<std::size_t>(cpu_units) + gpus.size(), yoke::place{0}),
               gpus, their_spaces} {
    table_.serve(units_);
    yoke::detail::current_regions().exchange(&table_);
    yoke::detail::current_units().exchange(&units_);
  }
  /// A GPU unit for each of two devices.
  parts(int cpu_units, yoke::device& a, yoke::device& b)
      : parts{cpu_units, {&a, &b}, {&a, &b}, {first, second}} {}
  ~parts() {
    yoke::detail::current_regions().exchange(nullptr);
    yoke::detail::current_units().exchange(nullptr);
  }
  parts(const parts&) = delete;
  parts& operator=(const parts&) = delete;

  yoke::region_table& memory() { return table_; }
  const yoke::compute_units& units() const { return units_; }
  const yoke::compute_unit& unit(int id) const { return units_.at(yoke::unit_id{id}); }
  /// Waits for what the unit has queued, as the end of a batch does.
  void finish(int id) const { units_.finish(unit(id)); }
  void finish_all() const {
    for (const yoke::compute_unit& each : units_.all()) units_.finish(each);
  }

  /// The body runs as if the unit's thread of the outer team called it.
  template <class Body>
  static void as(int unit, const Body& body) {
    const yoke::openmp::outer_region region{unit};
    body();
  }

 private:
  static yoke::configuration shape(int cpu_units, std::size_t gpus) {
    const std::string cpus = cpu_units == 0 ? "" : std::to_string(cpu_units) + "x1";
    return yoke::parse_configuration({cpus + "+" + std::to_string(gpus), "the test"});
  }

  yoke::region_table table_;
  yoke::compute_units units_;
};

}  // namespace spaces
