// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tasks of a program: named, with roles on placed objects, run on the CUs of a runtime as soon as what they
/// come after is done.
///
///   yoke::placed<double> x{rt, xs, "x"}, y{rt, ys, "y"};
///   yoke::task_group g{rt};
///   g.launch<axpy>({.x = n}, "axpy", in(x), inout(y), 3.14);            // a kernel, on any CU
///   g.run("norm", {.on = g.cpus()}, in(y), [&](yoke::task_context&, auto y) { norm = …; });
///   g.wait();                                                          // rethrows the first error
///
/// Tasks run as if one after the other in the order in which they were told, for what their roles say: one
/// that reads an object comes after the last one that writes it, one that writes it after all that use it.
/// Nothing else orders them but `after`. So the bits of a result depend on no schedule.
///
/// A task is bound to a CU when all that it comes after is bound, not ended: to the CU of its list on which
/// it is estimated to end first, by the times of tasks of that name so far and by what must travel; the more
/// urgent one chooses first. It is queued there, and its objects are brought meanwhile.
///
/// A body runs later. What it captures by reference must live until then: capture by value, or what lives as
/// long as the group. It must not wait for tasks, nor tell of any.

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/launch.hpp>
#include <yoke/runtime.hpp>
#include <yoke/task_roles.hpp>

namespace yoke {

/// Of a task that never ran, for its group was cancelled before it had a CU.
class task_cancelled : public error {
 public:
  using error::error;
};

namespace detail {
class task_core;
struct task_record;
}  // namespace detail

/// A task that was told; copies are the same. It may outlive its group. Thread-safe.
class task {
 public:
  /// None: over.
  task() = default;
  /// Errors: with which it has failed, each time; task_cancelled; usage_error in a task, in a parallel region
  /// and in a forked child.
  void wait() const;
  /// Without waiting. True where it has failed, too.
  bool is_over() const;

 private:
  friend class detail::task_core;
  friend class task_starter;
  explicit task(std::shared_ptr<detail::task_record> of) : of_{std::move(of)} {}

  std::shared_ptr<detail::task_record> of_;
};

/// What is said of a task beside its roles.
struct task_options {
  std::vector<unit_id> on{};  ///< CUs that it may run on; empty: all
  int priority = 0;           ///< any; greater is more urgent
  std::vector<task> after{};  ///< tasks of the same group that it comes after, whatever they use
  double work = 1;            ///< tasks of one name take times in proportion to it; from 1e-40 to 1e40
};

/// Where a body runs.
class task_context {
 public:
  task_context(const compute_unit& unit, stream_handle stream) : unit_{unit}, stream_{stream} {}

  unit_id unit() const { return unit_.id; }
  bool is_gpu() const { return unit_.dev != nullptr; }
  /// CPUs that the body has, by OpenMP's default; 1 on a GPU CU, whose device works.
  int cpus() const { return is_gpu() ? 1 : static_cast<int>(unit_.cpus.size()); }
  /// Null on a CPU CU.
  device* dev() const { return unit_.dev; }
  /// Of a GPU CU: what the body leaves there is waited for by whoever comes after the task.
  stream_handle stream() const { return stream_; }

