#pragma once
/// The emulated device: memory behind an alias, streams that are threads. It fails only where it is misused;
/// failing on demand is faulty_device.

#include "address_space.hpp"
#include "handles.hpp"
#include "worker_stream.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <yoke/emulated.hpp>
#include <yoke/pinned_pages.hpp>

namespace yoke::emulated {

class aliased_device final : public device {
 public:
  aliased_device(int index, const emulated_options& options);

  const device_info& info() const override { return info_; }
  std::size_t memory_free() const override { return memory_.free_bytes(); }
  link_kind link_to(const device_info& other) const override;

  void* allocate(std::size_t bytes) override;
  void deallocate(void* address) noexcept override;
  void* allocate_pinned(std::size_t bytes) override;
  void deallocate_pinned(void* address) noexcept override;
  void pin(void* first, std::size_t bytes) override;
  void unpin(void* first, std::size_t bytes) noexcept override;

  stream_handle make_stream(stream_kind) override { return make_stream_of(1); }
  /// On a `share` of the device: its kernels take so much longer.
  stream_handle make_stream_of(double share);
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

  device_statistics statistics() const;

 private:
  /// The call is refused: nothing was done, and the device is as before.
  [[noreturn]] void refuse(const std::string& intent, const std::string& why) const;
  /// The stream behind a handle; throws the error that it has met meanwhile.
  worker_stream& usable(stream_handle handle, const std::string& intent) const;
  /// Where the host finds what lies at the end of a copy.
  void* page_of(const void* address, std::size_t bytes, bool elsewhere, const std::string& intent) const;
  void* host_end(const void* address, const std::string& intent) const;
  /// The same copy between addresses that the host can use. Errors: device_error.
  box_copy on_host(const box_copy& what, const std::string& intent) const;
  void count_copy(const box_copy& what);
  void run_kernel(const kernel_call& call, const void* arguments, double slowdown);

  const device_info info_;
  const double slowdown_;
  const int peers_;
  address_space memory_;
  detail::pinned_pages pages_;
  std::atomic<std::size_t> allocations_{0}, pinned_{0}, copies_{0}, launches_{0}, replays_{0};
  std::atomic<std::size_t> to_device_{0}, to_host_{0}, inside_{0};
  mutable std::mutex streams_lock_;
  std::map<void*, std::shared_ptr<worker_stream>> streams_;  ///< last: ends before the memory it works on
};

}  // namespace yoke::emulated
