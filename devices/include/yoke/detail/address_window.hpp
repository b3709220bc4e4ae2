// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a host thread accepts of the addresses and indices of its kernels, and how it is told so. Accesses
/// ask through window_of_accesses (device_ptr.hpp).

#include <cstddef>
#include <cstdint>

namespace yoke::detail {

/// The addresses that device_ptr accepts on a host thread, and what turns them into host addresses.
struct address_window {
  std::uintptr_t first = 0;
  std::uintptr_t reach = ~std::uintptr_t{0};  ///< how far behind the first the last one is
  std::ptrdiff_t offset = 0;
  bool is_checked = false;  ///< whether accesses by views look at their indices, too
};
/// Every address, unchanged: the window of all threads but those of emulated devices.
inline constexpr address_window all_addresses{};

/// For a thread of an emulated device, before its first kernel. Its views are checked, too.
void use_window_in_this_thread(const address_window& window) noexcept;
/// Of views, for any thread between kernels; returns what held before.
bool check_accesses_in_this_thread(bool is_checked) noexcept;
/// Errors: usage_error naming the address and what the calling thread accepts.
[[noreturn, gnu::cold]] void foreign_address(std::uintptr_t address);

}  // namespace yoke::detail
