#pragma once
/// What a placed object holds.

#include "region_store.hpp"

#include <string>

#include <yoke/error.hpp>
#include <yoke/placed.hpp>

namespace yoke::detail {

struct placed_region::handle {
  region_store::life alive;
  region_ref region;
  std::size_t bytes;
  std::string name;  ///< for when the runtime has ended

  /// Errors: usage_error where the runtime has ended.
  region_store& store() const;
};

}  // namespace yoke::detail
