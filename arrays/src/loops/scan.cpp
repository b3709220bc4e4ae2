#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/scan.hpp>

namespace yoke::detail {

void check_equal_extents(const char* call, std::int64_t from, std::int64_t to) {
  if (from == to) return;
  throw usage_error{
      fmt::format("{}: the arrays have {} and {} elements; both have the same number", call, from, to)};
}

}  // namespace yoke::detail
