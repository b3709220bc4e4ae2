#include "region_store.hpp"

#include "host_range.hpp"
#include "living_stores.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

region_store::region_store(std::span<device* const> devices)
    : alive_{std::make_shared<std::atomic<region_store*>>(this)},
      transfers_{devices, *this},
      versions_{transfers_.n_spaces()},
      regions_{transfers_.n_spaces(), versions_},
      copies_{transfers_} {}

region_store::~region_store() {
  if (units_ != nullptr) strike_out(*this);
  units_ = nullptr;  // they have ended, and their streams with them
  alive_->store(nullptr, std::memory_order_release);
  for (region* each : regions_.all()) remove(*each, {}, true);
}

void region_store::serve(const compute_units& units) {
  if (units_ != nullptr)
    throw usage_error{"serve: the table serves the units of a runtime already; make another table"};
  units_ = &units;
  regions_.expect_gpu_units(units.shape().gpu_units);
  units_share_devices_ = units.shape().gpu_units > transfers_.n_spaces() - 1;
  enrol(*this);
}

caller region_store::calling() const {
  if (units_ == nullptr || !openmp::in_region() || current_units().peek() != units_) return {};
  const compute_unit& unit = units_->calling();
  // Of a slice the whole: in its order streams of all slices of a memory space can be put.
  return {.unit = &unit, .dev = transfers_.device_of(unit.space), .stream = unit.stream};
}

space_id region_store::here(const caller& by) const {
  if (by.unit != nullptr) return by.unit->space;
  if (!openmp::in_region() || units_ == nullptr || current_units().peek() == units_) return host_space;
  throw usage_error{
      "placement: the region belongs to a runtime that is not the current one, so the calling unit has no "
      "space there; call it in a run of that runtime, or name the space"};
}

region& region_store::add(const void* start, std::size_t bytes, const region_label& label) {
  check_free_elsewhere(*this, {start, bytes, label});
  return regions_.add({start, bytes, label}, false);
}

region& region_store::reserve(std::size_t bytes, const region_label& label) {
  if (bytes == 0) throw usage_error{"a reserved region cannot be empty; reserve at least one byte"};
  void* range = reserve_range(bytes);
  try {
    region& made = regions_.add({range, bytes, label}, true);
    publish(made);
    return made;
  } catch (...) {
    release_range(range, bytes);
    throw;
  }
}

void region_store::wait_for_all(region& of, const caller& by, bool whatever_happens) {
  for (int space = 0; space < transfers_.n_spaces(); ++space) {
    try {
      come_after(of, space_id{space}, access::write, {.unit = by.unit});
    } catch (...) {
      if (!whatever_happens) throw;
    }
  }
}

void region_store::remove(region& of, const caller& by, bool whatever_happens) {
  wait_for_all(of, by, whatever_happens);
  for (int space = 0; space < transfers_.n_spaces(); ++space) copies_.remove(of, space_id{space});
  of.guard.reset();  // the memory is the program's again, or goes
  const bool reserved = of.reserved;
  void* const start = const_cast<void*>(of.start.load());
  const std::size_t bytes = of.bytes;
  regions_.remove(of);
  // After the removal, since the system may hand the same addresses out again at once.
  if (reserved) release_range(start, bytes);
}

}  // namespace yoke::detail
