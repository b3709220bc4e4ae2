#pragma once
/// Wraps a device, lets its k-th call fail, and counts what has been made and not been given back.

#include <atomic>
#include <cstdint>
#include <string>

#include <yoke/error.hpp>
#include <yoke/forwarding_device.hpp>

namespace support {

/// Things of a device that exist now.
struct live_things {
  std::int64_t allocations = 0;
  std::int64_t pinned = 0;
  std::int64_t pins = 0;
  std::int64_t streams = 0;
  std::int64_t events = 0;
  std::int64_t graphs = 0;
  friend bool operator==(const live_things&, const live_things&) = default;
};

/// Calls that can fail are counted from 1; those that only give back or ask are not. The k-th throws a
/// device_error without reaching the device; where that is an allocation and `exhaust` is set, it is
/// as where memory is gone: `allocate` gives nullptr, `allocate_pinned` throws a device_error with
/// device_failure::out_of_memory.
class failing_device final : public yoke::forwarding_device {
 public:
  explicit failing_device(yoke::device& real, bool exhaust = false)
      : forwarding_device{real}, exhaust_{exhaust} {}

  /// The k-th call from here on fails; 0: none.
  void fail_call(std::int64_t k) {
    calls_ = 0;
    failing_ = k;
    failed_ = false;
  }
  std::int64_t calls() const { return calls_; }
  bool has_failed() const { return failed_; }
  live_things live() const { return {allocations_, pinned_, pins_, streams_, events_, graphs_}; }

  void* allocate(std::size_t bytes) override {
    return counted(allocations_, due_allocation("allocate") ? nullptr : memory().allocate(bytes));
  }
  void deallocate(void* address) noexcept override {
    if (address != nullptr) --allocations_;
    memory().deallocate(address);
  }
  void* allocate_pinned(std::size_t bytes) override {
    if (due_allocation("allocate_pinned"))
      throw yoke::device_error{info().name + ": allocate_pinned found no memory, as the test asks",
                               yoke::device_failure::out_of_memory};
    return counted(pinned_, memory().allocate_pinned(bytes));
  }
  void deallocate_pinned(void* address) noexcept override {
    if (address != nullptr) --pinned_;
    memory().deallocate_pinned(address);
  }
  void pin(void* first, std::size_t bytes) override {
    fail_if_due("pin");
    memory().pin(first, bytes);
    ++pins_;
  }
  void unpin(void* first, std::size_t bytes) noexcept override {
    --pins_;
    memory().unpin(first, bytes);
  }

  yoke::stream_handle make_stream(yoke::stream_kind kind) override {
    fail_if_due("make_stream");
    const yoke::stream_handle made = streams().make_stream(kind);
    return ++streams_, made;
  }
  void destroy_stream(yoke::stream_handle stream) noexcept override {
    --streams_;
    streams().destroy_stream(stream);
  }
  void copy_box(yoke::stream_handle stream, const yoke::box_copy& what) override {
    fail_if_due("copy_box");
    streams().copy_box(stream, what);
  }
  void launch(yoke::stream_handle stream, const yoke::kernel_call& call) override {
    fail_if_due("launch");
    streams().launch(stream, call);
  }
  void synchronize(yoke::stream_handle stream) override {
    // A real synchronization that fails has waited: see device_streams::synchronize.
    streams().synchronize(stream);
    fail_if_due("synchronize stream");
  }
  void synchronize() override {
    streams().synchronize();
    fail_if_due("synchronize device");
  }

  yoke::event_handle make_event(yoke::event_kind kind) override {
    fail_if_due("make_event");
    const yoke::event_handle made = events().make_event(kind);
    return ++events_, made;
  }
  void destroy_event(yoke::event_handle event) noexcept override {
    --events_;
    events().destroy_event(event);
  }
  void record(yoke::event_handle event, yoke::stream_handle stream) override {
    fail_if_due("record");
    events().record(event, stream);
  }
  void wait(yoke::stream_handle stream, yoke::event_handle event) override {
    fail_if_due("wait");
    events().wait(stream, event);
  }
  void synchronize(yoke::event_handle event) override {
    events().synchronize(event);
    fail_if_due("synchronize event");
  }
  bool is_done(yoke::event_handle event) override {
    fail_if_due("is_done");
    return events().is_done(event);
  }
  yoke::seconds seconds_between(yoke::event_handle from, yoke::event_handle to) override {
    fail_if_due("seconds_between");
    return events().seconds_between(from, to);
  }

  void begin_capture(yoke::stream_handle stream) override {
    fail_if_due("begin_capture");
    graphs().begin_capture(stream);
  }
  yoke::graph_handle end_capture(yoke::stream_handle stream) override {
    fail_if_due("end_capture");
    const yoke::graph_handle made = graphs().end_capture(stream);
    return ++graphs_, made;
  }
  void replay(yoke::graph_handle graph, yoke::stream_handle stream) override {
    fail_if_due("replay");
    graphs().replay(graph, stream);
  }
  void destroy_graph(yoke::graph_handle graph) noexcept override {
    --graphs_;
    graphs().destroy_graph(graph);
  }

 private:
  bool due() {
    if (++calls_ != failing_) return false;
    failed_ = true;
    return true;
  }
  void fail_if_due(const char* call) {
    if (due())
      throw yoke::device_error{info().name + ": " + call + " failed, as the test asks",
                               yoke::device_failure::retryable};
  }
  bool due_allocation(const char* call) {
    if (exhaust_) return due();
    return fail_if_due(call), false;
  }
  static void* counted(std::atomic<std::int64_t>& live, void* address) {
    if (address != nullptr) ++live;
    return address;
  }

  const bool exhaust_;
  std::atomic<std::int64_t> calls_{0}, failing_{0};
  std::atomic<bool> failed_{false};
  std::atomic<std::int64_t> allocations_{0}, pinned_{0}, pins_{0}, streams_{0}, events_{0}, graphs_{0};
};

}  // namespace support
