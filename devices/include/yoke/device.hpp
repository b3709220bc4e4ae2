#pragma once
/// The device interface: everything that placement, compute units and the runtime ask of a GPU.
/// A device knows memory, copies, streams, events and launches; it never hears of a task, a key or a
/// schedule.

#include <cstddef>

#include <yoke/box_copy.hpp>
#include <yoke/device_handles.hpp>
#include <yoke/device_info.hpp>
#include <yoke/ids.hpp>
#include <yoke/kernel_call.hpp>

namespace yoke {

/// Errors: device_error when the call asks for more shared memory than the device has for a block.
void require_shared_memory(const kernel_call& call, const device_info& info);

/// One memory space and the engine beside it. Thread-safe, but a stream is used by one thread at a time.
/// Errors: device_error naming device, call and intent. The only exception: allocate gives nullptr when
/// memory is exhausted, so that the caller can say for whom.
class device {
 public:
  virtual ~device() = default;

  virtual const device_info& info() const = 0;
  virtual std::size_t memory_free() const = 0;
  /// What lies between its memory and that of `other`, a device of any backend, as that one's info() says. A
  /// device that does not say otherwise is reached through the host. Never throws.
  virtual link_kind link_to(const device_info& /*other*/) const { return link_kind::through_host; }

  /// At least 256-byte aligned. nullptr when the space is full.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* address) noexcept = 0;
  /// Host memory that copies of this device reach asynchronously.
  [[nodiscard]] virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void deallocate_pinned(void* address) noexcept = 0;
  /// The same for host memory that exists already, until unpin with the same range; a pinned_range does both.
  /// Ranges may overlap and share pages. Errors: device_error; nothing has changed then.
  virtual void pin(void* first, std::size_t bytes) = 0;
  virtual void unpin(void* first, std::size_t bytes) noexcept = 0;

  [[nodiscard]] virtual stream_handle make_stream(stream_kind kind) = 0;
  virtual void destroy_stream(stream_handle stream) noexcept = 0;
  /// Asynchronous in stream order; source and destination must stay valid until it has run. A box without
  /// bytes is nothing to copy.
  virtual void copy_box(stream_handle stream, const box_copy& what) = 0;
  virtual void launch(stream_handle stream, const kernel_call& call) = 0;
  /// When it throws, nothing queued before is running or will run.
  virtual void synchronize(stream_handle stream) = 0;
  /// Waits for everything on the device.
  virtual void synchronize() = 0;

  [[nodiscard]] virtual event_handle make_event(event_kind kind) = 0;
  virtual void destroy_event(event_handle event) noexcept = 0;
  virtual void record(event_handle event, stream_handle stream) = 0;
  /// Makes later work of `stream` wait for `event`, which may belong to another device of the same backend.
  virtual void wait(stream_handle stream, event_handle event) = 0;
  virtual void synchronize(event_handle event) = 0;
  virtual bool is_done(event_handle event) = 0;
  /// Time on the device between the last recordings of two timed events, both of which have happened.
  virtual seconds seconds_between(event_handle from, event_handle to) = 0;

  /// Between begin_capture and end_capture copies and launches of the stream are recorded instead of run.
  virtual void begin_capture(stream_handle stream) = 0;
  [[nodiscard]] virtual graph_handle end_capture(stream_handle stream) = 0;
  virtual void replay(graph_handle graph, stream_handle stream) = 0;
  virtual void destroy_graph(graph_handle graph) noexcept = 0;

  // The same in fewer words.
  [[nodiscard]] stream_handle create_stream() { return make_stream(stream_kind::normal); }
  [[nodiscard]] stream_handle create_urgent_stream() { return make_stream(stream_kind::urgent); }
  [[nodiscard]] event_handle create_event() { return make_event(event_kind::plain); }
  [[nodiscard]] event_handle create_timed_event() { return make_event(event_kind::timed); }
  void copy(stream_handle stream, void* to, const void* from, std::size_t bytes, copy_kind kind) {
    copy_box(stream, {.to = to, .from = from, .bytes = bytes, .kind = kind});
  }
};

}  // namespace yoke
