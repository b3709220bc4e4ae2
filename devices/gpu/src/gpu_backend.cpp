#include "gpu_device.hpp"
#include "peers.hpp"
#include "slices.hpp"
#include "vendor.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <string>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/settings.hpp>

namespace yoke {

namespace gpu {
namespace {

std::string explain(error code) {
  if (code == insufficient_driver) return "no GPU driver, or one too old: " + text(code);
  if (code == no_device) return "the driver sees no GPU: " + text(code);
  return "the driver cannot list its GPUs: " + text(code);
}

int count_devices(std::string& why) {
  int count = 0;
  const error code = get_device_count(&count);
  if (code == success && count > 0) return count;
  (void)get_last_error();
  why = code == success ? "the driver sees no GPU" : explain(code);
  return 0;
}

/// What is current stays so.
std::string refuse_device(int index) {
  int current = -1;
  const error before = get_device(&current);
  std::size_t free = 0, total = 0;
  error code = set_device(index);
  if (code == success) code = mem_get_info(&free, &total);
  forget(code);
  forget(before == success ? set_device(current) : before);
  return code == success ? "" : text(code);
}

void require_existing(const device_request& request) {
  std::string why;
  const int count = count_devices(why);
  if (request.index >= 0 && request.index < count) return;
  if (count > 0) why = fmt::format("this process sees {}:0 to {}:{}", backend_name, backend_name, count - 1);
  throw config_error{fmt::format("{}:{}: no such device; {}", backend_name, request.index, why)};
}

/// Peers are the devices that this process has opened: asking for others would make contexts there.
void join_peers(int ordinal) {
  static std::mutex mutex;
  static std::vector<int> opened;
  const std::lock_guard lock{mutex};
  enable_peer_access(ordinal, opened);
  if (std::find(opened.begin(), opened.end(), ordinal) == opened.end()) opened.push_back(ordinal);
}

/// Streams that share a connection to the GPU wait for one another. There are 8 unless more are asked for
/// before the driver starts, and a GPU CU may have five streams.
void ask_for_connections(const device_request& request) {
  constexpr const char* variable = "CUDA_DEVICE_MAX_CONNECTIONS";
  if (request.is_slice() && !detail::get_environment(variable)) detail::set_environment(variable, "32");
}

std::unique_ptr<device> open_device(const device_request& request, const std::optional<sourced>&) {
  ask_for_connections(request);
  require_existing(request);
  auto opened = std::make_unique<gpu_device>(request.index);
  join_peers(request.index);
  return opened;
}

}  // namespace
}  // namespace gpu

namespace detail {

// cuda_backend or hip_backend: the build says which.
backend YOKE_GPU_BACKEND() {
  backend record = gpu::is_hip ? gpu::hip_record() : gpu::cuda_record();
  record.count_devices = &gpu::count_devices;
  record.open_device = &gpu::open_device;
  record.refuse_device = &gpu::refuse_device;
  record.split_device = &gpu::split_device;
  return record;
}

}  // namespace detail

}  // namespace yoke
