#include "emulated_slices.hpp"

#include "faulty_device.hpp"

#include <fmt/format.h>

#include <yoke/device_slice.hpp>
#include <yoke/error.hpp>

namespace yoke::emulated {

namespace {

/// Its kernels take as much longer as it is less than the whole.
class emulated_slice final : public device_slice {
 public:
  emulated_slice(faulty_device& whole, const device_request& request, int processors, double share)
      : device_slice{whole, request, processors, share}, whole_{whole} {}

  stream_handle make_stream(stream_kind) override { return whole_.make_stream_of(info().share); }

 private:
  faulty_device& whole_;
};

/// 0 where there are not so many.
int processors_of(const device_request& request, int taken, int all) {
  if (request.parts > 0) return all == 1 ? 1 : all / request.parts;
  return taken + request.sms <= all ? request.sms : 0;
}

[[noreturn]] void refuse(const device_request& request, int all) {
  throw config_error{
      fmt::format("{}: {} has {} processor{}: it can have up to {} equal slices, or slices of {} in all; "
                  "YOKE_EMULATED=processors=N says how many an emulated device has",
                  name_of(request), name_of_device(request), all, all == 1 ? "" : "s", all, all)};
}

}  // namespace

std::vector<std::unique_ptr<device>> split_device(device& whole, std::span<const device_request> requests) {
  const int all = whole.info().processors;
  std::vector<std::unique_ptr<device>> slices;
  int taken = 0;
  for (const device_request& request : requests) {
    const int granted = processors_of(request, taken, all);
    if (granted == 0) refuse(request, all);
    taken += granted;
    const double share =
        all == 1 && request.parts > 0 ? 1.0 / request.parts : static_cast<double>(granted) / all;
    slices.push_back(
        std::make_unique<emulated_slice>(dynamic_cast<faulty_device&>(whole), request, granted, share));
  }
  return slices;
}

}  // namespace yoke::emulated