 private:
  const compute_unit& unit_;
  const stream_handle stream_;
};

namespace detail {

/// What a task is to do: with its addresses, in the order of its placed objects.
using task_body = std::function<void(task_context&, void* const*)>;

struct told {
  std::string_view name;
  const task_options& options;
  std::vector<task_use> uses;
  task_body body;
};

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Runs a kernel on the CU of a body: on its stream, or with its CPUs.
template <class Kernel, class... Args>
void launch_in_task(const task_context& me, extent items, const char* name, Args... args) {
  if (me.is_gpu()) return launch<Kernel>(*me.dev(), me.stream(), items, name, args...);
  launch_here<Kernel>(items, name, args...);
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

/// Starts tasks of a group, on some CUs of it.
class task_starter {
 public:
  /// `body(task_context&, device_ptr<T>…)` with an address for each placed object in the roles before it, in
  /// their order; of a std::vector of roles it gets a std::vector<device_ptr<T>>. On a CPU CU it does its
  /// work on the calling thread and with the CU's CPUs; on a GPU CU it leaves it on me.stream(), and
  /// addresses are those of the device. Errors: usage_error for a CU that there is not, a task of another
  /// group, an object of another runtime, work out of range, and where a task must not be told: in a task, in
  /// a parallel region, in a forked child. Nothing has been told then.
  template <class... Args>
  task run(std::string_view name, const task_options& options, const Args&... roles_and_body) {
    return run_with(std::make_index_sequence<sizeof...(Args) - 1>{}, name, options,
                    std::tie(roles_and_body...));
  }
  template <class First, class... Args>
    requires(!std::same_as<First, task_options>)
  task run(std::string_view name, const First& first, const Args&... roles_and_body) {
    return run(name, task_options{}, first, roles_and_body...);
  }

  /// `Kernel` for every item of `items`, with what the roles say and values, in the order of its parameters:
  /// launch_here, later. The file that calls it is one of yoke_kernel_sources.
  template <class Kernel, class With = kernel_of_task<Kernel>, class... Args>
  task launch(extent items, std::string_view name, const task_options& options, const Args&... args) {
    std::vector<detail::task_use> uses;
    const auto collect = [&](const auto& arg) {
      if constexpr (detail::task_argument<std::remove_cvref_t<decltype(arg)>>)
        detail::collect_uses(arg, uses);
    };
    (collect(args), ...);
    return start(
        {name, options, std::move(uses), With::with(items, std::string{name}, detail::kept(args)...)});
  }
  template <class Kernel, class With = kernel_of_task<Kernel>, class... Args>
  task launch(extent items, std::string_view name, const Args&... args) {
    return launch<Kernel, With>(items, name, task_options{}, args...);
  }

 protected:
  task_starter(std::shared_ptr<detail::task_core> core, std::vector<unit_id> on)
      : core_{std::move(core)}, on_{std::move(on)} {}
  ~task_starter() = default;

  detail::task_core& core() const { return *core_; }
  const std::shared_ptr<detail::task_core>& shared_core() const { return core_; }

 private:
  template <std::size_t... I, class Tuple>
  task run_with(std::index_sequence<I...>, std::string_view name, const task_options& options,
                const Tuple& all) {
    static_assert((detail::task_argument<std::remove_cvref_t<std::tuple_element_t<I, Tuple>>> && ...),
                  "run takes roles (in, out, inout), and a body last");
    std::vector<detail::task_use> uses;
    (detail::collect_uses(std::get<I>(all), uses), ...);
    return start({name, options, std::move(uses),
                  body_of(std::get<sizeof...(I)>(all), detail::kept(std::get<I>(all))...)});
  }
  template <class Body, class... Kept>
  static detail::task_body body_of(const Body& body, Kept... kept) {
    return [=](task_context& me, void* const* addresses) {
      detail::call_with_addresses([&](const auto&... args) { body(me, args...); }, addresses, kept...);
    };
  }
  task start(detail::told next);

  std::shared_ptr<detail::task_core> core_;
  std::vector<unit_id> on_;  ///< empty: as the options of each say
};

/// Starts tasks on one list of CUs: on one CU, a queue of that CU.
class task_queue : public task_starter {
 private:
  friend class task_group;
  using task_starter::task_starter;
};

/// Any number of threads may tell of tasks; their order is that of the calls. One thread waits. A runtime may
/// have several groups at once: what their tasks do with one object is ordered as the tasks were bound, so
/// order it yourself. Calls of placement on an object wait for the tasks that were told before and use it.
class task_group : public task_starter {
 public:
  /// Errors: usage_error in a forked child; device_error.
  explicit task_group(runtime& rt);
  /// Waits for all tasks, and cancels first where an exception passes by. An error that nobody has been told
  /// is printed.
  ~task_group();
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Tasks on these CUs alone; a list in their options is refused.
  task_queue on(std::vector<unit_id> units) const { return {shared_core(), std::move(units)}; }
  task_queue on(unit_id unit) const { return on(std::vector{unit}); }
  /// The CPU CUs, and the GPU CUs.
  std::vector<unit_id> cpus() const;
  std::vector<unit_id> gpus() const;

  /// For all tasks. A task that fails takes those along that read what it was to write, or come after it; all
  /// else goes on. Errors: of the first task, in the order told, that failed by itself since the last wait;
  /// usage_error as task::wait.
  void wait();
  /// Tasks without a CU never run, nor do those that are told before `wait` returns. Those that have one go
  /// on.
  void cancel();
  /// Has room for a task: a CPU CU for one, a GPU CU for four. Errors: usage_error for a CU that there is
  /// not.
  bool is_free(unit_id unit) const;

 private:
  int n_exceptions_;
};

}  // namespace yoke
