#include "vendor.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

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

/// An H200 is open after 0.33 s, of which the process needs a hundredth without it; AMD's were not measured.
constexpr double opening_s = 0.33;

backend record_of(std::string_view name, driver_numbering numbering,
                  std::vector<std::string_view> driver_files) {
  return {.name = name,
          .automatic = true,
          .items = {.accepted = ":i{,i}",
                    .terms = "i = index[/parts[:part] | @sms | *spaces]",
                    .parse = parse_devices},
          .numbering = std::move(numbering),
          .driver_files = std::move(driver_files),
          .opening_s = opening_s};
}

}  // namespace

/// CUDA puts the fastest first unless it is told to go by the bus.
backend cuda_record() {
  return record_of("cuda",
                   {.kind = accelerator_kind::cuda,
                    .lists = {"CUDA_VISIBLE_DEVICES"},
                    .by_bus_name = "CUDA_DEVICE_ORDER",
                    .by_bus_value = "PCI_BUS_ID"},
                   {"/dev/nvidiactl", "/dev/dxg"});
}

/// AMD's driver chooses first, then HIP among those.
backend hip_record() {
  return record_of("hip",
                   {.kind = accelerator_kind::hip, .lists = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"}},
                   {"/dev/kfd"});
}

backend missing(backend record, std::string_view why) {
  record.missing = why;
  return record;
}

}  // namespace yoke::gpu
