#include <cerrno>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#include <yoke/mapped.hpp>

namespace yoke::detail {

bool is_mapped(const void* start, std::size_t bytes) noexcept {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(start) / page * page;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(start) + bytes - first;
  // With MS_ASYNC Linux starts no writing; it walks the mappings, not the pages, and says where one is
  // missing.
  return msync(reinterpret_cast<void*>(first), length, MS_ASYNC) == 0 || errno != ENOMEM;
}

}  // namespace yoke::detail
