#include "address_space.hpp"
#include "faults.hpp"
#include "handles.hpp"
#include "worker_stream.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include <yoke/emulated.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/launch_shape.hpp>

namespace yoke {

namespace emulated {
namespace {

const char* direction(copy_kind kind) {
  switch (kind) {
    case copy_kind::host_to_device:
      return "to the device";
    case copy_kind::device_to_host:
      return "to the host";
    case copy_kind::device_to_device:
      return "inside the device";
  }
  return "";
}

class aliased_device final : public emulated_device {
 public:
  aliased_device(int index, const emulated_options& options)
      : info_{.name = fmt::format("emulated:{}", index),
              .model = "emulated",
              .ordinal = index,
              .emulated = true,
              .memory = options.memory,
              .processors = 1,
              .shared_memory = options.shared_memory,
              .shared_memory_of_processor = options.shared_memory},
        slowdown_{options.slowdown},
        memory_{options.memory, info_.name},
        faults_{info_.name, options} {
    detail::watch_forks();
  }

  const device_info& info() const override { return info_; }
  std::size_t memory_free() const override { return memory_.free_bytes(); }

  void* allocate(std::size_t bytes) override {
    if (!faults_.enter(call_kind::allocation, fmt::format("allocating {} bytes", bytes))) return nullptr;
    void* address = memory_.allocate(bytes);
    if (address != nullptr) ++allocations_;
    return address;
  }
  void deallocate(void* address) noexcept override {
    // A forked child shares the pages: giving them back would empty the parent's.
    if (!detail::is_forked_child()) memory_.deallocate(address);
  }

  void* allocate_pinned(std::size_t bytes) override {
    enter(fmt::format("allocating {} bytes of pinned host memory", bytes));
    void* address = std::aligned_alloc(4096, std::max<std::size_t>(1, (bytes + 4095) / 4096) * 4096);
    if (address != nullptr) ++pinned_;
    return address;
  }
  void deallocate_pinned(void* address) noexcept override {
    if (address != nullptr) --pinned_;
    std::free(address);
  }

  stream_handle create_stream() override;
  stream_handle create_urgent_stream() override { return create_stream(); }
  void destroy_stream(stream_handle stream) noexcept override;
  void copy(stream_handle stream, void* to, const void* from, std::size_t bytes, copy_kind kind) override;
  void launch(stream_handle stream, const kernel_call& call) override;
  void synchronize(stream_handle stream) override;
  void synchronize() override;

  event_handle create_event() override {
    enter("creating an event");
    return {new event_state};
  }
  event_handle create_timed_event() override { return create_event(); }
  void destroy_event(event_handle event) noexcept override {
    // A thread that waits for it would be waited for, and a forked child does not have it.
    if (detail::is_forked_child()) return detail::abandon(event.native);
    delete static_cast<event_state*>(event.native);
  }
  void record(event_handle event, stream_handle stream) override;
  void wait(stream_handle stream, event_handle event) override;
  void synchronize(event_handle event) override;
  bool is_done(event_handle event) override;
  seconds seconds_between(event_handle from, event_handle to) override;

  void begin_capture(stream_handle stream) override;
  graph_handle end_capture(stream_handle stream) override;
  void replay(graph_handle graph, stream_handle stream) override;
  void destroy_graph(graph_handle graph) noexcept override {
    delete static_cast<shared_graph*>(graph.native);
  }

  device_statistics statistics() const override;
  void set_faults(const emulated_options& options) override { faults_.set(options); }

 private:
  void enter(const std::string& intent) { faults_.enter(call_kind::other, intent); }
  [[noreturn]] void fail(const std::string& intent, const std::string& why) const {
    throw device_error{fmt::format("{}: {} failed: {}", info_.name, intent, why)};
  }
  /// The stream behind a handle; throws the error that it has met meanwhile.
  worker_stream& usable(stream_handle handle, const std::string& intent) const;
  static event_state& state_of(event_handle event) { return *static_cast<event_state*>(event.native); }
  void* host_side(const void* address, std::size_t bytes, bool on_device, const std::string& intent) const;
  void count_copy(std::size_t bytes, copy_kind kind);
  void run_kernel(const kernel_call& call, const void* arguments);
  template <class Work>
  void timed(Work&& work) const;

