#pragma once
/// The stores of the runtimes that live now, so that a key is found whichever runtime is current.

#include "region_store.hpp"

#include <yoke/forks.hpp>

namespace yoke::detail {

void enrol(region_store& store);
void strike_out(const region_store& store) noexcept;

/// A region and where it is registered.
struct found_region {
  region_store& store;
  region_ref region;
};
/// In another runtime that lives; `current` is asked for the error. Out of line: most keys are of the current
/// one.
found_region find_elsewhere(region_store* current, key wanted);

/// The region of that key in the current runtime, else in another one that lives. Makes no runtime.
/// Errors: usage_error for an unknown key, where there is no runtime, and in a forked child.
inline found_region find_region(key wanted) {
  refuse_in_forked_child();
  region_table* const table = current_regions().peek();
  region_store* const current = table == nullptr ? nullptr : &store_of(*table);
  if (current != nullptr) {
    if (region* object = current->regions().try_find(wanted)) return {*current, {object, wanted}};
  }
  return find_elsewhere(current, wanted);
}
/// Errors: usage_error when a runtime other than that of `store` has a region in the range.
void check_free_elsewhere(const region_store& store, const new_region& wanted);

}  // namespace yoke::detail
