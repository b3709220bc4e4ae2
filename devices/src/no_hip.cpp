#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

constexpr const char* reason = "this build has no HIP: configure with -DYOKE_GPU=hip";

int count(std::string& why) {
  why = reason;
  return 0;
}

std::unique_ptr<device> open(const device_request& request, const std::optional<sourced>&) {
  throw config_error{fmt::format("hip:{}: {}", request.index, reason)};
}

}  // namespace

backend hip_backend() {
  return {.kind = backend_kind::hip, .name = "hip", .built = false, .count = count, .open = open};
}

}  // namespace yoke::detail
