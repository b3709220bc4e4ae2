#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
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

namespace {

struct mapping {
  std::uintptr_t first = 0, last = 0;
  bool is_plain = false;
};

/// A line of /proc/self/maps; of nothing where it is none.
mapping mapping_of(const char* line) noexcept {
  mapping found;
  std::array<char, 5> may{};
  int path = 0;
  if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %*s %n", &found.first, &found.last, may.data(),
                  &path) < 3)
    return {};
  const char* const name = line + path;
  const bool of_driver =
      path > 0 && std::strncmp(name, "/dev/", 5) == 0 && std::strncmp(name, "/dev/shm/", 9) != 0;
  found.is_plain = may[0] == 'r' && may[1] == 'w' && may[2] == '-' && !of_driver;
  return found;
}

}  // namespace

bool is_plain_memory(const void* start, std::size_t bytes) {
  std::ifstream maps{"/proc/self/maps"};
  auto at = reinterpret_cast<std::uintptr_t>(start);
  const std::uintptr_t end = at + bytes;
  std::string line;
  while (at < end && std::getline(maps, line)) {
    const mapping each = mapping_of(line.c_str());
    if (each.last <= at) continue;
    if (each.first > at || !each.is_plain) return false;
    at = each.last;
  }
  return at >= end;
}

}  // namespace yoke::detail
