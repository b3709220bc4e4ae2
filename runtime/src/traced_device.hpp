#pragma once
/// A device that shows its launches in the trace, by their names.

#include "trace_tracks.hpp"

#include <memory>
#include <utility>

#include <yoke/forwarding_device.hpp>

namespace yoke::detail {

/// Passes everything on. Where the device is emulated each kernel is shown while it runs, those of replayed
/// graphs too; a GPU's kernels are shown where the host enqueues them, on the track of the CU that does.
class traced_device final : public forwarding_device {
 public:
  traced_device(std::unique_ptr<device> real, trace_tracks& trace, int kernel_track)
      : forwarding_device{*real}, real_{std::move(real)}, trace_{trace}, kernel_track_{kernel_track} {}

  void launch(stream_handle stream, const kernel_call& call) override;
  void replay(graph_handle graph, stream_handle stream) override;

 private:
  std::unique_ptr<device> real_;
  trace_tracks& trace_;
  int kernel_track_;
};

/// Puts one in front of every device and every slice, which goes on with the device behind that.
void trace_devices(gpu_units& gpus, trace_tracks& trace);

}  // namespace yoke::detail
