#include "host_range.hpp"

#include <cerrno>
#include <cstdint>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {
constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
}

bool is_mapped(const void* start, std::size_t bytes) noexcept {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(start) / page * page;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(start) + bytes - first;
  // With MS_ASYNC Linux starts no writing; it walks the mappings, not the pages, and says where one is
  // missing.
  return msync(reinterpret_cast<void*>(first), length, MS_ASYNC) == 0 || errno != ENOMEM;
}

void* reserve_range(std::size_t bytes) {
  void* range = mmap(nullptr, bytes, PROT_NONE, anonymous, -1, 0);
  if (range != MAP_FAILED) return range;
  throw out_of_memory{
      fmt::format("reserving a region of {} bytes: the host has no such range of addresses free", bytes),
      bytes, 0};
}

bool give_pages(void* range, std::size_t bytes) noexcept {
  return mprotect(range, bytes, PROT_READ | PROT_WRITE) == 0;
}

void take_pages(void* range, std::size_t bytes) noexcept {
  // A fresh mapping in place of the old one gives the pages back and denies access in one step.
  [[maybe_unused]] void* same = mmap(range, bytes, PROT_NONE, anonymous | MAP_FIXED, -1, 0);
}

void release_range(void* range, std::size_t bytes) noexcept { munmap(range, bytes); }

}  // namespace yoke::detail
