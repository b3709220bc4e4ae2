// The HIP backend of programs that are linked with the fake: the real one, whose kernels are host entries.
#include "fake_hip.hpp"

#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <yoke/backends.hpp>
#include <yoke/forwarding_device.hpp>

namespace yoke::detail {

/// As gpu_backend.cpp is compiled here.
backend real_hip_backend();

namespace {

class gpu_with_host_kernels final : public forwarding_device {
 public:
  explicit gpu_with_host_kernels(std::unique_ptr<device> gpu)
      : forwarding_device{*gpu}, gpu_{std::move(gpu)} {}

  void launch(stream_handle stream, const kernel_call& call) override {
    kernel_call with_entry = call;
    if (call.host_entry != nullptr) with_entry.gpu_entry = entry_of(call);
    gpu_->launch(stream, with_entry);
  }

 private:
  /// Where the entry of this kernel stays.
  static const void* entry_of(const kernel_call& call) {
    static std::mutex mutex;
    static std::set<fake_hip::kernel_entry> entries;
    const std::lock_guard lock{mutex};
    return &*entries.insert({call.host_entry, call.argument_bytes, call.form}).first;
  }

  std::unique_ptr<device> gpu_;
};

std::unique_ptr<device> open(const device_request& request, const std::optional<sourced>& options) {
  return std::make_unique<gpu_with_host_kernels>(real_hip_backend().open(request, options));
}

}  // namespace

backend hip_backend() {
  backend with_host_kernels = real_hip_backend();
  with_host_kernels.open_device = &open;
  return with_host_kernels;
}

}  // namespace yoke::detail
