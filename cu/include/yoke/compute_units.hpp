// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The compute units of one runtime.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/current.hpp>
#include <yoke/device.hpp>
#include <yoke/device_list.hpp>
#include <yoke/openmp.hpp>
#include <yoke/places.hpp>
#include <yoke/thread_binding.hpp>

namespace yoke {

/// What executes a task: M CPUs, or one managing CPU plus a device (or a slice of one).
struct compute_unit {
  unit_id id;
  unit_kind kind = unit_kind::cpu;
  place cpus;
  space_id space = host_space;
  device* dev = nullptr;   ///< GPU CUs only
  stream_handle stream{};  ///< GPU CUs only; the CU's own stream
};

/// The CUs of a configuration, in order; a GPU CU takes devices[i]. Owns the CUs' streams, not the devices.
class compute_units {
 public:
  /// `devices[i]` belongs to GPU CU i, in memory space `spaces[i]` (slices of one GPU share a space).
  compute_units(const configuration& shape, std::vector<place> places, std::span<device* const> devices,
                std::span<const space_id> spaces);
  ~compute_units();
  compute_units(const compute_units&) = delete;
  compute_units& operator=(const compute_units&) = delete;

  const configuration& shape() const { return shape_; }
  int size() const { return static_cast<int>(units_.size()); }
  /// The same number for those who may live longer: 0 once the units have ended.
  std::shared_ptr<const std::atomic<int>> live_size() const { return live_size_; }
  /// Who uses the streams of GPU CUs takes it, for a stream serves one thread at a time: a run as long as it
  /// lasts, and what host threads queue there between runs. For those who may live longer.
  std::shared_ptr<std::recursive_mutex> turns() const { return turns_; }
  std::span<const compute_unit> all() const { return units_; }
  /// Errors: usage_error naming the id and the range.
  const compute_unit& at(unit_id id) const;
  /// The calling thread's CU, by its OpenMP thread number at the outer level; CU 0 outside of a parallel
  /// region. Errors: usage_error where the outer team has more threads than there are CUs.
  const compute_unit& calling() const { return at(unit_id{openmp::outer_thread()}); }

  /// Waits for what `unit`, a GPU CU, has queued on its stream; no effect on a CPU CU. For the unit's own
  /// thread.
  void finish(const compute_unit& unit) const;
  /// How often finish has returned for this unit: what was queued at a smaller count has run. Thread-safe.
  std::uint64_t times_finished(unit_id unit) const {
    return times_finished_[static_cast<std::size_t>(int{unit})].load(std::memory_order_acquire);
  }

 private:
  configuration shape_;
  std::vector<compute_unit> units_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> times_finished_;
  std::shared_ptr<std::atomic<int>> live_size_;
  std::shared_ptr<std::recursive_mutex> turns_ = std::make_shared<std::recursive_mutex>();
};

/// Prepares the environment for the configuration before libomp starts and returns the places. Called by the
/// constructor that handles YOKE_CUS and by the runtime; a later call replaces what an earlier one prepared,
/// as long as libomp has not started. No places are returned where the user's OMP_PLACES are others than Yoke
/// could assign. `devices` are those of the GPU CUs, for CPUs near them; where there are none, or emulated
/// ones alone, the bus is not looked at. Errors: config_error.
place_assignment prepare_places(const configuration& wanted, const sourced& origin, bool emulated_devices,
                                std::span<const device_request> devices = {});
/// Compares the places libomp has with those prepared, or checks what the user set, and says whether libomp
/// will bind threads to them: not where it had started with others, or with a binding that would not keep
/// inner teams inside their CU. Starts libomp. Errors: config_error for what the user has set and cannot be
/// had.
bound_places verify_places(const configuration& wanted, const sourced& origin,
                           const place_assignment& prepared);

namespace detail {
current_slot<compute_units>& current_units() noexcept;
}  // namespace detail

}  // namespace yoke
