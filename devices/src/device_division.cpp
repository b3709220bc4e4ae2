// Slices and memory spaces of a device, as YOKE_DEVICES names them.
#include <algorithm>
#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/device_list.hpp>
#include <yoke/parse.hpp>

namespace yoke {

namespace {

/// More would only be typing errors.
constexpr int most_devices = 256;
constexpr int most_parts = 256;
constexpr int most_sms = 65535;
constexpr int most_spaces = 16;

/// Slices of one device come from one split, so they must be of one kind; the SMs of '@' slices are counted
/// when the device is opened.
bool overlap(const device_request& a, const device_request& b) {
  if (a.of != b.of || a.index != b.index) return false;
  if (a.sms > 0 && b.sms > 0) return false;
  if (a.parts > 0 && a.parts == b.parts) return a.part == b.part;
  return a.spaces == 0 || a.spaces != b.spaces || a.space == b.space;
}

}  // namespace

std::string name_of_device(const device_request& request) {
  return fmt::format("{}:{}", request.of->name, request.index);
}

std::string name_of(const device_request& request) {
  std::string name = name_of_device(request);
  if (request.parts > 0) name += fmt::format("/{}:{}", request.parts, request.part);
  if (request.sms > 0) name += fmt::format("@{}", request.sms);
  if (request.spaces > 0) name += fmt::format("*{}:{}", request.spaces, request.space);
  return name;
}

namespace detail {

void parse_division(text_parser& in, const device_request& device, std::vector<device_request>& list) {
  device_request one = device;
  if (in.accept('/')) {
    one.parts = in.number("the number of parts", 1, most_parts);
    if (in.accept(':')) {
      one.part = in.number("the part, counted from 0,", 0, one.parts - 1);
      list.push_back(one);
    } else {
      for (; one.part < one.parts; ++one.part) list.push_back(one);
    }
  } else if (in.accept('*')) {
    one.spaces = in.number("the number of memory spaces", 1, most_spaces);
    for (; one.space < one.spaces; ++one.space) list.push_back(one);
  } else {
    if (in.accept('@')) one.sms = in.number("the number of SMs", 1, most_sms);
    list.push_back(one);
  }
}

void parse_numbered_devices(text_parser& in, const backend& self, std::vector<device_request>& list) {
  in.expect(':', "':' and an index");
  do {
    const std::size_t start = in.position();
    const device_request device{.of = &self, .index = in.number("a device index", 0, most_devices - 1)};
    std::vector<device_request> added;
    parse_division(in, device, added);
    for (const device_request& each : added)
      if (std::ranges::any_of(list, [&](const device_request& other) { return overlap(each, other); }))
        in.fail_at(start, fmt::format("device {} is already taken by an earlier entry that overlaps this one",
                                      device.index));
    list.insert(list.end(), added.begin(), added.end());
  } while (in.accept(','));
}

}  // namespace detail

}  // namespace yoke
