#pragma once
/// Wraps a device, lets its k-th call fail, and counts what has been made and not been given back.

#include <atomic>
#include <cstdint>
#include <string>

#include <yoke/device.hpp>
#include <yoke/error.hpp>

namespace support {

/// Things of a device that exist now.
struct live_things {
  std::int64_t allocations = 0;
  std::int64_t pinned = 0;
  std::int64_t streams = 0;
  std::int64_t events = 0;
  std::int64_t graphs = 0;
  friend bool operator==(const live_things&, const live_things&) = default;
};

/// Calls that can fail are counted from 1; those that only give back or ask are not. The k-th throws a
/// device_error without reaching the device; where that is an allocation and `exhaust` is set, it gives
/// nullptr instead.
class failing_device final : public yoke::device {
 public:
  explicit failing_device(yoke::device& inner, bool exhaust = false) : inner_{inner}, exhaust_{exhaust} {}

  /// The k-th call from here on fails; 0: none.
  void fail_call(std::int64_t k) {
    calls_ = 0;
    failing_ = k;
    failed_ = false;
  }
  std::int64_t calls() const { return calls_; }
  bool has_failed() const { return failed_; }
  live_things live() const { return {allocations_, pinned_, streams_, events_, graphs_}; }

  const yoke::device_info& info() const override { return inner_.info(); }
  std::size_t memory_free() const override { return inner_.memory_free(); }

  void* allocate(std::size_t bytes) override {
    return counted(allocations_, due_allocation("allocate") ? nullptr : inner_.allocate(bytes));
  }
  void deallocate(void* address) noexcept override {
    if (address != nullptr) --allocations_;
    inner_.deallocate(address);
  }
  void* allocate_pinned(std::size_t bytes) override {
    return counted(pinned_, due_allocation("allocate_pinned") ? nullptr : inner_.allocate_pinned(bytes));
  }
  void deallocate_pinned(void* address) noexcept override {
    if (address != nullptr) --pinned_;
    inner_.deallocate_pinned(address);
  }

  yoke::stream_handle create_stream() override {
    fail_if_due("create_stream");
    const yoke::stream_handle made = inner_.create_stream();
    return ++streams_, made;
  }
  yoke::stream_handle create_urgent_stream() override {
    fail_if_due("create_urgent_stream");
    const yoke::stream_handle made = inner_.create_urgent_stream();
    return ++streams_, made;
  }
  void destroy_stream(yoke::stream_handle stream) noexcept override {
    --streams_;
    inner_.destroy_stream(stream);
  }
  void copy(yoke::stream_handle stream, void* to, const void* from, std::size_t bytes,
            yoke::copy_kind kind) override {
    fail_if_due("copy");
    inner_.copy(stream, to, from, bytes, kind);
  }
  void launch(yoke::stream_handle stream, const yoke::kernel_call& call) override {
    fail_if_due("launch");
    inner_.launch(stream, call);
  }
  void synchronize(yoke::stream_handle stream) override {
    // A real synchronization that fails has waited: see device::synchronize.
    inner_.synchronize(stream);
    fail_if_due("synchronize stream");
  }
  void synchronize() override {
    inner_.synchronize();
    fail_if_due("synchronize device");
  }

  yoke::event_handle create_event() override {
    fail_if_due("create_event");
    const yoke::event_handle made = inner_.create_event();
    return ++events_, made;
  }
  yoke::event_handle create_timed_event() override {
    fail_if_due("create_timed_event");
    const yoke::event_handle made = inner_.create_timed_event();
    return ++events_, made;
  }
  void destroy_event(yoke::event_handle event) noexcept override {
    --events_;
    inner_.destroy_event(event);
  }
  void record(yoke::event_handle event, yoke::stream_handle stream) override {
    fail_if_due("record");
    inner_.record(event, stream);
  }
  void wait(yoke::stream_handle stream, yoke::event_handle event) override {
    fail_if_due("wait");
    inner_.wait(stream, event);
  }
  void synchronize(yoke::event_handle event) override {
    inner_.synchronize(event);
    fail_if_due("synchronize event");
  }
  bool is_done(yoke::event_handle event) override {
    fail_if_due("is_done");
    return inner_.is_done(event);
  }
  yoke::seconds seconds_between(yoke::event_handle from, yoke::event_handle to) override {
    fail_if_due("seconds_between");
    return inner_.seconds_between(from, to);
  }

  void begin_capture(yoke::stream_handle stream) override {
    fail_if_due("begin_capture");
    inner_.begin_capture(stream);
  }
  yoke::graph_handle end_capture(yoke::stream_handle stream) override {
    fail_if_due("end_capture");
    const yoke::graph_handle made = inner_.end_capture(stream);
    return ++graphs_, made;
  }
  void replay(yoke::graph_handle graph, yoke::stream_handle stream) override {
    fail_if_due("replay");
    inner_.replay(graph, stream);
  }
  void destroy_graph(yoke::graph_handle graph) noexcept override {
    --graphs_;
    inner_.destroy_graph(graph);
  }

 private:
  bool due() {
    if (++calls_ != failing_) return false;
    failed_ = true;
    return true;
  }
  void fail_if_due(const char* call) {
    if (due()) throw yoke::device_error{info().name + ": " + call + " failed, as the test asks"};
  }
  bool due_allocation(const char* call) {
    if (exhaust_) return due();
    return fail_if_due(call), false;
  }
  static void* counted(std::atomic<std::int64_t>& live, void* address) {
    if (address != nullptr) ++live;
    return address;
  }

  yoke::device& inner_;
  const bool exhaust_;
  std::atomic<std::int64_t> calls_{0}, failing_{0};
  std::atomic<bool> failed_{false};
  std::atomic<std::int64_t> allocations_{0}, pinned_{0}, streams_{0}, events_{0}, graphs_{0};
};

}  // namespace support
