#include "vendor.hpp"

#include <fmt/format.h>

namespace yoke::gpu {

namespace {

/// More would only be typing errors.
constexpr int most_devices = 256;
constexpr int most_sms = 65535;

/// Slices of one device come from one split call, so they must be of one kind; the SMs of '@' slices are
/// counted when the device is opened.
bool overlap(const device_request& a, const device_request& b) {
  if (a.of != b.of || a.index != b.index) return false;
  if (a.sms > 0 && b.sms > 0) return false;
  const bool both_parts = a.parts > 0 && a.parts == b.parts;
  return !(both_parts && a.part >= 0 && b.part >= 0 && a.part != b.part);
}

device_request parse_device(detail::text_parser& in, const backend& self) {
  device_request request{.of = &self, .index = in.number("a device index", 0, most_devices - 1)};
  if (in.accept('/')) {
    request.parts = in.number("the number of parts", 1, most_sms);
    request.part = in.accept(':') ? in.number("the part, counted from 0,", 0, request.parts - 1) : -1;
  } else if (in.accept('@')) {
    request.sms = in.number("the number of SMs", 1, most_sms);
  }
  return request;
}

void parse_devices(detail::text_parser& in, const backend& self, std::vector<device_request>& list) {
  in.expect(':', "':' and an index");
  do {
    const std::size_t start = in.position();
    const device_request request = parse_device(in, self);
    for (const device_request& other : list) {
      if (!overlap(request, other)) continue;
      in.fail_at(start, fmt::format("device {} is already taken by an earlier entry that overlaps this one",
                                    request.index));
    }
    list.push_back(request);
  } while (in.accept(','));
}

}  // namespace

backend vendor_record(std::string_view name) {
  return {
      .name = name,
      .automatic = true,
      .items = {.accepted = ":i{,i}", .terms = "i = index[/parts[:part] | @sms]", .parse = parse_devices}};
}

backend missing_vendor(std::string_view name, std::string_view why) {
  backend record = vendor_record(name);
  record.missing = why;
  return record;
}

}  // namespace yoke::gpu
