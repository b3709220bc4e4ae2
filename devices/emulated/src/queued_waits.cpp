#include "emulated_queues.hpp"

#include <utility>
#include <vector>

#include <yoke/endings.hpp>
#include <yoke/forks.hpp>

// Waiting, events and graphs.

namespace yoke::emulated {

namespace {

/// The thread would wait for itself.
void refuse_in_kernel(const emulated_memory& memory, const std::string& intent) {
  if (detail::is_thread_of_device) memory.refuse(intent, "a kernel calls it, and cannot wait");
}

event_state& state_of(const emulated_memory& memory, event_handle event, const std::string& intent) {
  if (event.native == nullptr) memory.refuse(intent, "the event is null: make one with create_event");
  return *static_cast<event_state*>(event.native);
}

}  // namespace

void emulated_queues::synchronize(stream_handle stream) {
  detail::refuse_in_forked_child();
  const std::string intent = "waiting for a stream";
  refuse_in_kernel(memory_, intent);
  if (stream.native == nullptr) memory_.refuse(intent, "the stream is null: make one with create_stream");
  auto& queue = *static_cast<worker_stream*>(stream.native);
  if (queue.capturing()) memory_.refuse(intent, "it is recording a graph");
  if (const std::exception_ptr met = queue.drain()) std::rethrow_exception(met);
}

void emulated_queues::synchronize() {
  detail::refuse_in_forked_child();
  refuse_in_kernel(memory_, "waiting for the device");
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
  if (first != nullptr) std::rethrow_exception(first);
}

event_handle emulated_queues::make_event(event_kind) {
  detail::refuse_in_forked_child();
  return {new event_state};
}

void emulated_queues::destroy_event(event_handle event) noexcept {
  // A thread that waits for it would be waited for, and a forked child does not have it.
  if (detail::leaves_all()) return detail::abandon(event.native);
  delete static_cast<event_state*>(event.native);
}

void emulated_queues::record(event_handle event, stream_handle stream) {
  detail::refuse_in_forked_child();
  const std::string intent = "recording an event";
  if (stream.native == nullptr) memory_.refuse(intent, "the stream is null: make one with create_stream");
  event_state& state = state_of(memory_, event, intent);
  auto& queue = *static_cast<worker_stream*>(stream.native);
  if (queue.capturing())
    memory_.refuse(intent, "the stream is recording a graph, which takes copies and launches only");
  auto point = std::make_shared<record_point>();
  queue.push_record(point);
  const std::lock_guard guard{state.lock};
  state.last = std::move(point);
}

void emulated_queues::wait(stream_handle stream, event_handle event) {
  const std::string intent = "making a stream wait for an event";
  worker_stream& queue = usable(stream, intent);
  if (queue.capturing())
    memory_.refuse(intent, "the stream is recording a graph, which takes copies and launches only");
  if (auto point = state_of(memory_, event, intent).get()) queue.push_wait(std::move(point));
}

void emulated_queues::synchronize(event_handle event) {
  detail::refuse_in_forked_child();
  const std::string intent = "waiting for an event";
  refuse_in_kernel(memory_, intent);
  const auto point = state_of(memory_, event, intent).get();
  if (point == nullptr) return;
  if (std::exception_ptr met = point->wait()) std::rethrow_exception(met);
}

bool emulated_queues::is_done(event_handle event) {
  detail::refuse_in_forked_child();
  const auto point = state_of(memory_, event, "asking for an event").get();
  return point == nullptr || point->done();
}

seconds emulated_queues::seconds_between(event_handle from, event_handle to) {
  detail::refuse_in_forked_child();
  const std::string intent = "asking for the time between events";
  const auto start = state_of(memory_, from, intent).get(), end = state_of(memory_, to, intent).get();
  for (const auto& point : {start, end})
    if (point == nullptr || !point->done()) memory_.refuse(intent, "the stream has not come to them yet");
  return elapsed(start->time(), end->time());
}

void emulated_queues::begin_capture(stream_handle stream) {
  const std::string intent = "beginning a capture";
  worker_stream& queue = usable(stream, intent);
  if (queue.capturing()) memory_.refuse(intent, "the stream is recording a graph already");
  queue.begin_capture();
}

graph_handle emulated_queues::end_capture(stream_handle stream) {
  const std::string intent = "ending a capture";
  worker_stream& queue = usable(stream, intent);
  if (!queue.capturing()) memory_.refuse(intent, "the stream is not recording a graph");
  return {new shared_graph{std::make_shared<const graph>(queue.end_capture())}};
}

void emulated_queues::replay(graph_handle handle, stream_handle stream) {
  const std::string intent = "replaying a graph";
  worker_stream& queue = usable(stream, intent);
  if (handle.native == nullptr) memory_.refuse(intent, "the graph is null: make one with end_capture");
  queue.push([this, recorded = *static_cast<shared_graph*>(handle.native)] {
    for (const operation& work : *recorded) work();
    ++replays_;
  });
}

void emulated_queues::destroy_graph(graph_handle graph) noexcept {
  delete static_cast<shared_graph*>(graph.native);
}

}  // namespace yoke::emulated
