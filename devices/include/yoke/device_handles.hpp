// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a device hands out: streams, events and graphs.
///
/// Handles are plain values without an owner: who has made one gives it back to the same device, once, after
/// its last use. A null handle is none. yoke::event and the streams of compute units are owned by objects.

#include <yoke/cpp20.hpp>

namespace yoke {

/// Opaque handles of one device; `native` is cudaStream_t / hipStream_t, cudaEvent_t, … on a GPU, where
/// <yoke/gpu.hpp> gives them their vendor's type for a library that asks for a stream:
///
///   cublasSetStream(blas, yoke::gpu::native(stream));
struct stream_handle {
  void* native = nullptr;
  friend bool operator==(stream_handle, stream_handle) = default;
};
/// A point in a stream, and a place for its time where it was made to be timed.
struct event_handle {
  void* native = nullptr;
};
/// What was recorded between begin_capture and end_capture: cudaGraphExec_t on a GPU.
struct graph_handle {
  void* native = nullptr;
};

/// Kernels of an urgent stream go before those of others, as far as these have not begun.
enum class stream_kind { normal, urgent };
/// A timed event knows when it happened, for seconds_between.
enum class event_kind { plain, timed };

}  // namespace yoke
