#include "vendor.hpp"

#include <utility>

namespace yoke::gpu {

namespace {

/// An H200 is open after 0.33 s, and the process takes 0.4 s longer in all. Where there are two, the driver
/// needs 0.12 s more to wake, as much to open the second, and the rest to end; threads that open one each are
/// not through before. AMD's were not measured.
constexpr double opening_s = 0.4, opening_another_s = 0.3;

backend record_of(std::string_view name, driver_numbering numbering,
                  std::vector<std::string_view> driver_files) {
  return {.name = name,
          .automatic = true,
          .items = {.accepted = ":i{,i}",
                    .terms = "i = index[/parts[:part] | @sms | *spaces]",
                    .parse = detail::parse_numbered_devices},
          .numbering = std::move(numbering),
          .driver_files = std::move(driver_files),
          .opening_s = opening_s,
          .opening_another_s = opening_another_s};
}

}  // namespace

/// CUDA puts the fastest first unless it is told to go by the bus.
backend cuda_record() {
  backend record = record_of("cuda",
                             {.kind = accelerator_kind::cuda,
                              .lists = {"CUDA_VISIBLE_DEVICES"},
                              .by_bus_name = "CUDA_DEVICE_ORDER",
                              .by_bus_value = "PCI_BUS_ID"},
                             {"/dev/nvidiactl", "/dev/dxg"});
  record.file_of_device = "/dev/nvidia";
  return record;
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
