#pragma once
/// Whether the machine is still the one that it was.

#include "alternatives.hpp"

#include <cstddef>
#include <optional>

namespace yoke::scheduling {

/// Passes that took far longer than those before them with the same map, several times in a row.
class drift {
 public:
  /// A period of `now`, with a map of which earlier ones were `before`, after so many changes of the map.
  /// Whether the machine has changed.
  bool notices(pass_time now, std::optional<pass_time> before, std::size_t changes);
  bool is_suspected() const { return late_ > 0; }
  void forget() { late_ = 0; }

 private:
  int late_ = 0;  ///< periods in a row
};

}  // namespace yoke::scheduling
