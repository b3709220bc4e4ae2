#include "zone_store.hpp"

#include <yoke/error.hpp>

namespace npb {

zone_store::zone_store(const benchmark& what, yoke::region_table& regions)
    : regions_{regions},
      n_fields_{what.has_residual() ? std::size_t{3} : std::size_t{2}},
      moves_{std::make_unique<std::atomic<long>[]>(static_cast<std::size_t>(regions.n_spaces()))},
      is_tight_(static_cast<std::size_t>(regions.n_spaces())) {
  for (const zone& z : what.what().zones) {
    shapes_.push_back(z.shape);
    for (std::size_t f = 0; f < n_fields_; ++f)
      keys_.push_back(regions_.reserve(z.shape.field_size() * sizeof(double)));
  }
}

zone_store::~zone_store() {
  for (void* key : keys_) {
    try {
      regions_.unregister_mem(key);
    } catch (const yoke::error&) {  // a lost device; nothing else can be given back
    }
  }
}

std::span<void* const> zone_store::keys(int zone) const {
  return std::span{keys_}.subspan(static_cast<std::size_t>(zone) * n_fields_, n_fields_);
}

yoke::space_id zone_store::space_of(int zone) const { return regions_.placement_of(keys(zone).back()); }

bool zone_store::bring(int zone, yoke::space_id space) {
  return bring_by(&yoke::region_table::migrate, zone, space);
}

bool zone_store::bring_empty(int zone, yoke::space_id space) {
  return bring_by(&yoke::region_table::migrate_discarding, zone, space);
}

bool zone_store::bring_by(migration way, int zone, yoke::space_id space) {
  const yoke::space_id from = space_of(zone);
  if (from == space) return false;
  try {
    migrate(way, zone, space);
  } catch (const yoke::out_of_memory&) {
    free_left_behind(space);
    migrate(way, zone, space);
  }
  moves_of(space).fetch_add(1, std::memory_order_acq_rel);
  if (from < 0) return false;
  if (is_tight_[static_cast<std::size_t>(from)] != 0) leave(zone, from);
  return true;
}

void zone_store::leave(int zone, yoke::space_id space) {
  for (void* key : keys(zone)) regions_.dealloc(key, space);
}

// Fields that are there already are not copied again, so that a migration that failed half-way can be
// repeated.
void zone_store::migrate(migration way, int zone, yoke::space_id space) {
  for (void* key : keys(zone)) (regions_.*way)(key, space);
}

host_zone zone_store::on_host(int zone) const {
  YOKE_ASSERT(space_of(zone) == yoke::host_space, "a zone is read in host memory that is placed elsewhere");
  const auto at = [&](std::size_t field) {
    return static_cast<double*>(regions_.mem_addr(keys(zone)[field], yoke::host_space));
  };
  return {shape(zone), at(0), at(1), n_fields_ > 2 ? at(2) : nullptr};
}

device_zone zone_store::on_device(int zone, yoke::space_id space) const {
  YOKE_ASSERT(space_of(zone) == space, "a zone is read on a device where it is not placed");
  const auto at = [&](std::size_t field) {
    return yoke::device_ptr<double>{static_cast<double*>(regions_.mem_addr(keys(zone)[field], space))};
  };
  const zone_shape& n = shape(zone);
  return {n.nx, n.ny, n.nz, at(0), at(1), n_fields_ > 2 ? at(2) : yoke::device_ptr<double>{}, {}};
}

void zone_store::free_left_behind(yoke::space_id space) {
  for (void* key : keys_) {
    try {
      const yoke::space_id home = regions_.placement_of(key);
      if (home >= 0 && home != space && regions_.is_allocated(key, space)) regions_.dealloc(key, space);
    } catch (const yoke::usage_error&) {  // another unit has just placed it here
    }
  }
  moves_of(space).fetch_add(1, std::memory_order_acq_rel);
}

std::size_t zone_store::bytes_missing(int zone, yoke::space_id space) const {
  std::size_t bytes = 0;
  for (void* key : keys(zone))
    if (!regions_.is_allocated(key, space)) bytes += shape(zone).field_size() * sizeof(double);
  return bytes;
}

void zone_store::free_left_behind() {
  for (int space = 0; space < regions_.n_spaces(); ++space) free_left_behind(yoke::space_id{space});
}

}  // namespace npb
