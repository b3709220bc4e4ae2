#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <yoke/block_order.hpp>
#include <yoke/detail/address_namer.hpp>
#include <yoke/error.hpp>
#include <yoke/kernel.hpp>
#include <yoke/view.hpp>

namespace yoke {

void require_shared_memory(const kernel_call& call, const device_info& info) {
  if (call.shared_bytes <= info.shared_memory) return;
  throw device_error{
      fmt::format("{}: kernel '{}' asks for {} bytes of shared memory a block; a block has at most {} there",
                  info.name, call.name, call.shared_bytes, info.shared_memory),
      device_failure::refused};
}

namespace detail {

namespace {

constexpr std::size_t guard_bytes = 64;
constexpr unsigned char poison = 0xff;

/// Of 16-byte units, for the alignment that a block promises.
std::vector<std::array<double, 2>>& shared_memory_of_this_thread() {
  thread_local std::vector<std::array<double, 2>> memory;
  return memory;
}
unsigned char* bytes_of(std::vector<std::array<double, 2>>& memory) {
  return reinterpret_cast<unsigned char*>(memory.data());
}

constinit thread_local const address_window* window_in_use = &all_addresses;

}  // namespace

const address_window& window_of_this_thread() noexcept { return *window_in_use; }
void use_window_in_this_thread(const address_window& window) noexcept { window_in_use = &window; }

void* poisoned_shared_memory(std::size_t bytes) {
  auto& memory = shared_memory_of_this_thread();
  memory.resize(std::max(memory.size(), (bytes + guard_bytes) / sizeof memory[0] + 1));
  std::memset(memory.data(), poison, bytes + guard_bytes);
  return memory.data();
}

void check_shared_memory(std::size_t bytes) {
  const unsigned char* end = bytes_of(shared_memory_of_this_thread()) + bytes;
  if (std::all_of(end, end + guard_bytes, [](unsigned char byte) { return byte == poison; })) return;
  throw usage_error{fmt::format("a block wrote behind its {} bytes of shared memory", bytes)};
}

void waits_for_a_later_block(int wanted, int found) {
  throw usage_error{fmt::format(
      "a block waits for progress {} where {} was published, and nothing before it is under way: blocks must "
      "wait only for blocks with smaller numbers, and counters must be 0 before a launch",
      wanted, found)};
}

namespace {

constinit std::atomic<address_namer> namer{nullptr};

std::string owner_of(std::uintptr_t address) {
  const address_namer ask = namer.load();
  return ask == nullptr ? std::string{} : ask(reinterpret_cast<const void*>(address));
}

}  // namespace

void set_address_namer(address_namer next) noexcept { namer.store(next); }

void foreign_address(std::uintptr_t address, const address_window& window) {
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
      address, window.first, window.last, owner.empty() ? "" : ": it is of " + owner)};
}

namespace {

/// Differs from all_addresses only in where it is.
constexpr address_window all_addresses_checked{};

}  // namespace

}  // namespace detail

// An emulated device's threads, and those of a checked_indices around this one, keep what they have.
checked_indices::checked_indices() noexcept : before_{detail::window_of_this_thread()} {
  if (&before_ == &detail::all_addresses) detail::use_window_in_this_thread(detail::all_addresses_checked);
}
checked_indices::~checked_indices() { detail::use_window_in_this_thread(before_); }

}  // namespace yoke
