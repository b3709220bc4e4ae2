#pragma once
/// What an emulated device does: streams that are threads, events and graphs.

#include "emulated_memory.hpp"
#include "handles.hpp"
#include "worker_stream.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <yoke/device.hpp>

namespace yoke::emulated {

class emulated_queues final : public device_streams, public device_events, public device_graphs {
 public:
  /// `memory` must live longer; kernels and copies take `slowdown` times as long.
  emulated_queues(const emulated_memory& memory, double slowdown) : memory_{memory}, slowdown_{slowdown} {}

  stream_handle make_stream(stream_kind) override { return make_stream_of(1); }
  /// On a `share` of the device: its kernels take so much longer.
  stream_handle make_stream_of(double share);
  void destroy_stream(stream_handle stream) noexcept override;
  void copy_box(stream_handle stream, const box_copy& what) override;
  void launch(stream_handle stream, const kernel_call& call) override;
  void synchronize(stream_handle stream) override;
  void synchronize() override;

  event_handle make_event(event_kind kind) override;
  void destroy_event(event_handle event) noexcept override;
  void record(event_handle event, stream_handle stream) override;
  void wait(stream_handle stream, event_handle event) override;
  void synchronize(event_handle event) override;
  bool is_done(event_handle event) override;
  seconds seconds_between(event_handle from, event_handle to) override;

  void begin_capture(stream_handle stream) override;
  graph_handle end_capture(stream_handle stream) override;
  void replay(graph_handle graph, stream_handle stream) override;
  void destroy_graph(graph_handle graph) noexcept override;

  /// What it has counted.
  void tell(device_statistics& of) const;

 private:
  /// The stream behind a handle; throws the error that it has met meanwhile.
  worker_stream& usable(stream_handle handle, const std::string& intent) const;
  /// The same copy between addresses that the host can use. Errors: device_error.
  box_copy on_host(const box_copy& what, const std::string& intent) const;
  void count_copy(const box_copy& what);
  void run_kernel(const kernel_call& call, const void* arguments, double slowdown);

  const emulated_memory& memory_;
  const double slowdown_;
  std::atomic<std::size_t> copies_{0}, launches_{0}, replays_{0};
  std::atomic<std::size_t> to_device_{0}, to_host_{0}, inside_{0};
  mutable std::mutex streams_lock_;
  std::map<void*, std::shared_ptr<worker_stream>> streams_;  ///< last: ends before what its work counts
};

}  // namespace yoke::emulated
