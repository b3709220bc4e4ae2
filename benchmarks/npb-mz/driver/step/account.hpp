#pragma once
/// What each compute unit notes down.

#include "common/problem.hpp"

#include <cstddef>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/ids.hpp>
#include <yoke/trace.hpp>

namespace npb {

/// What one CU did since reset; written by the CU's own outer thread.
struct alignas(128) unit_account {
  long long tasks = 0;                ///< zone steps
  double work = 0;                    ///< their interior points
  yoke::ticks waiting = 0;            ///< for other CUs' faces
  yoke::ticks preparing = 0;          ///< laying out batches and capturing their graphs
  long migrations = 0;                ///< zones fetched from another space
  long replays = 0;                   ///< graphs replayed instead of single launches
  std::size_t bytes_in = 0;           ///< of faces, host to device
  std::size_t bytes_out = 0;          ///< of faces, device to host
  std::vector<std::size_t> bytes_to;  ///< of faces, by the device's space that they went to directly
  /// Steps that were set going on the device before the one before them was over, so that it waited for no
  /// host.
  long steps_ahead = 0;
  std::vector<yoke::ticks> compute;   ///< by step
  std::vector<yoke::ticks> exchange;  ///< by step: packing, unpacking, gathering; not the waiting

  void reset(int steps);
  void count_direct(yoke::space_id to, std::size_t bytes) {
    if (bytes_to.size() <= static_cast<std::size_t>(to)) bytes_to.resize(static_cast<std::size_t>(to) + 1);
    bytes_to[static_cast<std::size_t>(to)] += bytes;
  }
  void count(const zone_shape& zone) {
    ++tasks;
    work += static_cast<double>(zone.interior_points());
  }
};

/// Adds the ticks of its scope to a sum, and to the trace where there is one.
class stopwatch {
 public:
  stopwatch(yoke::trace_recorder* trace, int unit, const char* what, yoke::ticks& sum)
      : trace_{trace}, unit_{unit}, what_{what}, sum_{sum}, from_{yoke::now()} {}
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch();

 private:
  yoke::trace_recorder* trace_;
  int unit_;
  const char* what_;
  yoke::ticks& sum_;
  yoke::ticks from_;
};

}  // namespace npb