  const device_info info_;
  const double slowdown_;
  address_space memory_;
  faults faults_;
  std::atomic<std::size_t> allocations_{0}, pinned_{0}, copies_{0}, launches_{0}, replays_{0};
  std::atomic<std::size_t> to_device_{0}, to_host_{0}, inside_{0};
  mutable std::mutex streams_lock_;
  std::map<void*, std::shared_ptr<worker_stream>> streams_;  ///< last: ends before the memory it works on
};

stream_handle aliased_device::create_stream() {
  enter("creating a stream");
  std::shared_ptr<worker_stream> stream{new worker_stream{memory_.window()}, &worker_stream::end};
  void* native = stream.get();
  const std::lock_guard guard{streams_lock_};
  streams_.emplace(native, std::move(stream));
  return {native};
}

void aliased_device::destroy_stream(stream_handle stream) noexcept {
  if (detail::is_forked_child()) return;
  std::shared_ptr<worker_stream> ending;  // joins outside the lock
  const std::lock_guard guard{streams_lock_};
  if (auto found = streams_.extract(stream.native)) ending = std::move(found.mapped());
}

worker_stream& aliased_device::usable(stream_handle handle, const std::string& intent) const {
  detail::refuse_in_forked_child();
  if (handle.native == nullptr) fail(intent, "the stream is null: make one with create_stream");
  auto& stream = *static_cast<worker_stream*>(handle.native);
  if (std::exception_ptr met = stream.take_error()) std::rethrow_exception(met);
  return stream;
}

void* aliased_device::host_side(const void* address, std::size_t bytes, bool on_device,
                                const std::string& intent) const {
  if (on_device) {
    if (void* page = memory_.translate(address, bytes)) return page;
    fail(intent,
         fmt::format("[{}, {} bytes further) is not inside an allocation of this device", address, bytes));
  }
  if (is_guarded(address)) {
    fail(intent, fmt::format("{} was given as a host address but is the address of a device", address));
  }
  return const_cast<void*>(address);
}

template <class Work>
void aliased_device::timed(Work&& work) const {
  using clock = std::chrono::steady_clock;
  if (slowdown_ <= 1) return work();
  const auto start = clock::now();
  work();
  std::this_thread::sleep_for((clock::now() - start) * (slowdown_ - 1));
}

void aliased_device::count_copy(std::size_t bytes, copy_kind kind) {
  ++copies_;
  (kind == copy_kind::host_to_device   ? to_device_
   : kind == copy_kind::device_to_host ? to_host_
                                       : inside_) += bytes;
}

void aliased_device::copy(stream_handle stream, void* to, const void* from, std::size_t bytes,
                          copy_kind kind) {
  const std::string intent = fmt::format("copying {} bytes {}", bytes, direction(kind));
  worker_stream& queue = usable(stream, intent);
  const auto find = [=, this] {
    return std::pair{host_side(to, bytes, kind != copy_kind::device_to_host, intent),
                     host_side(from, bytes, kind != copy_kind::host_to_device, intent)};
  };
  find();
  faults_.enter(call_kind::copy, intent);
  queue.push([=, this] {
    timed([&] {
      // Asked again, because the memory may have been freed while the copy was queued.
      const auto [target, source] = find();
      std::memmove(target, source, bytes);
    });
    count_copy(bytes, kind);
  });
}

void aliased_device::run_kernel(const kernel_call& call, const void* arguments) {
  timed([&] {
    try {
      call.host_entry(arguments, {.last_x = call.items.x, .last_y = call.items.y});
    } catch (const usage_error& met) {
      throw usage_error{fmt::format("{}: kernel '{}': {}", info_.name, call.name, met.what())};
    } catch (const std::exception& met) {
      fail(fmt::format("kernel '{}'", call.name), met.what());
    }
  });
  ++launches_;
}

void aliased_device::launch(stream_handle stream, const kernel_call& call) {
  if (call.items.x <= 0 || call.items.y <= 0) return;
  const std::string intent = fmt::format("launching kernel '{}'", call.name);
  worker_stream& queue = usable(stream, intent);
  if (call.host_entry == nullptr) fail(intent, "it has no host code");
  detail::require_shape(call, info_.name);
  require_shared_memory(call, info_);
  faults_.enter(call_kind::launch, intent);
  queue.push([this, call, arguments = argument_bytes{call}] { run_kernel(call, arguments.get()); });
}

void aliased_device::synchronize(stream_handle stream) {
  detail::refuse_in_forked_child();
  const std::string intent = "waiting for a stream";
  if (stream.native == nullptr) fail(intent, "the stream is null: make one with create_stream");
  auto& queue = *static_cast<worker_stream*>(stream.native);
  if (queue.capturing()) fail(intent, "it is recording a graph");
  // First of all, so that nothing is under way whichever error comes next.
  const std::exception_ptr met = queue.drain();
  enter(intent);
  if (met != nullptr) std::rethrow_exception(met);
}

void aliased_device::synchronize() {
  detail::refuse_in_forked_child();
  std::vector<std::shared_ptr<worker_stream>> all;
  {
    const std::lock_guard guard{streams_lock_};
    for (const auto& [native, stream] : streams_) all.push_back(stream);
  }
  std::exception_ptr first;
  for (const auto& stream : all) {
    const std::exception_ptr met = stream->drain();
    if (first == nullptr) first = met;
  }
  enter("waiting for the device");
  if (first != nullptr) std::rethrow_exception(first);
}

void aliased_device::record(event_handle event, stream_handle stream) {
  const std::string intent = "recording an event";
  if (stream.native == nullptr) fail(intent, "the stream is null: make one with create_stream");
  auto& queue = *static_cast<worker_stream*>(stream.native);
  if (queue.capturing())
    fail(intent, "the stream is recording a graph, which takes copies and launches only");
  enter(intent);
  auto point = std::make_shared<record_point>();
  queue.push_record(point);
  event_state& state = state_of(event);
  const std::lock_guard guard{state.lock};
  state.last = std::move(point);
}

void aliased_device::wait(stream_handle stream, event_handle event) {
  const std::string intent = "making a stream wait for an event";
  worker_stream& queue = usable(stream, intent);
  if (queue.capturing())
    fail(intent, "the stream is recording a graph, which takes copies and launches only");
  enter(intent);
  if (auto point = state_of(event).get()) queue.push_wait(std::move(point));
}

void aliased_device::synchronize(event_handle event) {
  enter("waiting for an event");
  const auto point = state_of(event).get();
  if (point == nullptr) return;
  if (std::exception_ptr met = point->wait()) std::rethrow_exception(met);
}

bool aliased_device::is_done(event_handle event) {
  enter("asking for an event");
  const auto point = state_of(event).get();
  return point == nullptr || point->done();
}

seconds aliased_device::seconds_between(event_handle from, event_handle to) {
  const std::string intent = "asking for the time between events";
  enter(intent);
  const auto start = state_of(from).get(), end = state_of(to).get();
  for (const auto& point : {start, end})
    if (point == nullptr || !point->done()) fail(intent, "the stream has not come to them yet");
  return elapsed(start->time(), end->time());
}

void aliased_device::begin_capture(stream_handle stream) {
  const std::string intent = "beginning a capture";
  worker_stream& queue = usable(stream, intent);
  if (queue.capturing()) fail(intent, "the stream is recording a graph already");
  enter(intent);
  queue.begin_capture();
}

graph_handle aliased_device::end_capture(stream_handle stream) {
  const std::string intent = "ending a capture";
  worker_stream& queue = usable(stream, intent);
  if (!queue.capturing()) fail(intent, "the stream is not recording a graph");
  graph recorded = queue.end_capture();  // also when the call fails below: the stream must be usable again
  enter(intent);
  return {new shared_graph{std::make_shared<const graph>(std::move(recorded))}};
}

void aliased_device::replay(graph_handle handle, stream_handle stream) {
  const std::string intent = "replaying a graph";
  worker_stream& queue = usable(stream, intent);
  faults_.enter(call_kind::launch, intent);
  queue.push([this, recorded = *static_cast<shared_graph*>(handle.native)] {
    for (const operation& work : *recorded) work();
    ++replays_;
  });
}

device_statistics aliased_device::statistics() const {
  return {.bytes_to_device = to_device_,
          .bytes_to_host = to_host_,
          .bytes_inside = inside_,
          .allocations = allocations_,
          .bytes_allocated = memory_.limit() - memory_.free_bytes(),
          .pinned_buffers = pinned_,
          .copies = copies_,
          .launches = launches_,
          .replays = replays_};
}

}  // namespace
}  // namespace emulated

std::unique_ptr<emulated_device> make_emulated_device(int index, const emulated_options& options) {
  return std::make_unique<emulated::aliased_device>(index, options);
}

}  // namespace yoke
