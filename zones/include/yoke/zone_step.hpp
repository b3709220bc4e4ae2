// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a step over zones does, listed once.

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <yoke/detail/zone_host_calls.hpp>
#include <yoke/zoned.hpp>

namespace yoke {

namespace detail {

/// The fields of a launch in the order of its arguments, and D of the first.
template <class... Args>
constexpr int dimensions_of_launch() {
  int found = 0;
  const auto look = [&]<class Arg>(std::type_identity<Arg>) {
    if constexpr (is_field_role<Arg>)
      if (found == 0) found = Arg::dimensions;
  };
  (look(std::type_identity<Args>{}), ...);
  return found;
}
/// What a body is called with for an argument of a launch.
template <class Arg>
struct given_in_launch {
  using type = const Arg&;
};
template <class T, int D>
struct given_in_launch<field_role<T, D>> {
  using type = const field_view<T, D>&;
};
template <class Arg>
struct given_in_batch {
  using type = const Arg&;
};
template <class T, int D>
struct given_in_batch<field_role<T, D>> {
  using type = const std::vector<field_view<T, D>>&;
};
template <class Result, class Body, class At, class... Args>
inline constexpr bool takes_zone_arguments =
    std::is_invocable_r_v<Result, Body, const At&, typename given_in_launch<Args>::type...>;
template <class Result, class Body, class... Args>
inline constexpr bool takes_batch_arguments =
    std::is_invocable_r_v<Result, Body, const zone_batch&, typename given_in_batch<Args>::type...>;

template <class Arg>
auto kept_in_launch(const Arg& arg) {
  if constexpr (is_field_role<Arg>)
    return arg.argument;
  else
    return arg;
}
template <class... Args>
std::vector<zone_use> uses_of(const Args&... args) {
  std::vector<zone_use> all;
  const auto add = [&](const auto& arg) {
    if constexpr (is_field_role<std::remove_cvref_t<decltype(arg)>>) all.push_back(arg.use);
  };
  (add(args), ...);
  return all;
}

}  // namespace detail

/// Lists launches in the order in which they run for each zone.
class zone_step {
 public:
  /// `Body{}(at, arguments…)` for each point `at` of each zone: a loop_index<D> or zone_index<D>, and of each
  /// field its view in that zone, of values copies. Points of a launch run in any order. The file that calls
  /// it is one of yoke_kernel_sources. Errors: usage_error for a field of other zones, one that is named
  /// twice.
  template <class Body, class... Args>
  void launch(std::string name, const Args&... args) {
    constexpr int D = detail::dimensions_of_launch<Args...>();
    static_assert(D > 0, "a launch over zones takes a field: in(u), out(u), inout(u)");
    static_assert(((!detail::is_field_role<Args> || dimensions<Args>() == D) && ...),
                  "fields of one launch have as many dimensions as the zones");
    constexpr bool is_called = detail::takes_zone_arguments<void, Body, zone_index<D>, Args...>;
    static_assert(
        is_called,
        "the body of a launch takes the point (loop_index<D> or zone_index<D>), then one parameter "
        "for each argument of the launch, in their order: view<const T, D> for in(u), view<T, D> for "
        "out(u) and inout(u), and values as they are");
    if constexpr (is_called)
      add({name, detail::uses_of(args...), call_of<Body, D>(name, detail::kept_in_launch(args)...)});
  }
  /// `body(zone_site, views…)` on a host thread for each zone, for libraries: on a CPU CU that of the unit,
  /// which may use its CPUs by OpenMP; on a GPU CU it leaves work on site.stream.
  template <class Body, class... Args>
  void call(std::string name, Body body, const Args&... args) {
    constexpr bool is_called = detail::takes_zone_arguments<void, const Body&, zone_site, Args...>;
    static_assert(is_called,
                  "the body of a call takes a const zone_site&, then one parameter for each argument of the "
                  "call, in their order: view<const T, D> for in(u), view<T, D> for out(u) and inout(u), and "
                  "values as they are; it does not change what it captures");
    if constexpr (is_called)
      add({std::move(name), detail::uses_of(args...),
           made<detail::zone_host_call>(std::move(body), detail::kept_in_launch(args)...)});
  }
  /// `body(zone_batch, …)` on a host thread once for zones of a unit that run together, for libraries that
  /// take many at a time; of a field it gets a std::span<const view> with one for each of batch.zones, values
  /// as they are. Zones with neighbours on other units and those without are two batches.
  template <class Body, class... Args>
  void call_batch(std::string name, Body body, const Args&... args) {
    constexpr bool is_called = detail::takes_batch_arguments<void, const Body&, Args...>;
    static_assert(is_called,
                  "the body of a call for batches takes a const zone_batch&, then one parameter for each "
                  "argument of the call, in their order: std::span<const view<const T, D>> for in(u), "
                  "std::span<const view<T, D>> for out(u) and inout(u), and values as they are; it does not "
                  "change what it captures");
    if constexpr (is_called)
      add({std::move(name), detail::uses_of(args...),
           made<detail::zone_batch_call>(std::move(body), detail::kept_in_launch(args)...)});
  }
  /// As call_batch, but what costs is done once: `prepare(zone_batch, …)` is called whenever zones have been
  /// dealt out, by the thread that replays, and returns work(stream_handle), which runs in each step until
  /// then. On a GPU CU work launches kernels on the stream it is given and does nothing else, for it becomes
  /// part of graphs: memory and tables are prepare's, for each batch its own, as two may run side by side.
  template <class Prepare, class... Args>
  void call_prepared(std::string name, Prepare prepare, const Args&... args) {
    constexpr bool is_called =
        detail::takes_batch_arguments<std::function<void(stream_handle)>, const Prepare&, Args...>;
    static_assert(
        is_called,
        "what prepares work takes what a body of call_batch takes, and returns what is called with a "
        "stream_handle in each step; it does not change what it captures");
    if constexpr (is_called)
      add({std::move(name), detail::uses_of(args...),
           made<detail::zone_prepared_call>(std::move(prepare), detail::kept_in_launch(args)...)});
  }
  /// From here on `a` has the contents of `b`, and the other way round. Errors: usage_error for fields of
  /// unlike elements or halos, and of other zones.
  template <class T, int D>
  void swap(zoned<T, D>& a, zoned<T, D>& b) {
    swap_fields(a.use(false, false, true), b.use(false, false, true));
  }

 private:
  friend class zones;
  explicit zone_step(detail::zone_program& to) : to_{to} {}

  template <class Arg>
  static constexpr int dimensions() {
    if constexpr (detail::is_field_role<Arg>)
      return Arg::dimensions;
    else
      return 0;
  }
  template <class Body, int D, class... Kept>
  static std::shared_ptr<const detail::zone_call> call_of(const std::string& name, const Kept&... kept) {
    return std::make_shared<zone_kernel_call<Body, D, Kept...>>(name, kept...);
  }
  template <template <class, class...> class Call, class Body, class... Kept>
  static std::shared_ptr<const detail::zone_call> made(Body body, const Kept&... kept) {
    return std::make_shared<Call<Body, Kept...>>(std::move(body), kept...);
  }
  void add(detail::zone_operation next);
  void swap_fields(const detail::zone_use& a, const detail::zone_use& b);

  detail::zone_program& to_;
};

}  // namespace yoke
