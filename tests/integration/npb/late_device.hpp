#pragma once
/// A device some of whose launches begin late: what is not ordered by events then comes in the wrong order.

#include <cstdint>
#include <functional>
#include <string_view>
#include <thread>

#include <yoke/device.hpp>

class late_device final : public yoke::device {
 public:
  using is_late = std::function<bool(std::string_view name, std::int64_t rows)>;

  /// In front of a device of the host, whose handles it passes on.
  explicit late_device(yoke::device& real) : real_{real} {}
  void delay(is_late which) { is_late_ = std::move(which); }
  long delayed() const { return delayed_; }

  void launch(yoke::stream_handle stream, const yoke::kernel_call& call) override {
    if (is_late_ && is_late_(call.name, call.items.y)) {
      ++delayed_;
      real_.launch(stream, nap());
    }
    real_.launch(stream, call);
  }

  const yoke::device_info& info() const override { return real_.info(); }
  std::size_t memory_free() const override { return real_.memory_free(); }
  void* allocate(std::size_t bytes) override { return real_.allocate(bytes); }
  void deallocate(void* address) noexcept override { real_.deallocate(address); }
  void* allocate_pinned(std::size_t bytes) override { return real_.allocate_pinned(bytes); }
  void deallocate_pinned(void* address) noexcept override { real_.deallocate_pinned(address); }
  yoke::stream_handle create_stream() override { return real_.create_stream(); }
  yoke::stream_handle create_urgent_stream() override { return real_.create_urgent_stream(); }
  void destroy_stream(yoke::stream_handle stream) noexcept override { real_.destroy_stream(stream); }
  void copy(yoke::stream_handle stream, void* to, const void* from, std::size_t bytes,
            yoke::copy_kind kind) override {
    real_.copy(stream, to, from, bytes, kind);
  }
  void synchronize(yoke::stream_handle stream) override { real_.synchronize(stream); }
  void synchronize() override { real_.synchronize(); }
  yoke::event_handle create_event() override { return real_.create_event(); }
  yoke::event_handle create_timed_event() override { return real_.create_timed_event(); }
  void destroy_event(yoke::event_handle event) noexcept override { real_.destroy_event(event); }
  void record(yoke::event_handle event, yoke::stream_handle stream) override { real_.record(event, stream); }
  void wait(yoke::stream_handle stream, yoke::event_handle event) override { real_.wait(stream, event); }
  void synchronize(yoke::event_handle event) override { real_.synchronize(event); }
  bool is_done(yoke::event_handle event) override { return real_.is_done(event); }
  yoke::seconds seconds_between(yoke::event_handle from, yoke::event_handle to) override {
    return real_.seconds_between(from, to);
  }
  void begin_capture(yoke::stream_handle stream) override { real_.begin_capture(stream); }
  yoke::graph_handle end_capture(yoke::stream_handle stream) override { return real_.end_capture(stream); }
  void replay(yoke::graph_handle graph, yoke::stream_handle stream) override { real_.replay(graph, stream); }
  void destroy_graph(yoke::graph_handle graph) noexcept override { real_.destroy_graph(graph); }

 private:
  static yoke::kernel_call nap() {
    static constexpr char nothing = 0;
    yoke::kernel_call call;
    call.name = "nap";
    call.items = {1, 1};
    call.host_entry = [](const void*, const yoke::item_range&) {
      // So long that whatever need not wait for what follows has run.
      for (int i = 0; i < 3000; ++i) std::this_thread::yield();
    };
    call.arguments = &nothing;
    call.argument_bytes = 1;
    return call;
  }

  yoke::device& real_;
  is_late is_late_;
  long delayed_ = 0;
};
