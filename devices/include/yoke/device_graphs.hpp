// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Work of a device that is queued again and again by one call.

#include <yoke/device_handles.hpp>

namespace yoke {

/// Graphs: what a stream was given once, to be replayed at the cost of one launch. Copies keep their
/// addresses and kernels their arguments; what changes from replay to replay lies in memory.
///
///   dev.begin_capture(stream);
///   step(dev, stream);                                        // copies and launches; nothing runs yet
///   const yoke::graph_handle one_step = dev.end_capture(stream);
///   for (int i = 0; i < n; ++i) dev.replay(one_step, stream);
///
/// Errors: device_error naming device and call, also for what cannot be recorded.
class device_graphs {
 public:
  /// Between begin_capture and end_capture copies and launches of the stream are recorded instead of run.
  virtual void begin_capture(stream_handle stream) = 0;
  [[nodiscard]] virtual graph_handle end_capture(stream_handle stream) = 0;
  /// Asynchronous in the order of `stream`, which need not be the one that was recorded.
  virtual void replay(graph_handle graph, stream_handle stream) = 0;
  virtual void destroy_graph(graph_handle graph) noexcept = 0;

 protected:
  ~device_graphs() = default;
};

}  // namespace yoke
