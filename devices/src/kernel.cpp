#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <string>
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
/// No GPU's processor has a thousandth of that.
constexpr std::size_t most_shared_bytes = std::size_t{1} << 30;
constexpr unsigned char poison = 0xff;

/// Of 16-byte units, for the alignment that a block promises.
std::vector<std::array<double, 2>>& shared_memory_of_this_thread() {
  thread_local std::vector<std::array<double, 2>> memory;
  return memory;
}
unsigned char* bytes_of(std::vector<std::array<double, 2>>& memory) {
  return reinterpret_cast<unsigned char*>(memory.data());
}

}  // namespace

void* poisoned_shared_memory(std::size_t bytes) {
  auto& memory = shared_memory_of_this_thread();
  if (bytes > most_shared_bytes)
    throw usage_error{fmt::format("a kernel asks for {} bytes of shared memory a block; {} at most on a CPU",
                                  bytes, most_shared_bytes)};
  memory.resize(std::max(memory.size(), (bytes + guard_bytes) / sizeof memory[0] + 1));
  std::memset(memory.data(), poison, bytes + guard_bytes);
  return memory.data();
}

void check_shared_memory(std::size_t bytes) {
  const unsigned char* end = bytes_of(shared_memory_of_this_thread()) + bytes;
  if (std::all_of(end, end + guard_bytes, [](unsigned char byte) { return byte == poison; })) return;
  throw usage_error{fmt::format("a block wrote beyond its {} bytes of shared memory", bytes)};
}

void waits_for_a_later_block(int wanted, int found) {
  throw usage_error{fmt::format(
      "a block waits for progress {} where {} was published, and nothing before it is under way: blocks must "
      "wait only for blocks with smaller numbers, and counters must be 0 before a launch",
      wanted, found)};
}

}  // namespace detail

// Threads of emulated devices check before and after.
checked_indices::checked_indices() noexcept : before_{detail::check_accesses_in_this_thread(true)} {}
checked_indices::~checked_indices() { detail::check_accesses_in_this_thread(before_); }

}  // namespace yoke
