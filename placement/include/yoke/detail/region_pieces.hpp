// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Regions as pieces of the table of versions, for who queues work on them in an order of his own.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <yoke/detail/shared_table.hpp>
#include <yoke/ids.hpp>
#include <yoke/placed.hpp>
#include <yoke/region_table.hpp>
#include <yoke/version_table.hpp>

namespace yoke::detail {

/// In which the regions are pieces. As long as `regions`.
shared_table& versions_of(region_table& regions);

/// A region by what stays when the object that owns it is moved; of use until the object ends.
struct region_name {
  void* object = nullptr;
  key start = nullptr;  ///< null: none
  std::size_t bytes = 0;
};
/// Errors: usage_error where it is no region, or one of another runtime.
region_name named(region_table& regions, const placed_region& region);

/// Work on the regions will be told of before `by` is over. Calls of placement on them wait for that, and
/// then for the work.
void promise_work(region_table& of, std::span<const region_name> regions, const versions::mark_ptr& by);

/// Regions of one runtime, held while the table of versions is told of work on them in `space`: they have
/// memory there (none is needed in space -1), nobody else changes or moves them, and plain addresses that GPU
/// CUs were given for them are used no more. When it goes, calls of placement know what the table was told.
class regions_for_work {
 public:
  /// Errors: usage_error for an object without a region, of another runtime, or in a forked child;
  /// out_of_memory, device_error.
  regions_for_work(region_table& of, std::span<const region_name> regions, space_id space);
  ~regions_for_work();
  regions_for_work(const regions_for_work&) = delete;
  regions_for_work& operator=(const regions_for_work&) = delete;

  struct memory {
    versions::piece what;
    std::size_t bytes;
    std::vector<void*> addresses;  ///< by space; null where there is no copy
  };
  /// Of each of the given ones, in their order.
  const std::vector<memory>& all() const { return all_; }

 private:
  struct held;
  std::unique_ptr<held> held_;
  std::vector<memory> all_;
};

}  // namespace yoke::detail
