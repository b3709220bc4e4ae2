// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a task or an agent does with a placed object or a token, and an agent with an array or a field over
/// zones: in, out, inout.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <yoke/detail/order_slot.hpp>
#include <yoke/detail/takes_roles.hpp>
#include <yoke/device_ptr.hpp>
#include <yoke/placed.hpp>

namespace yoke {

namespace detail {
class task_core;
struct token_state;
}  // namespace detail

/// Order without data: tasks that name one come after one another as if it had bytes. For one group at a
/// time (usage_error); it may end before its tasks.
class token : roles::takes_roles {
 public:
  token();
  token(const token&) = delete;
  token& operator=(const token&) = delete;

 private:
  friend class detail::task_core;
  std::shared_ptr<detail::token_state> state_;
};

namespace detail {

enum class task_role { in, out, inout, commute };
struct reduction;

/// One of both is there.
struct task_use {
  const placed_region* object;
  const token* order;
  task_role as;
  bool is_present = false;        ///< it must be where the task runs
  const reduction* by = nullptr;  ///< the task contributes to it, in memory of its own
};

template <class T>
struct placed_role {
  using element = T;
  std::size_t size() const { return use.object->bytes() / sizeof(T); }

  task_use use;
};
struct token_role {
  task_use use;
};

template <class>
inline constexpr bool is_placed_role = false;
template <class T>
inline constexpr bool is_placed_role<placed_role<T>> = true;
template <class>
inline constexpr bool is_role_list = false;
template <class T>
inline constexpr bool is_role_list<std::vector<placed_role<T>>> = true;
template <>
inline constexpr bool is_role_list<std::vector<token_role>> = true;
template <class T>
concept task_argument = is_placed_role<T> || is_role_list<T> || std::is_same_v<T, token_role>;
/// Of an array, or of a field over zones, which are on all CUs: for agents, who call loops and steps.
template <class T>
concept ordered_role = requires(const T& role) {
  { role.ordered() } -> std::same_as<ordered_uses>;
};
template <class T>
concept agent_argument = task_argument<T> || ordered_role<T>;

template <class T>
void collect_uses(const placed_role<T>& role, std::vector<task_use>& all) {
  all.push_back(role.use);
}
inline void collect_uses(const token_role& role, std::vector<task_use>& all) { all.push_back(role.use); }
template <class Role>
void collect_uses(const std::vector<Role>& roles, std::vector<task_use>& all) {
  for (const Role& each : roles) all.push_back(each.use);
}

/// As of a token of its own; once, where two fields are of the same zones.
template <ordered_role Role>
void collect_uses(const Role& role, std::vector<task_use>& all) {
  for (const ordered_use& each : role.ordered()) {
    const token& own = each.of->template get<token>();
    const task_role as = !each.writes ? task_role::in : each.reads ? task_role::inout : task_role::out;
    const auto is_same = [&](const task_use& other) { return other.order == &own && other.as == as; };
    if (std::ranges::none_of(all, is_same)) all.push_back({nullptr, &own, as});
  }
}

/// Addresses of a task's placed objects, taken from the first on.
struct task_addresses {
  void* const* next;

