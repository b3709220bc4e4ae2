#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/kernel.hpp>

namespace yoke::detail {

void foreign_address(std::uintptr_t address, const address_window& window) {
  throw usage_error{fmt::format(
      "a kernel used the device pointer {:#x}, which is not in its device's memory [{:#x}, {:#x}); pass "
      "an address that alloc or mem_addr gave for this space",
      address, window.first, window.last)};
}

}  // namespace yoke::detail
