#pragma once
/// An emulated device whose calls fail on demand.

#include "aliased_device.hpp"
#include "faults.hpp"

#include <memory>
#include <string>

#include <yoke/emulated.hpp>

namespace yoke::emulated {

/// Counts the calls before the device gets them, refused ones too. A call that waits has waited when it
/// fails.
class faulty_device final : public emulated_device {
 public:
  faulty_device(std::unique_ptr<aliased_device> real, const emulated_options& options);

  void* allocate(std::size_t bytes) override;
  void* allocate_pinned(std::size_t bytes) override;
  void pin(void* first, std::size_t bytes) override;

  stream_handle make_stream(stream_kind) override { return make_stream_of(1); }
  /// On a `share` of the device: its kernels take so much longer.
  stream_handle make_stream_of(double share);
  void copy_box(stream_handle stream, const box_copy& what) override;
  void launch(stream_handle stream, const kernel_call& call) override;
  void synchronize(stream_handle stream) override;
  void synchronize() override;

  event_handle make_event(event_kind kind) override;
  void record(event_handle event, stream_handle stream) override;
  void wait(stream_handle stream, event_handle event) override;
  void synchronize(event_handle event) override;
  bool is_done(event_handle event) override;
  seconds seconds_between(event_handle from, event_handle to) override;

  void begin_capture(stream_handle stream) override;
  graph_handle end_capture(stream_handle stream) override;
  void replay(graph_handle graph, stream_handle stream) override;

  device_statistics statistics() const override { return real_->statistics(); }
  void set_faults(const emulated_options& options) override { faults_.set(options); }

 private:
  void enter(const std::string& intent) { faults_.enter(call_kind::other, intent); }

  const std::unique_ptr<aliased_device> real_;
  faults faults_;
};

}  // namespace yoke::emulated
