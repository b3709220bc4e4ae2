#include "aliased_device.hpp"

#include <utility>
#include <vector>

#include <yoke/forks.hpp>

// Waiting, events and graphs.

namespace yoke::emulated {

namespace {

event_state& state_of(event_handle event) { return *static_cast<event_state*>(event.native); }

}  // namespace

void aliased_device::synchronize(stream_handle stream) {
  detail::refuse_in_forked_child();
  const std::string intent = "waiting for a stream";
  if (stream.native == nullptr) refuse(intent, "the stream is null: make one with create_stream");
  auto& queue = *static_cast<worker_stream*>(stream.native);
  if (queue.capturing()) refuse(intent, "it is recording a graph");
  if (const std::exception_ptr met = queue.drain()) std::rethrow_exception(met);
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
  if (first != nullptr) std::rethrow_exception(first);
}

event_handle aliased_device::make_event(event_kind) {
  detail::refuse_in_forked_child();
  return {new event_state};
}

void aliased_device::destroy_event(event_handle event) noexcept {
  // A thread that waits for it would be waited for, and a forked child does not have it.
  if (detail::is_forked_child()) return detail::abandon(event.native);
  delete static_cast<event_state*>(event.native);
}

void aliased_device::record(event_handle event, stream_handle stream) {
  detail::refuse_in_forked_child();
  const std::string intent = "recording an event";
  if (stream.native == nullptr) refuse(intent, "the stream is null: make one with create_stream");
  auto& queue = *static_cast<worker_stream*>(stream.native);
  if (queue.capturing())
    refuse(intent, "the stream is recording a graph, which takes copies and launches only");
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
    refuse(intent, "the stream is recording a graph, which takes copies and launches only");
  if (auto point = state_of(event).get()) queue.push_wait(std::move(point));
}

void aliased_device::synchronize(event_handle event) {
  detail::refuse_in_forked_child();
  const auto point = state_of(event).get();
  if (point == nullptr) return;
  if (std::exception_ptr met = point->wait()) std::rethrow_exception(met);
}

bool aliased_device::is_done(event_handle event) {
  detail::refuse_in_forked_child();
  const auto point = state_of(event).get();
  return point == nullptr || point->done();
}

seconds aliased_device::seconds_between(event_handle from, event_handle to) {
  detail::refuse_in_forked_child();
  const auto start = state_of(from).get(), end = state_of(to).get();
  for (const auto& point : {start, end})
    if (point == nullptr || !point->done())
      refuse("asking for the time between events", "the stream has not come to them yet");
  return elapsed(start->time(), end->time());
}

void aliased_device::begin_capture(stream_handle stream) {
  const std::string intent = "beginning a capture";
  worker_stream& queue = usable(stream, intent);
  if (queue.capturing()) refuse(intent, "the stream is recording a graph already");
  queue.begin_capture();
}

graph_handle aliased_device::end_capture(stream_handle stream) {
  const std::string intent = "ending a capture";
  worker_stream& queue = usable(stream, intent);
  if (!queue.capturing()) refuse(intent, "the stream is not recording a graph");
  return {new shared_graph{std::make_shared<const graph>(queue.end_capture())}};
}

void aliased_device::replay(graph_handle handle, stream_handle stream) {
  worker_stream& queue = usable(stream, "replaying a graph");
  queue.push([this, recorded = *static_cast<shared_graph*>(handle.native)] {
    for (const operation& work : *recorded) work();
    ++replays_;
  });
}

void aliased_device::destroy_graph(graph_handle graph) noexcept {
  delete static_cast<shared_graph*>(graph.native);
}

}  // namespace yoke::emulated
