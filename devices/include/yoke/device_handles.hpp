#pragma once
/// What a device hands out: streams, events and graphs.

namespace yoke {

/// Opaque handles of one device; `native` is cudaStream_t / hipStream_t, cudaEvent_t, … on a GPU.
struct stream_handle {
  void* native = nullptr;
  friend bool operator==(stream_handle, stream_handle) = default;
};
struct event_handle {
  void* native = nullptr;
};
struct graph_handle {
  void* native = nullptr;
};

/// Kernels of an urgent stream go before those of others, as far as these have not begun.
enum class stream_kind { normal, urgent };
/// A timed event knows when it happened, for seconds_between.
enum class event_kind { plain, timed };

}  // namespace yoke
