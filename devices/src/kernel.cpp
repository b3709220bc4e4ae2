#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <vector>

#include <yoke/block_order.hpp>
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

void foreign_address(std::uintptr_t address, const address_window& window) {
  throw usage_error{fmt::format(
      "a kernel used the device pointer {:#x}, which is not in its device's memory [{:#x}, {:#x}]; pass "
      "an address that alloc or mem_addr gave for this space",
      address, window.first, window.last)};
}

namespace {

/// "2 x 3 elements" of a view that counts from 0, else "[1, 3) x [0, 3)".
std::string elements_of(std::span<const std::int64_t> begins, std::span<const std::int64_t> extents) {
  if (std::ranges::count(begins, 0) == std::ssize(begins))
    return fmt::format("{} elements", fmt::join(extents, " x "));
  std::vector<std::string> ranges;
  for (std::size_t d = 0; d < begins.size(); ++d)
    ranges.push_back(fmt::format("[{}, {})", begins[d], begins[d] + extents[d]));
  return fmt::format("{}", fmt::join(ranges, " x "));
}

/// Differs from all_addresses only in where it is.
constexpr address_window all_addresses_checked{};

}  // namespace

void index_outside(const std::int64_t* index, const std::int64_t* begins, const std::int64_t* extents,
                   int dimensions) {
  const auto n = static_cast<std::size_t>(dimensions);
  throw usage_error{fmt::format("a kernel used the index ({}) of a view of {}",
                                fmt::join(std::span{index, n}, ", "),
                                elements_of({begins, n}, {extents, n}))};
}

own_elements& own_elements_of_this_thread() noexcept {
  thread_local own_elements own;
  return own;
}

void check_own(const void* origin, const std::int64_t* index, int dimensions) {
  const own_elements& own = own_elements_of_this_thread();
  if (own.dimensions > dimensions || std::ranges::find(own.origins, origin) == own.origins.end()) return;
  if (std::equal(index, index + own.dimensions, own.index)) return;
  const auto n = static_cast<std::size_t>(own.dimensions);
  throw usage_error{fmt::format(
      "index ({}) of a loop used element ({}) of an array that the loop writes: each index has its own "
      "element "
      "alone, since another index may write the other one at any time, or on another device; read it from "
      "another array, by in(x), and write this one",
      fmt::join(std::span{own.index, n}, ", "),
      fmt::join(std::span{index, static_cast<std::size_t>(dimensions)}, ", "))};
}

}  // namespace detail

// An emulated device's threads, and those of a checked_indices around this one, keep what they have.
checked_indices::checked_indices() noexcept : before_{detail::window_of_this_thread()} {
  if (&before_ == &detail::all_addresses) detail::use_window_in_this_thread(detail::all_addresses_checked);
}
checked_indices::~checked_indices() { detail::use_window_in_this_thread(before_); }

}  // namespace yoke
