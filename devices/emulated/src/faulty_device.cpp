#include "faulty_device.hpp"

#include "intents.hpp"

#include <exception>
#include <fmt/format.h>
#include <utility>

namespace yoke {

namespace emulated {

faulty_device::faulty_device(std::unique_ptr<aliased_device> real, const emulated_options& options)
    : emulated_device{*real}, real_{std::move(real)}, faults_{real_->info().name, options} {}

void* faulty_device::allocate(std::size_t bytes) {
  const bool works = faults_.enter(call_kind::allocation, fmt::format("allocating {} bytes", bytes));
  return works ? real_->allocate(bytes) : nullptr;
}

void* faulty_device::allocate_pinned(std::size_t bytes) {
  enter(pinned_intent(bytes));
  return real_->allocate_pinned(bytes);
}

void faulty_device::pin(void* first, std::size_t bytes) {
  if (bytes == 0) return;
  enter(pin_intent(first, bytes));
  real_->pin(first, bytes);
}

stream_handle faulty_device::make_stream_of(double share) {
  enter("creating a stream");
  return real_->make_stream_of(share);
}

void faulty_device::copy_box(stream_handle stream, const box_copy& what) {
  if (detail::is_empty(what)) return;
  faults_.enter(call_kind::copy, detail::in_words(what));
  real_->copy_box(stream, what);
}

void faulty_device::launch(stream_handle stream, const kernel_call& call) {
  if (detail::is_empty(call.items)) return;
  faults_.enter(call_kind::launch, launch_intent(call));
  real_->launch(stream, call);
}

void faulty_device::synchronize(stream_handle stream) {
  real_->synchronize(stream);
  enter("waiting for a stream");
}

void faulty_device::synchronize() {
  real_->synchronize();
  enter("waiting for the device");
}

event_handle faulty_device::make_event(event_kind kind) {
  enter("creating an event");
  return real_->make_event(kind);
}

void faulty_device::record(event_handle event, stream_handle stream) {
  enter("recording an event");
  real_->record(event, stream);
}

void faulty_device::wait(stream_handle stream, event_handle event) {
  enter("making a stream wait for an event");
  real_->wait(stream, event);
}

void faulty_device::synchronize(event_handle event) {
  real_->synchronize(event);  // first: who was refused may take it that nothing runs any more
  enter("waiting for an event");
}

bool faulty_device::is_done(event_handle event) {
  enter("asking for an event");
  return real_->is_done(event);
}

seconds faulty_device::seconds_between(event_handle from, event_handle to) {
  enter("asking for the time between events");
  return real_->seconds_between(from, to);
}

void faulty_device::begin_capture(stream_handle stream) {
  enter("beginning a capture");
  real_->begin_capture(stream);
}

graph_handle faulty_device::end_capture(stream_handle stream) {
  const graph_handle recorded =
      real_->end_capture(stream);  // first: the stream must be usable after a failure
  try {
    enter("ending a capture");
  } catch (...) {
    real_->destroy_graph(recorded);
    throw;
  }
  return recorded;
}

void faulty_device::replay(graph_handle graph, stream_handle stream) {
  faults_.enter(call_kind::launch, "replaying a graph");
  real_->replay(graph, stream);
}

}  // namespace emulated

std::unique_ptr<emulated_device> make_emulated_device(int index, const emulated_options& options) {
  return std::make_unique<emulated::faulty_device>(std::make_unique<emulated::aliased_device>(index, options),
                                                   options);
}

}  // namespace yoke
