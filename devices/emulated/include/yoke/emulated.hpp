// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The emulated device: a GPU on the host with an address space of its own. Device addresses are a PROT_NONE
/// alias of the real pages (one memfd mapped twice), so that a host access faults; streams and copies are
/// asynchronous.

#include <cstddef>
#include <cstdint>
#include <memory>

#include <yoke/forwarding_device.hpp>
#include <yoke/settings.hpp>

namespace yoke {

/// YOKE_EMULATED: option=value{,option=value}; the same for all emulated devices.
struct emulated_options {
  std::size_t memory = std::size_t{4} << 30;  ///< memory=BYTES[KiB|MiB|GiB]: the limit of each device
  /// shared-memory=BYTES[KiB|MiB|GiB]: what a block may have. As much as on the smallest of the GPUs that we
  /// know (gfx906), so that its case is tested everywhere.
  std::size_t shared_memory = std::size_t{64} << 10;
  /// processors=N: what its slices are parts of; 1: nobody knows, and any number of slices has equal times.
  int processors = 1;
  /// peers=n: devices reach the memory of those in the same group of n by number (0 to n - 1, n to 2n - 1, …)
  /// directly, others through the host, as GPUs without peer access. 0: all reach all.
  int peers = 0;
  double slowdown = 1;  ///< slowdown=X >= 1: a kernel or copy takes X times as long
  /// fail-alloc=n, fail-copy=n, fail-launch=n: the n-th such call (from 1) of the device fails; 0: none. A
  /// failing allocation gives nullptr, as exhausted memory does; the replay of a graph counts as a launch.
  std::int64_t fail_alloc = 0;
  std::int64_t fail_copy = 0;
  std::int64_t fail_launch = 0;
  /// fail-call=n: the n-th call of any kind fails; those that give something back are not counted.
  std::int64_t fail_call = 0;
  /// lost-after=n: the device is lost after n calls of any kind; every later call fails, except those that
  /// give something back; -1: never.
  std::int64_t lost_after = -1;
};

/// Errors: config_error naming the value, its origin, the position and what is accepted.
emulated_options parse_emulated_options(const sourced& text);

/// Bytes and calls since the device was made. Copies and launches count when they have run, those of a
/// replayed graph included.
struct device_statistics {
  std::size_t bytes_to_device = 0;
  std::size_t bytes_to_host = 0;
  std::size_t bytes_inside = 0;
  std::size_t allocations = 0;
  std::size_t bytes_allocated = 0;  ///< now, as rounded up by the device
  std::size_t pinned_buffers = 0;   ///< now
  std::size_t pinned_runs = 0;      ///< of pages of the program's memory, now
  std::size_t copies = 0;
  std::size_t launches = 0;
  std::size_t replays = 0;
};

/// What everyone has of an emulated device: a wrapper that lets calls fail as it was told, around the device
/// itself.
class emulated_device : public forwarding_device {
 public:
  using forwarding_device::forwarding_device;
  virtual device_statistics statistics() const = 0;
  /// Changes the faults from here on; counts start again.
  virtual void set_faults(const emulated_options& options) = 0;
};

std::unique_ptr<emulated_device> make_emulated_device(int index, const emulated_options& options);

}  // namespace yoke
