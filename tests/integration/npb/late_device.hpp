#pragma once
/// A device some of whose launches begin late: what is not ordered by events then comes in the wrong order.

#include <cstdint>
#include <functional>
#include <string_view>
#include <thread>

#include <yoke/forwarding_device.hpp>

class late_device final : public yoke::forwarding_device {
 public:
  using is_late = std::function<bool(std::string_view name, std::int64_t rows)>;

  /// In front of a device of the host, whose handles it passes on.
  explicit late_device(yoke::device& real) : forwarding_device{real} {}
  void delay(is_late which) { is_late_ = std::move(which); }
  long delayed() const { return delayed_; }

  void launch(yoke::stream_handle stream, const yoke::kernel_call& call) override {
    if (is_late_ && is_late_(call.name, call.items.y)) {
      ++delayed_;
      streams().launch(stream, nap());
    }
    streams().launch(stream, call);
  }
  /// Of those between devices, as launches.
  void copy_box(yoke::stream_handle stream, const yoke::box_copy& what) override {
    const bool is_between = what.kind == yoke::copy_kind::device_to_device;
    if (is_between && is_late_ && is_late_("copy between devices", 1)) {
      ++delayed_;
      streams().launch(stream, nap());
    }
    streams().copy_box(stream, what);
  }

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

  is_late is_late_;
  long delayed_ = 0;
};
