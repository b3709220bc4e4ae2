#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/emulated.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// More would only be a typing error.
constexpr int most_devices = 64;

int count(std::string&) { return most_devices; }

std::unique_ptr<device> open(const device_request& request, const std::optional<sourced>& options) {
  if (request.index < 0 || request.index >= most_devices) {
    throw config_error{fmt::format("emulated:{}: there is no such device; at most {} devices are emulated",
                                   request.index, most_devices)};
  }
  return make_emulated_device(request.index, options ? parse_emulated_options(*options) : emulated_options{});
}

void check_options(const sourced& options) { static_cast<void>(parse_emulated_options(options)); }

}  // namespace

backend emulated_backend() {
  return {.kind = backend_kind::emulated,
          .name = "emulated",
          .built = true,
          .count = count,
          .open = open,
          .check_options = check_options};
}

}  // namespace yoke::detail
