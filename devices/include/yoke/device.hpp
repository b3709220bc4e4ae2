// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The device interface: what placement, compute units and the runtime ask of a GPU.

#include <yoke/device_events.hpp>
#include <yoke/device_graphs.hpp>
#include <yoke/device_memory.hpp>
#include <yoke/device_streams.hpp>
#include <yoke/ids.hpp>

namespace yoke {

/// One memory space and the engine beside it; it never hears of a task, a key or a schedule. Who needs a part
/// only takes that: a pinned_range device_memory, yoke::launch device_streams, yoke::event device_events.
/// Thread-safe, but a stream is used by one thread at a time.
class device : public device_memory, public device_streams, public device_events, public device_graphs {
 public:
  virtual ~device() = default;

  using device_events::synchronize;
  using device_streams::synchronize;
};

}  // namespace yoke
