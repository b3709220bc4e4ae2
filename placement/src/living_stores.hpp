#pragma once
/// The stores of the runtimes that live now, so that a key is found whichever runtime is current.

#include "region_store.hpp"

namespace yoke::detail {

void enrol(region_store& store);
void strike_out(const region_store& store) noexcept;

/// A region and where it is registered.
struct found_region {
  region_store& store;
  region_ref region;
};
/// The region of that key in the current runtime, else in another one that lives. Makes no runtime.
/// Errors: usage_error for an unknown key, where there is no runtime, and in a forked child.
found_region find_region(key wanted);
/// Errors: usage_error when a runtime other than that of `store` has a region in the range.
void check_free_elsewhere(const region_store& store, const void* start, std::size_t bytes);

}  // namespace yoke::detail
