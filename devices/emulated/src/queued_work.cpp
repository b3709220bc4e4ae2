#include "emulated_queues.hpp"
#include "intents.hpp"

#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <thread>

#include <yoke/detail/launch_shape.hpp>
#include <yoke/error.hpp>

// What is queued: copies and kernels.

namespace yoke::emulated {

namespace {

template <class Work>
void timed(double slowdown, Work&& work) {
  using clock = std::chrono::steady_clock;
  if (slowdown <= 1) return work();
  const auto start = clock::now();
  work();
  std::this_thread::sleep_for((clock::now() - start) * (slowdown - 1));
}

}  // namespace

box_copy emulated_queues::on_host(const box_copy& what, const std::string& intent) const {
  const std::size_t to_bytes = detail::span_of(what, what.to_pitch);
  const std::size_t from_bytes = detail::span_of(what, what.from_pitch);
  const bool inside = what.kind == copy_kind::device_to_device;
  // Of a copy between devices one end is here.
  const bool from_here = memory_.has(what.from, from_bytes);
  box_copy found = what;
  found.to = what.kind == copy_kind::device_to_host
                 ? memory_.host_end(what.to, intent)
                 : memory_.page_of(what.to, to_bytes, inside && from_here, intent);
  found.from = what.kind == copy_kind::host_to_device
                   ? memory_.host_end(what.from, intent)
                   : memory_.page_of(what.from, from_bytes, inside, intent);
  return found;
}

void emulated_queues::count_copy(const box_copy& what) {
  ++copies_;
  (what.kind == copy_kind::host_to_device   ? to_device_
   : what.kind == copy_kind::device_to_host ? to_host_
                                            : inside_) += detail::bytes_of(what);
}

void emulated_queues::copy_box(stream_handle stream, const box_copy& what) {
  if (detail::is_empty(what)) return;
  const std::string intent = detail::in_words(what);
  worker_stream& queue = usable(stream, intent);
  detail::require_box(what, memory_.info().name);
  on_host(what, intent);
  queue.push([=, this] {
    timed(slowdown_, [&] {
      // Asked again, because the memory may have been freed while the copy was queued.
      const box_copy found = detail::simplified(on_host(what, intent));
      detail::for_each_row(found, [&](void* to, const void* from) { std::memmove(to, from, found.bytes); });
    });
    count_copy(what);
  });
}

void emulated_queues::run_kernel(const kernel_call& call, const void* arguments, double slowdown) {
  timed(slowdown, [&] {
    try {
      call.host_entry(arguments, detail::all_of(call));
    } catch (const usage_error& met) {
      throw usage_error{fmt::format("{}: kernel '{}': {}", memory_.info().name, call.name, met.what())};
    } catch (const std::exception& met) {
      memory_.refuse(fmt::format("kernel '{}'", call.name), met.what());
    }
  });
  ++launches_;
}

void emulated_queues::launch(stream_handle stream, const kernel_call& call) {
  if (detail::is_empty(call.items)) return;
  const std::string intent = launch_intent(call);
  worker_stream& queue = usable(stream, intent);
  if (call.host_entry == nullptr) memory_.refuse(intent, "it has no host code");
  detail::require_shape(call, memory_.info().name);
  require_shared_memory(call, memory_.info());
  // Of the stream that it is launched on, as a kernel of a graph runs where it was captured.
  queue.push([this, call, arguments = argument_bytes{call}, slowdown = queue.slowdown()] {
    run_kernel(call, arguments.get(), slowdown);
  });
}

}  // namespace yoke::emulated
