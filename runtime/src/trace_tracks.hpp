#pragma once
/// The tracks of a runtime's trace, and which of them a span goes to.

#include "gpu_units.hpp"

#include <string_view>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/current.hpp>
#include <yoke/places.hpp>
#include <yoke/trace.hpp>

namespace yoke::detail {

/// In this order: a track for each CU, which its outer thread writes; one for everybody else; for each CU one
/// with the shares of its batches, which would lie across what the CU did in the batch; one for each device
/// and slice with the kernels that it runs, where the host sees them run.
class trace_tracks {
 public:
  trace_tracks(const configuration& shape, const std::vector<place>& places, const gpu_units& gpus);

  trace_recorder& recorder() { return recorder_; }
  static int share_track(int n_cus, unit_id unit) { return n_cus + 1 + unit; }
  int kernel_track(int device) const { return 2 * n_cus_ + 1 + device; }
  /// On the track of the CU whose outer thread calls; everybody else shares one.
  void by_caller(const char* category, std::string_view name, ticks from, ticks to,
                 const trace_arguments& arguments = {});

 private:
  int n_cus_;
  trace_recorder recorder_;
};

/// Of the current runtime; nullptr where it has no trace.
current_slot<trace_tracks>& current_trace() noexcept;

}  // namespace yoke::detail
