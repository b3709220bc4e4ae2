// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Who tells of tasks and agents: a group, a queue, an agent.

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <yoke/task.hpp>
#include <yoke/task_context.hpp>
#include <yoke/task_roles.hpp>

namespace yoke {

namespace detail {

/// What an agent is to do: with the addresses of its objects on the host, in their order.
using agent_body = std::function<void(agent_context&, void* const*)>;

/// One of both bodies is there, but for what an agent has on the host.
struct told {
  std::string_view name;
  const task_options& options;
  std::vector<task_use> uses{};
  task_body body{};
  agent_body agent{};
  bool has_plain_body = false;      ///< one that owns nothing
  std::optional<unit_kind> only{};  ///< the kind of CUs for which there is a body; not said: both
};

/// Made once, for each task that says nothing comes here.
inline const task_options& no_options() {
  static const task_options none;
  return none;
}

template <class... Parts>
inline constexpr bool own_nothing = (std::is_trivially_destructible_v<Parts> && ...);

template <class T>
concept options_of_tasks = std::same_as<T, task_options> || std::same_as<T, agent_options>;

}  // namespace detail

/// Starts tasks and agents of a group, on some CUs of it. What an agent starts is its own, by whatever it
/// does so: it inherits `.on` and `.priority`, and the agent's end waits for it.
class task_starter {
 public:
  /// `body(task_context&, device_ptr<T>…)` with an address for each placed object in the roles before it, in
  /// their order; of a std::vector of roles it gets a std::vector<device_ptr<T>>. On a CPU CU it does its
  /// work on the calling thread and with the CU's CPUs; on a GPU CU it leaves it on me.stream(), and
  /// addresses are those of the device. It may be yoke::variants of two bodies, or of one, and then runs on
  /// CUs of that kind alone. Errors: usage_error for a CU that there is not, none for its kind, a task of
  /// another group, an object of another runtime, work out of range, a flag that names a task already, one
  /// that would make a circle, an object that the agent which tells it may only read, and where a task must
  /// not be told: in a task, in a parallel region, in a forked child. Nothing has been told then.
  template <class... Args>
  task run(std::string_view name, const task_options& options, const Args&... roles_and_body) {
    const auto roles = std::make_index_sequence<sizeof...(Args) - 1>{};
    return start(told_of(roles, name, options, std::tie(roles_and_body...)));
  }
  template <class First, class... Args>
    requires(!std::same_as<First, task_options>)
  task run(std::string_view name, const First& first, const Args&... roles_and_body) {
    return run(name, detail::no_options(), first, roles_and_body...);
  }

  /// The same where a CU of its list has room now (see task_group::is_free): else nothing is told.
  template <class... Args>
  std::optional<task> try_run(std::string_view name, const task_options& options,
                              const Args&... roles_and_body) {
    const auto roles = std::make_index_sequence<sizeof...(Args) - 1>{};
    return start_where_free(told_of(roles, name, options, std::tie(roles_and_body...)));
  }

  /// `Kernel` for every item of `items`, with what the roles say and values, in the order of its parameters:
  /// launch_here, later. The file that calls it is one of yoke_kernel_sources.
  template <class Kernel, class With = kernel_of_task<Kernel>, class... Args>
  task launch(extent items, std::string_view name, const task_options& options, const Args&... args) {
    static_assert((!detail::ordered_role<Args> && ...),
                  "loops over arrays and steps over zones run on all CUs: spawn an agent that calls them");
    std::vector<detail::task_use> uses;
    const auto collect = [&](const auto& arg) {
      if constexpr (detail::task_argument<std::remove_cvref_t<decltype(arg)>>)
        detail::collect_uses(arg, uses);
    };
    (collect(args), ...);
    return start({.name = name,
                  .options = options,
                  .uses = std::move(uses),
                  .body = With::with(items, std::string{name}, detail::kept(args)...),
                  .has_plain_body = detail::own_nothing<decltype(detail::kept(args))...>,
                  .only = detail::only_kind<Kernel>});
  }
  template <class Kernel, class With = kernel_of_task<Kernel>, class... Args>
  task launch(extent items, std::string_view name, const Args&... args) {
    return launch<Kernel, With>(items, name, detail::no_options(), args...);
  }

