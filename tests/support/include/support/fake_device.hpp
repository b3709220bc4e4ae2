#pragma once
/// A device that does everything at once on the host and remembers what it was asked: for tests of rooms that
/// use devices. It has no address space of its own; the emulated device has.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <yoke/device.hpp>
#include <yoke/error.hpp>

namespace support {

class fake_device final : public yoke::device {
 public:
  explicit fake_device(int ordinal = 0, const std::string& kind = "fake", int processors = 1) {
    info_ = {.name = kind + ":" + std::to_string(ordinal),
             .model = kind,
             .ordinal = ordinal,
             .emulated = true,
             .memory = std::size_t{1} << 30,
             .processors = processors};
  }

  /// From now on it says that it is a GPU, or so much of one.
  void pass_for_a_gpu(double share = 1) {
    info_.emulated = false;
    info_.share = share;
  }

  /// Names of the calls so far, in order.
  const std::vector<std::string>& calls() const { return calls_; }
  int live_streams() const { return static_cast<int>(streams_.size()); }
  /// The k-th make_stream from now on (counted from 1) throws a device_error.
  void fail_make_stream(int k) { streams_until_failure_ = k; }

  const yoke::device_info& info() const override { return info_; }
  std::size_t memory_free() const override { return info_.memory; }

  void* allocate(std::size_t bytes) override { return record("allocate"), std::malloc(bytes); }
  void deallocate(void* address) noexcept override { std::free(address); }
  void* allocate_pinned(std::size_t bytes) override { return record("allocate_pinned"), std::malloc(bytes); }
  void deallocate_pinned(void* address) noexcept override { std::free(address); }

  void pin(void*, std::size_t) override { record("pin"); }
  void unpin(void*, std::size_t) noexcept override {}

  yoke::stream_handle make_stream(yoke::stream_kind) override {
    record("make_stream");
    if (--streams_until_failure_ == 0) throw yoke::device_error{info_.name + ": make_stream failed"};
    return {*streams_.insert(new_handle()).first};
  }
  void destroy_stream(yoke::stream_handle stream) noexcept override { streams_.erase(stream.native); }
  void copy_box(yoke::stream_handle, const yoke::box_copy& what) override {
    record("copy");
    yoke::detail::for_each_row(what, [&](void* to, const void* from) { std::memcpy(to, from, what.bytes); });
  }
  void launch(yoke::stream_handle, const yoke::kernel_call& call) override {
    record(std::string{"launch "} + call.name);
    call.host_entry(call.arguments, yoke::detail::all_of(call));
  }
  void synchronize(yoke::stream_handle) override { record("synchronize stream"); }
  void synchronize() override { record("synchronize device"); }

  yoke::event_handle make_event(yoke::event_kind) override { return {new_handle()}; }
  void destroy_event(yoke::event_handle) noexcept override {}
  void record(yoke::event_handle, yoke::stream_handle) override { record("record"); }
  void wait(yoke::stream_handle, yoke::event_handle) override { record("wait"); }
  void synchronize(yoke::event_handle) override { record("synchronize event"); }
  bool is_done(yoke::event_handle) override { return true; }
  yoke::seconds seconds_between(yoke::event_handle, yoke::event_handle) override { return 0; }

  void begin_capture(yoke::stream_handle) override { refuse_graphs(); }
  yoke::graph_handle end_capture(yoke::stream_handle) override { refuse_graphs(); }
  void replay(yoke::graph_handle, yoke::stream_handle) override { refuse_graphs(); }
  void destroy_graph(yoke::graph_handle) noexcept override {}

 private:
  void record(std::string call) { calls_.push_back(std::move(call)); }
  void* new_handle() { return reinterpret_cast<void*>(next_handle_++); }
  [[noreturn]] void refuse_graphs() const {
    throw yoke::device_error{info_.name + ": a fake device has no graphs"};
  }

  yoke::device_info info_;
  std::vector<std::string> calls_;
  std::set<void*> streams_;
  std::uintptr_t next_handle_ = 1;
  int streams_until_failure_ = 0;
};

}  // namespace support
