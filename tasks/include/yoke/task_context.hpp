// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the body of a task has: its CU, and kernels on that.

#include <functional>
#include <string>

#include <yoke/launch.hpp>
#include <yoke/runtime.hpp>
#include <yoke/task_roles.hpp>

namespace yoke {

/// Where a body runs.
class task_context {
 public:
  /// `n_cpus` of several CPU CUs together; 0: those of the unit.
  task_context(const compute_unit& unit, stream_handle stream, int n_cpus = 0)
      : unit_{unit}, stream_{stream}, n_cpus_{n_cpus} {}

  /// Of several CPU CUs the one whose thread runs the body.
  unit_id unit() const { return unit_.id; }
  bool is_gpu() const { return unit_.dev != nullptr; }
  /// CPUs that the body has, by OpenMP's default; 1 on a GPU CU, whose device works.
  int cpus() const {
    if (is_gpu()) return 1;
    return has_several_units() ? n_cpus_ : static_cast<int>(unit_.cpus.size());
  }
  bool has_several_units() const { return n_cpus_ > 0; }
  /// Null on a CPU CU.
  device* dev() const { return unit_.dev; }
  /// Of a GPU CU: what the body leaves there is waited for by whoever comes after the task.
  stream_handle stream() const { return stream_; }

 private:
  const compute_unit& unit_;
  const stream_handle stream_;
  const int n_cpus_;
};

namespace detail {

/// What a task is to do: with its addresses, in the order of its placed objects.
using task_body = std::function<void(task_context&, void* const*)>;

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Runs a kernel on the CU of a body: on its stream, or with its CPUs.
template <class Kernel, class... Args>
void launch_in_task(const task_context& me, extent items, const char* name, Args... args) {
  if (me.is_gpu()) return launch<Kernel>(*me.dev(), me.stream(), items, name, args...);
  if (!me.has_several_units()) return launch_here<Kernel>(items, name, args...);
  if (items.x <= 0 || items.y <= 0) return;
  auto pack = detail::make_pack(args...);
  detail::launch_on_cpus(make_kernel_call<Kernel>(name, items, pack), me.cpus());
}

/// The body that does that with addresses when it has them.
template <class Kernel>
struct kernel_of_task {
  template <class... Kept>
  static detail::task_body with(extent items, std::string name, Kept... kept) {
    return [=](task_context& me, void* const* addresses) {
      const auto call = [&](const auto&... args) {
        launch_in_task<Kernel>(me, items, name.c_str(), args...);
      };
      detail::call_with_addresses(call, addresses, kept...);
    };
  }
};

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
