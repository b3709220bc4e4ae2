#include "host_range.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {
constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
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
