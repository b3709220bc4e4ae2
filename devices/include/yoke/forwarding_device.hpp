#pragma once
/// What wrappers of devices are made from.

#include <yoke/device.hpp>

namespace yoke {

/// Passes every call on to another device; a wrapper overrides those that it adds something to.
class forwarding_device : public device {
 public:
  /// `to` must live as long as this does.
  explicit forwarding_device(device& to) : to_{to} {}

  const device_info& info() const override { return to_.info(); }
  std::size_t memory_free() const override { return to_.memory_free(); }
  link_kind link_to(const device_info& other) const override { return to_.link_to(other); }

  void* allocate(std::size_t bytes) override { return to_.allocate(bytes); }
  void deallocate(void* address) noexcept override { to_.deallocate(address); }
  void* allocate_pinned(std::size_t bytes) override { return to_.allocate_pinned(bytes); }
  void deallocate_pinned(void* address) noexcept override { to_.deallocate_pinned(address); }
  void pin(void* first, std::size_t bytes) override { to_.pin(first, bytes); }
  void unpin(void* first, std::size_t bytes) noexcept override { to_.unpin(first, bytes); }

  stream_handle make_stream(stream_kind kind) override { return to_.make_stream(kind); }
  void destroy_stream(stream_handle stream) noexcept override { to_.destroy_stream(stream); }
  void copy_box(stream_handle stream, const box_copy& what) override { to_.copy_box(stream, what); }
  void launch(stream_handle stream, const kernel_call& call) override { to_.launch(stream, call); }
  void synchronize(stream_handle stream) override { to_.synchronize(stream); }
  void synchronize() override { to_.synchronize(); }

  event_handle make_event(event_kind kind) override { return to_.make_event(kind); }
  void destroy_event(event_handle event) noexcept override { to_.destroy_event(event); }
  void record(event_handle event, stream_handle stream) override { to_.record(event, stream); }
  void wait(stream_handle stream, event_handle event) override { to_.wait(stream, event); }
  void synchronize(event_handle event) override { to_.synchronize(event); }
  bool is_done(event_handle event) override { return to_.is_done(event); }
  seconds seconds_between(event_handle from, event_handle to) override {
    return to_.seconds_between(from, to);
  }

  void begin_capture(stream_handle stream) override { to_.begin_capture(stream); }
  graph_handle end_capture(stream_handle stream) override { return to_.end_capture(stream); }
  void replay(graph_handle graph, stream_handle stream) override { to_.replay(graph, stream); }
  void destroy_graph(graph_handle graph) noexcept override { to_.destroy_graph(graph); }

 protected:
  device& inner() const { return to_; }

 private:
  device& to_;
};

}  // namespace yoke
