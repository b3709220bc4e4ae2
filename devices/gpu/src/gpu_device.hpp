#pragma once

#include <mutex>
#include <set>
#include <string_view>

#include <yoke/gpu.hpp>

namespace yoke::gpu {

/// A whole CUDA or HIP device. A call leaves it the calling thread's current device: switching back would
/// give this process a context, and so memory, on devices that it never asked for.
class gpu_device final : public device {
 public:
  /// Requires: 0 <= ordinal < number of devices.
  explicit gpu_device(int ordinal);

  const device_info& info() const override { return info_; }
  std::size_t memory_free() const override;
  link_kind link_to(const device_info& other) const override;

  void* allocate(std::size_t bytes) override;
  void deallocate(void* address) noexcept override;
  void* allocate_pinned(std::size_t bytes) override;
  void deallocate_pinned(void* address) noexcept override;
  void pin(void* first, std::size_t bytes) override;
  void unpin(void* first, std::size_t bytes) noexcept override;

  stream_handle make_stream(stream_kind kind) override;
  void destroy_stream(stream_handle stream) noexcept override;
  void copy_box(stream_handle stream, const box_copy& what) override;
  void launch(stream_handle stream, const kernel_call& call) override;
  void synchronize(stream_handle stream) override;
  void synchronize() override;

  event_handle make_event(event_kind kind) override;
  void destroy_event(event_handle event) noexcept override;
  void record(event_handle event, stream_handle stream) override;
  void wait(stream_handle stream, event_handle event) override;
  void synchronize(event_handle event) override;
  bool is_done(event_handle event) override;
  seconds seconds_between(event_handle from, event_handle to) override;

  void begin_capture(stream_handle stream) override;
  graph_handle end_capture(stream_handle stream) override;
  void replay(graph_handle graph, stream_handle stream) override;
  void destroy_graph(graph_handle graph) noexcept override;

 private:
  /// Makes this the calling thread's current device. What gives back goes on where that fails.
  error try_use() const noexcept;
  void use() const;
  /// Throws with "<intent> on cuda:0" unless `code` is success.
  void expect(error code, std::string_view intent) const;

  /// Lets a kernel ask for all the shared memory that a block may have; once for each.
  void allow_shared_memory(const kernel_call& call);

  device_info info_;
  std::mutex allowed_lock_;
  std::set<const void*> allowed_;  ///< kernels with much shared memory
};

}  // namespace yoke::gpu
