#pragma once
/// The fields of all zones as regions of yoke's placement: where a zone's state is, and moving it.

#include "common/solver.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/region_table.hpp>

namespace npb {

/// Fields u, forcing and (LU) residual of every zone. They are reserved regions, each with a key of its own:
/// there are host pages only for zones that live on the host, or have lived there. All fields of a zone are
/// in one space. Thread-safe for different zones.
class zone_store {
 public:
  zone_store(const benchmark& what, yoke::region_table& regions);
  ~zone_store();
  zone_store(const zone_store&) = delete;
  zone_store& operator=(const zone_store&) = delete;

  int n_zones() const { return static_cast<int>(shapes_.size()); }
  const zone_shape& shape(int zone) const { return shapes_[static_cast<std::size_t>(zone)]; }
  std::size_t bytes(int zone) const { return n_fields_ * shape(zone).field_size() * sizeof(double); }
  /// -1 before the zone is placed.
  yoke::space_id space_of(int zone) const;

  /// Places the zone in `space`, with a copy when it was elsewhere. True when it was.
  /// Errors: out_of_memory after copies that zones have left behind there were freed.
  bool bring(int zone, yoke::space_id space);
  /// The same without its values, which are to be made there.
  bool bring_empty(int zone, yoke::space_id space);
  /// Addresses of a zone in host memory. Asserts that it is placed there.
  host_zone on_host(int zone) const;
  /// Addresses in `space`, without work memory. Asserts that the zone is placed there.
  device_zone on_device(int zone, yoke::space_id space) const;
  /// Changes when an address that on_device gave for `space` may have changed.
  long moves(yoke::space_id space) const { return moves_of(space).load(std::memory_order_acquire); }

  /// Bytes that zones can have in `space` beyond what they have. Errors: device_error.
  std::size_t memory_free(yoke::space_id space) const { return regions_.memory_free(space); }
  /// Bytes that bring would have to allocate in `space` for the zone.
  std::size_t bytes_missing(int zone, yoke::space_id space) const;
  /// From now on zones leave no copies behind in `space`. Before any is placed.
  void leave_nothing_in(yoke::space_id space) { is_tight_[static_cast<std::size_t>(space)] = 1; }
  /// Frees what zones have left behind in `space`.
  void free_left_behind(yoke::space_id space);
  /// In all spaces. Only while no unit runs.
  void free_left_behind();

 private:
  std::span<void* const> keys(int zone) const;
  using migration = void (yoke::region_table::*)(yoke::key, yoke::space_id);
  bool bring_by(migration way, int zone, yoke::space_id space);
  void migrate(migration way, int zone, yoke::space_id space);
  void leave(int zone, yoke::space_id space);
  std::atomic<long>& moves_of(yoke::space_id space) const { return moves_[static_cast<std::size_t>(space)]; }

  yoke::region_table& regions_;
  std::vector<zone_shape> shapes_;
  std::vector<void*> keys_;  ///< n_fields_ for each zone
  std::size_t n_fields_;
  std::unique_ptr<std::atomic<long>[]> moves_;  ///< by space
  std::vector<char> is_tight_;                  ///< by space
};

}  // namespace npb
