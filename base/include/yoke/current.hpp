// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// "The current runtime" as each room knows it: the object whose run encloses the caller, else the last made
/// current, else one made from the environment.

#include <atomic>

#include <yoke/forks.hpp>

namespace yoke::detail {

/// Makes a runtime from the environment and makes it current; set by the runtime library when it is linked.
using make_default = void (*)();
inline std::atomic<make_default> make_default_runtime{nullptr};  // NOLINT(*-non-const-global-variables)

/// What a room's calls without an object use: the units of yoke::cu, the regions of yoke::placement.
/// Thread-safe.
template <class T>
class current_slot {
 public:
  /// nullptr when there is none and none can be made. Errors: usage_error in a forked child.
  T* get() {
    refuse_in_forked_child();
    if (T* object = object_.load(std::memory_order_acquire)) return object;
    if (make_default make = make_default_runtime.load()) make();
    return object_.load(std::memory_order_acquire);
  }
  /// Returns what was current before.
  T* exchange(T* object) { return object_.exchange(object, std::memory_order_acq_rel); }
  T* peek() const { return object_.load(std::memory_order_acquire); }

 private:
  std::atomic<T*> object_{nullptr};
};

}  // namespace yoke::detail
