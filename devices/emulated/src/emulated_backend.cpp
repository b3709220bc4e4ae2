#include "emulated_slices.hpp"
#include "options.hpp"

#include <algorithm>
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

void parse_items(text_parser& in, const backend& self, std::vector<device_request>& list) {
  in.expect(':', "':' and a count");
  const std::size_t start = in.position();
  int before = 0;
  for (const device_request& each : list)
    if (each.of == &self) before = std::max(before, each.index + 1);
  const int count = in.number("the count of emulated devices", 1, most_devices);
  if (before + count > most_devices)
    in.fail_at(start, fmt::format("at most {} emulated devices", most_devices));
  std::vector<device_request> of_each;
  parse_division(in, {.of = &self}, of_each);
  for (int i = 0; i < count; ++i) {
    for (device_request& each : of_each) each.index = before + i;
    list.insert(list.end(), of_each.begin(), of_each.end());
  }
}

constexpr setting_info variable{"YOKE_EMULATED", emulated::accepted_options,
                                "properties of emulated devices"};

}  // namespace

backend emulated_backend() {
  return {
      .name = "emulated",
      .emulated = true,
      .items = {.accepted = ":c", .terms = "c = count[/parts[:part] | @sms | *spaces]", .parse = parse_items},
      .options = backend_options{variable, "memory=4GiB,slowdown=1", check_options},
      .count_devices = count,
      .open_device = open,
      .split_device = emulated::split_device};
}

}  // namespace yoke::detail
