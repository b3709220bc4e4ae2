// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Who runs work on the CPUs of CUs between the runs of a runtime.

#include <functional>
#include <memory>

#include <yoke/runtime.hpp>

namespace yoke::detail {

/// Lives in a runtime, and ends before anything else of it.
class seat_holder {
 public:
  /// Waits for its work.
  virtual ~seat_holder() = default;
  /// A run or each_unit wants the CPUs: they are left soon, and not taken again before as many calls of
  /// give_cpus_back. By any thread.
  virtual void take_cpus() = 0;
  virtual void give_cpus_back() = 0;
};

/// What a runtime grants it.
struct holder_access {
  /// The one of `rt`, made by `make` where there is none. Thread-safe.
  static seat_holder& of(runtime& rt, const std::function<std::unique_ptr<seat_holder>()>& make);
  /// runtime::each_unit for the holder itself: nobody is asked to leave.
  static void each_unit(runtime& rt, const unit_body& body);
};

}  // namespace yoke::detail