  template <class T>
  device_ptr<T> take() {
    return device_ptr<T>{static_cast<T*>(*next++)};
  }
};

/// Of an argument of a call what the body gets, without its address.
struct no_argument {};
template <class T>
struct address_later {};
template <class T>
struct addresses_later {
  std::size_t n;
};
template <class T>
address_later<T> kept(const placed_role<T>&) {
  return {};
}
inline no_argument kept(const token_role&) { return {}; }
inline no_argument kept(const std::vector<token_role>&) { return {}; }
template <class T>
addresses_later<T> kept(const std::vector<placed_role<T>>& roles) {
  return {roles.size()};
}
template <class T>
T kept(const T& value) {
  return value;
}

/// The same for an agent, which gets values on the host.
template <class T>
struct span_later {
  std::size_t n;
};
template <class T>
struct spans_later {
  std::vector<std::size_t> sizes;
};
template <class T>
span_later<T> kept_on_host(const placed_role<T>& role) {
  return {role.size()};
}
inline no_argument kept_on_host(const token_role&) { return {}; }
template <ordered_role Role>
no_argument kept_on_host(const Role&) {
  return {};
}
inline no_argument kept_on_host(const std::vector<token_role>&) { return {}; }
template <class T>
spans_later<T> kept_on_host(const std::vector<placed_role<T>>& roles) {
  spans_later<T> all;
  for (const placed_role<T>& each : roles) all.sizes.push_back(each.size());
  return all;
}

/// As a tuple of none or one.
inline std::tuple<> with_address(const no_argument&, task_addresses&) { return {}; }
template <class T>
std::tuple<device_ptr<T>> with_address(const address_later<T>&, task_addresses& at) {
  return {at.take<T>()};
}
template <class T>
std::tuple<std::vector<device_ptr<T>>> with_address(const addresses_later<T>& of, task_addresses& at) {
  std::vector<device_ptr<T>> all;
  for (std::size_t i = 0; i < of.n; ++i) all.push_back(at.take<T>());
  return {std::move(all)};
}
template <class T>
std::tuple<std::span<T>> with_address(const span_later<T>& of, task_addresses& at) {
  return {std::span<T>{static_cast<T*>(*at.next++), of.n}};
}
template <class T>
std::tuple<std::vector<std::span<T>>> with_address(const spans_later<T>& of, task_addresses& at) {
  std::vector<std::span<T>> all;
  for (const std::size_t n : of.sizes) all.emplace_back(static_cast<T*>(*at.next++), n);
  return {std::move(all)};
}
template <class T>
std::tuple<const T&> with_address(const T& value, task_addresses&) {
  return {value};
}

/// call(argument…), with the next addresses for those that wait for one.
template <class Call, class... Kept>
void call_with_addresses(const Call& call, void* const* addresses, const Kept&... kept) {
  [[maybe_unused]] task_addresses at{addresses};
  const std::tuple<decltype(with_address(kept, at))...> all{with_address(kept, at)...};  // in their order
  std::apply(call, std::apply([](const auto&... each) { return std::tuple_cat(each...); }, all));
}

}  // namespace detail

namespace roles {

/// Read: a body gets a device_ptr<const T>.
template <class T>
detail::placed_role<const T> in(const placed<T>& x) {
  return {{x.use().region, nullptr, detail::task_role::in}};
}
/// Overwritten as a whole: its bytes are not brought, and anything before the task has written them. A body
/// gets a device_ptr<T>.
template <class T>
detail::placed_role<T> out(placed<T>& x) {
  return {{x.use().region, nullptr, detail::task_role::out}};
}
/// Changed. A body gets a device_ptr<T>.
template <class T>
detail::placed_role<T> inout(placed<T>& x) {
  return {{x.use().region, nullptr, detail::task_role::inout}};
}
/// Of a token; a body gets nothing. Tasks with `in` come after the last one with `out` or `inout`, in any
/// order among themselves.
inline detail::token_role in(const token& x) { return {{nullptr, &x, detail::task_role::in}}; }
inline detail::token_role out(token& x) { return {{nullptr, &x, detail::task_role::out}}; }
inline detail::token_role inout(token& x) { return {{nullptr, &x, detail::task_role::inout}}; }

/// Changed, as by inout, but in any order among tasks that commute on it one after the other: one at a time,
/// which is ready first. So sums of doubles may differ from run to run. What a task before them failed to
/// write fails them all. Not of agents (usage_error).
template <class T>
detail::placed_role<T> commute(placed<T>& x) {
  return {{x.use().region, nullptr, detail::task_role::commute}};
}
inline detail::token_role commute(token& x) { return {{nullptr, &x, detail::task_role::commute}}; }

/// in for a const object, else inout, where its bytes are: the task runs on a CU of its list whose memory has
/// them, so that nothing travels. Where none has, it fails with a usage_error that names the object.
template <class T>
detail::placed_role<T> present(placed<T>& x) {
  return {{x.use().region, nullptr, detail::task_role::inout, true}};
}
template <class T>
detail::placed_role<const T> present(const placed<T>& x) {
  return {{x.use().region, nullptr, detail::task_role::in, true}};
}

}  // namespace roles

}  // namespace yoke