  /// An agent: `body(agent_context&, std::span<T>…)`, serial code of the host on a thread of its own, with no
  /// CU. Its placed objects are brought to the host before it starts, and are its own until its end: only its
  /// tasks may use them, as they say. Roles of arrays and of fields over zones say when it starts, and give
  /// the body nothing: it calls their loops and steps. `.on` and `.priority` are those of its tasks. Its end
  /// waits for these. Errors: as run; device_error.
  template <class... Args>
  task spawn(std::string_view name, const agent_options& options, const Args&... roles_and_body) {
    return spawn_with(std::make_index_sequence<sizeof...(Args) - 1>{}, name, options,
                      std::tie(roles_and_body...));
  }
  template <class First, class... Args>
    requires(!std::same_as<First, agent_options>)
  task spawn(std::string_view name, const First& first, const Args&... roles_and_body) {
    return spawn(name, agent_options{}, first, roles_and_body...);
  }

 protected:
  task_starter(std::shared_ptr<detail::task_core> core, std::vector<unit_id> on)
      : core_{std::move(core)}, on_{std::move(on)} {}
  ~task_starter() = default;

  detail::task_core& core() const { return *core_; }
  const std::shared_ptr<detail::task_core>& shared_core() const { return core_; }

 private:
  template <std::size_t... I, class Tuple>
  static std::vector<detail::task_use> uses_of(std::index_sequence<I...>, const Tuple& all) {
    static_assert((detail::agent_argument<std::remove_cvref_t<std::tuple_element_t<I, Tuple>>> && ...),
                  "run and spawn take roles, as in, out and inout, and a body last");
    std::vector<detail::task_use> uses;
    (detail::collect_uses(std::get<I>(all), uses), ...);
    return uses;
  }
  template <std::size_t... I, class Tuple>
  static detail::told told_of(std::index_sequence<I...> roles, std::string_view name,
                              const task_options& options, const Tuple& all) {
    using body = std::remove_cvref_t<std::tuple_element_t<sizeof...(I), Tuple>>;
    static_assert((!detail::ordered_role<std::remove_cvref_t<std::tuple_element_t<I, Tuple>>> && ...),
                  "loops over arrays and steps over zones run on all CUs: spawn an agent that calls them");
    return {.name = name,
            .options = options,
            .uses = uses_of(roles, all),
            .body = body_of(std::get<sizeof...(I)>(all), detail::kept(std::get<I>(all))...),
            .has_plain_body = detail::own_nothing<body, decltype(detail::kept(std::get<I>(all)))...>,
            .only = detail::only_kind<body>};
  }
  template <class Body, class... Kept>
  static detail::task_body body_of(const Body& body, Kept... kept) {
    return [=](task_context& me, void* const* addresses) {
      detail::call_with_addresses([&](const auto&... args) { detail::call_form(body, me, args...); },
                                  addresses, kept...);
    };
  }
  template <std::size_t... I, class Tuple>
  task spawn_with(std::index_sequence<I...> roles, std::string_view name, const agent_options& options,
                  const Tuple& all) {
    return start_agent(name, options, uses_of(roles, all),
                       agent_body_of(std::get<sizeof...(I)>(all), detail::kept_on_host(std::get<I>(all))...));
  }
  template <class Body, class... Kept>
  static detail::agent_body agent_body_of(const Body& body, Kept... kept) {
    return [=](agent_context& me, void* const* addresses) {
      detail::call_with_addresses([&](const auto&... args) { body(me, args...); }, addresses, kept...);
    };
  }
  task start(detail::told&& next);
  task start_reducing(detail::told next);
  std::optional<task> start_where_free(detail::told next);
  task start_agent(std::string_view name, const agent_options& options, std::vector<detail::task_use> uses,
                   detail::agent_body body);

  std::shared_ptr<detail::task_core> core_;
  std::vector<unit_id> on_;  ///< empty: as the options of each say
};

}  // namespace yoke
