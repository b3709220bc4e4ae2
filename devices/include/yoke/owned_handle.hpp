// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Streams, events and graphs of a device that end with an object.

#include <utility>

#include <yoke/device_events.hpp>
#include <yoke/device_graphs.hpp>
#include <yoke/device_streams.hpp>

namespace yoke {

/// What a device has made, given back to it at the end. Movable; its device must live longer. An event that
/// is recorded once is a yoke::event.
///
///   const yoke::owned_stream beside{dev, dev.create_urgent_stream()};
template <class Part, class Handle, void (Part::*Destroy)(Handle) noexcept>
class owned_handle {
 public:
  owned_handle(Part& dev, Handle made) : device_{&dev}, handle_{made} {}
  owned_handle(owned_handle&& other) noexcept
      : device_{std::exchange(other.device_, nullptr)}, handle_{other.handle_} {}
  owned_handle& operator=(owned_handle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~owned_handle() {
    if (device_ != nullptr) (device_->*Destroy)(handle_);
  }
  operator Handle() const { return handle_; }

 private:
  Part* device_;
  Handle handle_;
};
using owned_stream = owned_handle<device_streams, stream_handle, &device_streams::destroy_stream>;
using owned_event = owned_handle<device_events, event_handle, &device_events::destroy_event>;
using owned_graph = owned_handle<device_graphs, graph_handle, &device_graphs::destroy_graph>;

}  // namespace yoke
