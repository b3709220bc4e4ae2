#pragma once
/// What the handles of an emulated device point to, and the arguments of a launched kernel.

#include "worker_stream.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include <yoke/device.hpp>

namespace yoke::emulated {

/// What an event_handle points to. The recording is replaced as a whole, so that those who wait for an older
/// one keep it.
struct event_state {
  std::mutex lock;
  std::shared_ptr<record_point> last;  ///< null until first recorded: nothing to wait for

  std::shared_ptr<record_point> get() {
    const std::lock_guard guard{lock};
    return last;
  }
};

using shared_graph = std::shared_ptr<const graph>;

/// A kernel's arguments, copied when it is launched. A cache line of alignment serves every argument type
/// (packs of SIMD lanes included).
class argument_bytes {
 public:
  explicit argument_bytes(const kernel_call& call)
      : bytes_{static_cast<std::byte*>(::operator new(call.argument_bytes, alignment)),
               [](std::byte* bytes) { ::operator delete(bytes, alignment); }} {
    if (call.argument_bytes > 0) std::memcpy(bytes_.get(), call.arguments, call.argument_bytes);
  }
  const void* get() const { return bytes_.get(); }

 private:
  static constexpr std::align_val_t alignment{64};
  std::shared_ptr<std::byte> bytes_;
};

}  // namespace yoke::emulated
