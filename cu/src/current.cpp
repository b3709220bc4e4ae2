#include <yoke/compute_units.hpp>

namespace yoke::detail {

current_slot<compute_units>& current_units() noexcept {
  static current_slot<compute_units> slot;
  return slot;
}

}  // namespace yoke::detail
