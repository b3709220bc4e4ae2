#pragma once
/// The emulated device, put together from its memory and its queues. It fails only where it is misused;
/// failing on demand is faulty_device.

#include "emulated_memory.hpp"
#include "emulated_queues.hpp"

#include <yoke/forwarding_device.hpp>

namespace yoke::emulated {

/// Before the device that passes calls on to them.
struct device_parts {
  device_parts(int index, const emulated_options& options)
      : memory_of_device{index, options}, queues_of_device{memory_of_device, options.slowdown} {}
  emulated_memory memory_of_device;
  emulated_queues queues_of_device;  ///< last: ends before the memory it works on
};

class aliased_device final : private device_parts, public forwarding_device {
 public:
  aliased_device(int index, const emulated_options& options)
      : device_parts{index, options},
        forwarding_device{memory_of_device, queues_of_device, queues_of_device, queues_of_device} {}

  /// On a `share` of the device: its kernels take so much longer.
  stream_handle make_stream_of(double share) { return queues_of_device.make_stream_of(share); }
  device_statistics statistics() const {
    device_statistics all;
    memory_of_device.tell(all);
    queues_of_device.tell(all);
    return all;
  }
};

}  // namespace yoke::emulated
