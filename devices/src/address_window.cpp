// Without <yoke/device_ptr.hpp>, where the same variable is const: no access of a kernel changes it.
#include <atomic>
#include <fmt/format.h>
#include <string>
#include <utility>

#include <yoke/detail/address_namer.hpp>
#include <yoke/detail/address_window.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

extern constinit thread_local std::uintptr_t numbers_of_window[4];
constinit thread_local std::uintptr_t numbers_of_window[4] = {all_addresses.first, all_addresses.reach, 0, 0};

void use_window_in_this_thread(const address_window& window) noexcept {
  numbers_of_window[0] = window.first;
  numbers_of_window[1] = window.reach;
  numbers_of_window[2] = static_cast<std::uintptr_t>(window.offset);
  numbers_of_window[3] = 1;
}

bool check_accesses_in_this_thread(bool is_checked) noexcept {
  return std::exchange(numbers_of_window[3], is_checked ? 1 : 0) != 0;
}

namespace {

constinit std::atomic<address_namer> namer{nullptr};

std::string owner_of(std::uintptr_t address) {
  const address_namer ask = namer.load();
  return ask == nullptr ? std::string{} : ask(reinterpret_cast<const void*>(address));
}

}  // namespace

void set_address_namer(address_namer next) noexcept { namer.store(next); }

void foreign_address(std::uintptr_t address) {
  const std::uintptr_t first = numbers_of_window[0], last = first + numbers_of_window[1];
  constexpr std::uintptr_t most_of_null = 64 << 10;  // an element of what begins at null
  if (address < most_of_null)
    throw usage_error{fmt::format(
        "a kernel used the device pointer {:#x}, an element of a null pointer: mem_addr gives null for a "
        "region that has no copy in that space; migrate it or alloc it there first, or use a yoke::placed",
        address)};
  const std::string owner = owner_of(address);
  throw usage_error{fmt::format(
      "a kernel used the device pointer {:#x}, which is not in its device's memory [{:#x}, {:#x}]{}; pass an "
      "address that alloc or mem_addr gave for this space",
      address, first, last, owner.empty() ? "" : ": it is of " + owner)};
}

}  // namespace yoke::detail
