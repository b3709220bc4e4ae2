// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the body of a task has: its CU, and kernels on that.

#include <functional>
#include <string>

#include <yoke/launch.hpp>
#include <yoke/runtime.hpp>
#include <yoke/task_roles.hpp>
#include <yoke/variants.hpp>

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

/// Errors: usage_error, always.
[[noreturn]] void refuse_form(const char* name, bool is_gpu);

/// Calls a body, or that of its forms which is for the CU.
template <class Body, class... Args>
void call_form(const Body& body, task_context& me, const Args&... args) {
  body(me, args...);
}
template <class... Of, class... Args>
void call_form(const variants<Of...>& of, task_context& me, const Args&... args) {
  using forms = bodies<variants<Of...>>;
  if constexpr (has_gpu_body<variants<Of...>>)
    if (me.is_gpu())
      return void(static_cast<const loops::gpu<typename forms::on_gpu>&>(of).body(me, args...));
  if constexpr (has_cpu_body<variants<Of...>>)
    static_cast<const loops::cpu<typename forms::on_cpu>&>(of).body(me, args...);
}

template <class Kernel, class... Args>
void launch_on_cpus_of(const task_context& me, extent items, const char* name, Args... args) {
  if (items.x <= 0 || items.y <= 0) return;
  auto pack = make_pack(args...);
  const kernel_call call = make_host_call<Kernel>(name, items, pack);
  me.has_several_units() ? launch_on_cpus(call, me.cpus()) : launch_on_calling_unit(call);
}

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Runs a kernel on the CU of a body: on its stream, or with its CPUs. Of variants the one for the CU;
/// errors: usage_error where there is none.
template <class Kernel, class... Args>
void launch_in_task(const task_context& me, extent items, const char* name, Args... args) {
  using forms = detail::bodies<Kernel>;
  if constexpr (detail::has_gpu_body<Kernel>)
    if (me.is_gpu()) return launch<typename forms::on_gpu>(*me.dev(), me.stream(), items, name, args...);
  if constexpr (detail::has_cpu_body<Kernel>)
    if (!me.is_gpu()) return detail::launch_on_cpus_of<typename forms::on_cpu>(me, items, name, args...);
  if constexpr (detail::only_kind<Kernel>.has_value()) detail::refuse_form(name, me.is_gpu());
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
