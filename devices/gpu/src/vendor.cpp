#include "vendor.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace yoke::gpu {

namespace {

/// More would only be typing errors.
constexpr int most_devices = 256;

/// Slices of one device come from one split, so they must be of one kind; the SMs of '@' slices are counted
/// when the device is opened.
bool overlap(const device_request& a, const device_request& b) {
  if (a.of != b.of || a.index != b.index) return false;
  if (a.sms > 0 && b.sms > 0) return false;
  if (a.parts > 0 && a.parts == b.parts) return a.part == b.part;
  return a.spaces == 0 || a.spaces != b.spaces || a.space == b.space;
}

void parse_devices(detail::text_parser& in, const backend& self, std::vector<device_request>& list) {
  in.expect(':', "':' and an index");
  do {
    const std::size_t start = in.position(), before = list.size();
    const device_request device{.of = &self, .index = in.number("a device index", 0, most_devices - 1)};
    detail::parse_division(in, device, list);
    const auto is_taken = [&](const device_request& added) {
      return std::any_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(before),
                         [&](const device_request& other) { return overlap(added, other); });
    };
    if (std::any_of(list.begin() + static_cast<std::ptrdiff_t>(before), list.end(), is_taken))
      in.fail_at(start, fmt::format("device {} is already taken by an earlier entry that overlaps this one",
                                    device.index));
  } while (in.accept(','));
}

}  // namespace

backend vendor_record(std::string_view name) {
  return {.name = name,
          .automatic = true,
          .items = {.accepted = ":i{,i}",
                    .terms = "i = index[/parts[:part] | @sms | *spaces]",
                    .parse = parse_devices}};
}

backend missing_vendor(std::string_view name, std::string_view why) {
  backend record = vendor_record(name);
  record.missing = why;
  return record;
}

}  // namespace yoke::gpu
