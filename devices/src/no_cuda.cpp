#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

constexpr const char* reason = "this build has no CUDA: configure with -DYOKE_GPU=cuda";

int count(std::string& why) {
  why = reason;
  return 0;
}

std::unique_ptr<device> open(const device_request& request, const std::optional<sourced>&) {
  throw config_error{fmt::format("cuda:{}: {}", request.index, reason)};
}

}  // namespace

backend cuda_backend() {
  return {.kind = backend_kind::cuda, .name = "cuda", .built = false, .count = count, .open = open};
}

}  // namespace yoke::detail
