// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What wrappers of devices are made from, and devices that are put together from parts.

#include <yoke/device.hpp>

namespace yoke {

/// Passes every call on: to another device, of which a wrapper overrides the calls that it adds something to,
/// or to parts that know nothing of each other.
///
///   class counted final : public yoke::forwarding_device {
///    public:
///     using forwarding_device::forwarding_device;
///     void launch(yoke::stream_handle stream, const yoke::kernel_call& call) override {
///       ++launches;
///       streams().launch(stream, call);
///     }
///     int launches = 0;
///   };
class forwarding_device : public device {
 public:
  /// `to` must live as long as this does.
  explicit forwarding_device(device& to) : forwarding_device{to, to, to, to} {}
  /// The same of parts.
  forwarding_device(device_memory& memory, device_streams& streams, device_events& events,
                    device_graphs& graphs)
      : memory_{memory}, streams_{streams}, events_{events}, graphs_{graphs} {}

  const device_info& info() const override { return memory_.info(); }
  std::size_t memory_free() const override { return memory_.memory_free(); }
  link_kind link_to(const device_info& other) const override { return memory_.link_to(other); }

  void* allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void deallocate(void* address) noexcept override { memory_.deallocate(address); }
  void* allocate_pinned(std::size_t bytes) override { return memory_.allocate_pinned(bytes); }
  void deallocate_pinned(void* address) noexcept override { memory_.deallocate_pinned(address); }
  void pin(void* first, std::size_t bytes) override { memory_.pin(first, bytes); }
  void unpin(void* first, std::size_t bytes) noexcept override { memory_.unpin(first, bytes); }

  stream_handle make_stream(stream_kind kind) override { return streams_.make_stream(kind); }
  void destroy_stream(stream_handle stream) noexcept override { streams_.destroy_stream(stream); }
  void copy_box(stream_handle stream, const box_copy& what) override { streams_.copy_box(stream, what); }
  void launch(stream_handle stream, const kernel_call& call) override { streams_.launch(stream, call); }
  void synchronize(stream_handle stream) override { streams_.synchronize(stream); }
  void synchronize() override { streams_.synchronize(); }

  event_handle make_event(event_kind kind) override { return events_.make_event(kind); }
  void destroy_event(event_handle event) noexcept override { events_.destroy_event(event); }
  void record(event_handle event, stream_handle stream) override { events_.record(event, stream); }
  void wait(stream_handle stream, event_handle event) override { events_.wait(stream, event); }
  void synchronize(event_handle event) override { events_.synchronize(event); }
  bool is_done(event_handle event) override { return events_.is_done(event); }
  seconds seconds_between(event_handle from, event_handle to) override {
    return events_.seconds_between(from, to);
  }

  void begin_capture(stream_handle stream) override { graphs_.begin_capture(stream); }
  graph_handle end_capture(stream_handle stream) override { return graphs_.end_capture(stream); }
  void replay(graph_handle graph, stream_handle stream) override { graphs_.replay(graph, stream); }
  void destroy_graph(graph_handle graph) noexcept override { graphs_.destroy_graph(graph); }

 protected:
  device_memory& memory() const { return memory_; }
  device_streams& streams() const { return streams_; }
  device_events& events() const { return events_; }
  device_graphs& graphs() const { return graphs_; }

 private:
  device_memory& memory_;
  device_streams& streams_;
  device_events& events_;
  device_graphs& graphs_;
};

}  // namespace yoke
