#pragma once
/// What moving data between memories takes, where nothing was measured.

#include <yoke/ids.hpp>
#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// Copies with the memory that is taken for them, on one and two H200s.
struct moving_price {
  double into_or_out_of_host;  ///< bytes a second
  double between_devices;      ///< bytes a second
  seconds at_all;  ///< where anything moves: memory for messages, and copies that wait for each other

  seconds time_of(double bytes, space_id from, space_id to) const {
    const bool is_on_host = from == host_space || to == host_space;
    return bytes / (is_on_host ? into_or_out_of_host : between_devices);
  }
  /// With what comes beside `copies`, as time_of tells them; nothing where nothing moves.
  seconds in_all(seconds copies) const { return copies > 0 ? at_all + copies : 0; }
};

/// Zones of NPB-MZ, each with its fields and tables, between two steps.
constexpr moving_price of_regions{.into_or_out_of_host = 4e9, .between_devices = 1e10, .at_all = 5e-3};
/// Parts of arrays: few and large, between two loops.
constexpr moving_price of_parts{.into_or_out_of_host = 4e9, .between_devices = 2e10, .at_all = 1e-3};

}  // namespace yoke::scheduling
