#pragma once
/// Several regions that a call uses, locked.

#include "placed_handle.hpp"

#include <mutex>
#include <vector>

namespace yoke::detail {

/// A region that a call uses.
struct wanted_region {
  region_ref region;
  region_store* store;
  access how;
};

/// Locked until it goes.
struct locked_regions {
  /// With all that other workers do with them behind, or, `at_work`, for one of these.
  explicit locked_regions(std::vector<wanted_region> wanted, bool at_work = false);

  std::vector<wanted_region> all;  ///< each once, however often it is wanted
  std::vector<std::unique_lock<std::mutex>> locks{};

 private:
  void lock();
  bool unlock_and_wait();
};

}  // namespace yoke::detail
