#pragma once
/// Memory of a device for many small copies of regions.

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include <yoke/detail/range_allocator.hpp>
#include <yoke/device_memory.hpp>

namespace yoke::detail {

/// Small copies lie side by side in slabs: a driver takes as long for a kilobyte as for 32 MiB (0.02 to 0.08
/// ms of an H200's, most where two GPUs reach each other's memory), and one call after the other. An emulated
/// device is asked for each copy alone, since it tells who reaches beyond one. Thread-safe.
class device_slabs {
 public:
  static constexpr std::size_t slab_bytes = std::size_t{32} << 20;
  /// Of a copy that lies in a slab; larger ones are the device's own allocations.
  static constexpr std::size_t most_in_slab = slab_bytes / 8;

  explicit device_slabs(device_memory& dev) : device_{&dev} {}
  ~device_slabs();
  device_slabs(const device_slabs&) = delete;
  device_slabs& operator=(const device_slabs&) = delete;

  /// 256-byte aligned. nullptr when the device is full.
  void* allocate(std::size_t bytes);
  /// Nothing for nullptr. Nothing may use the memory any more.
  void deallocate(void* address) noexcept;
  /// Bytes that allocate can give: what is free on the device, and in slabs. Errors: device_error.
  std::size_t memory_free() const;

 private:
  using slab = std::pair<std::byte* const, range_allocator>;
  static bool is_empty(const slab& of) { return of.second.free_bytes() == slab_bytes; }
  void* take_from_slabs(std::size_t bytes);
  void* allocate_alone(std::size_t bytes);

  device_memory* device_;
  mutable std::mutex lock_;
  std::map<std::byte*, range_allocator> slabs_;  ///< by their address; at most one that is empty
};

}  // namespace yoke::detail
