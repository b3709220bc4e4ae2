#include <yoke/region_table.hpp>

namespace yoke::detail {

current_slot<region_table>& current_regions() noexcept {
  static current_slot<region_table> slot;
  return slot;
}

}  // namespace yoke::detail
