// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How tasks order what they use without knowing it: arrays, fields over zones.

#include <memory>
#include <mutex>
#include <vector>

namespace yoke::detail {

/// What the room of tasks keeps with an object that is of another room: nothing, until it asks. Thread-safe.
class order_slot {
 public:
  /// Made by the first call. Requires: one type.
  template <class Kept>
  Kept& get() {
    const std::lock_guard guard{lock_};
    if (kept_ == nullptr) kept_ = std::make_shared<Kept>();
    return *static_cast<Kept*>(kept_.get());
  }

 private:
  std::mutex lock_{};
  std::shared_ptr<void> kept_{};
};

/// One use of such an object: written without being read, it counts as overwritten.
struct ordered_use {
  order_slot* of;
  bool reads, writes;
};

/// A role has `ordered()`, where tasks may name what it is of.
using ordered_uses = std::vector<ordered_use>;

}  // namespace yoke::detail
