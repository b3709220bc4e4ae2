#pragma once
/// A device that shows its launches in the trace, by their names.

#include "trace_tracks.hpp"

#include <memory>
#include <utility>

#include <yoke/device.hpp>

namespace yoke::detail {

/// Passes everything on. Where the device is emulated each kernel is shown while it runs, those of replayed
/// graphs too; a GPU's kernels are shown where the host enqueues them, on the track of the CU that does.
class traced_device final : public device {
 public:
  traced_device(std::unique_ptr<device> real, trace_tracks& trace, int kernel_track)
      : real_{std::move(real)}, trace_{trace}, kernel_track_{kernel_track} {}

  void launch(stream_handle stream, const kernel_call& call) override;
  void replay(graph_handle graph, stream_handle stream) override;

  const device_info& info() const override { return real_->info(); }
  std::size_t memory_free() const override { return real_->memory_free(); }
  void* allocate(std::size_t bytes) override { return real_->allocate(bytes); }
  void deallocate(void* address) noexcept override { real_->deallocate(address); }
  void* allocate_pinned(std::size_t bytes) override { return real_->allocate_pinned(bytes); }
  void deallocate_pinned(void* address) noexcept override { real_->deallocate_pinned(address); }
  stream_handle create_stream() override { return real_->create_stream(); }
  stream_handle create_urgent_stream() override { return real_->create_urgent_stream(); }
  void destroy_stream(stream_handle stream) noexcept override { real_->destroy_stream(stream); }
  void copy(stream_handle stream, void* to, const void* from, std::size_t bytes, copy_kind kind) override {
    real_->copy(stream, to, from, bytes, kind);
  }
  void synchronize(stream_handle stream) override { real_->synchronize(stream); }
  void synchronize() override { real_->synchronize(); }
  event_handle create_event() override { return real_->create_event(); }
  event_handle create_timed_event() override { return real_->create_timed_event(); }
  void destroy_event(event_handle event) noexcept override { real_->destroy_event(event); }
  void record(event_handle event, stream_handle stream) override { real_->record(event, stream); }
  void wait(stream_handle stream, event_handle event) override { real_->wait(stream, event); }
  void synchronize(event_handle event) override { real_->synchronize(event); }
  bool is_done(event_handle event) override { return real_->is_done(event); }
  seconds seconds_between(event_handle from, event_handle to) override {
    return real_->seconds_between(from, to);
  }
  void begin_capture(stream_handle stream) override { real_->begin_capture(stream); }
  graph_handle end_capture(stream_handle stream) override { return real_->end_capture(stream); }
  void destroy_graph(graph_handle graph) noexcept override { real_->destroy_graph(graph); }

 private:
  std::unique_ptr<device> real_;
  trace_tracks& trace_;
  int kernel_track_;
};

/// Puts one in front of every device.
void trace_devices(gpu_units& gpus, trace_tracks& trace);

}  // namespace yoke::detail
