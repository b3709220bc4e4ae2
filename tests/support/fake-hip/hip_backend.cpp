// The HIP backend of programs that are linked with the fake: the real one, whose kernels are host entries.
#include "fake_hip.hpp"

#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <yoke/backends.hpp>

namespace yoke::detail {

/// As gpu_backend.cpp is compiled here.
backend real_hip_backend();

namespace {

class gpu_with_host_kernels final : public device {
 public:
  explicit gpu_with_host_kernels(std::unique_ptr<device> gpu) : gpu_{std::move(gpu)} {}

  void launch(stream_handle stream, const kernel_call& call) override {
    kernel_call with_entry = call;
    if (call.host_entry != nullptr) with_entry.gpu_entry = entry_of(call);
    gpu_->launch(stream, with_entry);
  }

  const device_info& info() const override { return gpu_->info(); }
  std::size_t memory_free() const override { return gpu_->memory_free(); }
  void* allocate(std::size_t bytes) override { return gpu_->allocate(bytes); }
  void deallocate(void* address) noexcept override { gpu_->deallocate(address); }
  void* allocate_pinned(std::size_t bytes) override { return gpu_->allocate_pinned(bytes); }
  void deallocate_pinned(void* address) noexcept override { gpu_->deallocate_pinned(address); }
  stream_handle create_stream() override { return gpu_->create_stream(); }
  stream_handle create_urgent_stream() override { return gpu_->create_urgent_stream(); }
  void destroy_stream(stream_handle stream) noexcept override { gpu_->destroy_stream(stream); }
  void copy(stream_handle stream, void* to, const void* from, std::size_t bytes, copy_kind kind) override {
    gpu_->copy(stream, to, from, bytes, kind);
  }
  void synchronize(stream_handle stream) override { gpu_->synchronize(stream); }
  void synchronize() override { gpu_->synchronize(); }
  event_handle create_event() override { return gpu_->create_event(); }
  event_handle create_timed_event() override { return gpu_->create_timed_event(); }
  void destroy_event(event_handle event) noexcept override { gpu_->destroy_event(event); }
  void record(event_handle event, stream_handle stream) override { gpu_->record(event, stream); }
  void wait(stream_handle stream, event_handle event) override { gpu_->wait(stream, event); }
  void synchronize(event_handle event) override { gpu_->synchronize(event); }
  bool is_done(event_handle event) override { return gpu_->is_done(event); }
  seconds seconds_between(event_handle from, event_handle to) override {
    return gpu_->seconds_between(from, to);
  }
  void begin_capture(stream_handle stream) override { gpu_->begin_capture(stream); }
  graph_handle end_capture(stream_handle stream) override { return gpu_->end_capture(stream); }
  void replay(graph_handle graph, stream_handle stream) override { gpu_->replay(graph, stream); }
  void destroy_graph(graph_handle graph) noexcept override { gpu_->destroy_graph(graph); }

 private:
  /// Where the entry of this kernel stays.
  static const void* entry_of(const kernel_call& call) {
    static std::mutex mutex;
    static std::set<fake_hip::kernel_entry> entries;
    const std::lock_guard lock{mutex};
    return &*entries.insert({call.host_entry, call.argument_bytes}).first;
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
