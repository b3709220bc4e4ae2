#pragma once
/// How long a unit works: by the clock on a CPU CU, by events on a device.

#include <memory>
#include <utility>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/owned_handle.hpp>
#include <yoke/runtime_engine.hpp>

namespace yoke::detail {

/// Work that runs beside other work of the unit is timed with that, from the first one's begin to the last
/// one's end.
class unit_clock {
 public:
  explicit unit_clock(device* dev) : device_{dev} {}
  unit_clock(const unit_clock&) = delete;
  unit_clock& operator=(const unit_clock&) = delete;

  /// Forgets what was timed before, by steps that have failed.
  void start();
  /// Since start, of work that is over. Errors: device_error.
  seconds take();
  /// Which end of what is timed the work has, the first and the last of it or one alone.
  enum class end { both, first, last };
  /// The same work, timed by `clock`, which lives as long.
  static flow::step timed(const flow::step& what, std::shared_ptr<unit_clock> clock, end which = end::both);

 private:
  void time(const flow::site& at, const flow::plan& what, end which);

  device* device_;
  ticks spent_ = 0;
  std::vector<std::pair<owned_event, owned_event>> events_;
};

}  // namespace yoke::detail
