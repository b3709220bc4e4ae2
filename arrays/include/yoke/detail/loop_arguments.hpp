// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// From the arguments of for_each to those of a kernel.

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <yoke/detail/bodies.hpp>
#include <yoke/detail/loop_kernels.hpp>
#include <yoke/detail/stream_loop.hpp>
#include <yoke/detail/tiling.hpp>
#include <yoke/part.hpp>
#include <yoke/roles.hpp>

namespace yoke::detail {

/// What a kernel gets a view of.
template <class Arg>
inline constexpr bool is_viewed = is_array_role<Arg> || is_stream_role<Arg>;

template <class... Args>
inline constexpr std::size_t n_arrays = (std::size_t{0} + ... + (is_array_role<Args> ? 1 : 0));
template <class... Args>
inline constexpr std::size_t n_streams = (std::size_t{0} + ... + (is_stream_role<Args> ? 1 : 0));
template <class... Args>
inline constexpr std::size_t n_reductions = (std::size_t{0} + ... + (is_reduction<Args> ? 1 : 0));

/// How many of the first `end` arguments are arrays or streamed ones, or reductions.
template <class... Args>
constexpr std::size_t arrays_before(std::size_t end) {
  std::size_t n = 0, at = 0;
  ((n += at++ < end && is_viewed<Args> ? 1 : 0), ...);
  return n;
}
template <class... Args>
constexpr std::size_t reductions_before(std::size_t end) {
  std::size_t n = 0, at = 0;
  ((n += at++ < end && is_reduction<Args> ? 1 : 0), ...);
  return n;
}

template <class... Types>
struct type_list {};
template <class... All>
struct concatenated;
template <class... A>
struct concatenated<type_list<A...>> {
  using type = type_list<A...>;
};
template <class... A, class... B, class... Rest>
struct concatenated<type_list<A...>, type_list<B...>, Rest...>
    : concatenated<type_list<A..., B...>, Rest...> {};

template <class... Args>
using reductions_of =
    typename concatenated<type_list<>,
                          std::conditional_t<is_reduction<Args>, type_list<Args>, type_list<>>...>::type;

/// Whether one of the bodies is of tiles or whole parts, and one of them of whole parts.
template <class Kernel>
inline constexpr bool has_other_form =
    tiled_body<typename bodies<Kernel>::on_cpu> || tiled_body<typename bodies<Kernel>::on_gpu> ||
    is_whole_part<typename bodies<Kernel>::on_cpu> || is_whole_part<typename bodies<Kernel>::on_gpu>;
template <class Kernel>
inline constexpr bool has_whole_parts =
    is_whole_part<typename bodies<Kernel>::on_cpu> || is_whole_part<typename bodies<Kernel>::on_gpu>;

/// What a body is called with for an argument of the loop.
template <class Arg>
struct given_for {
  using type = const Arg&;
};
template <class Arg>
  requires is_viewed<Arg>
struct given_for<Arg> {
  using type = typename Arg::view_type;
};
template <class T, class Operation>
struct given_for<reduction_role<T, Operation>> {
  using type = partial<T, Operation>&;
};

/// Whether a body can be called with what it is given; void, where a kind of CUs has none, can.
template <class Body, int D, class... Args>
constexpr bool takes_arguments() {
  if constexpr (std::is_void_v<Body>)
    return true;
  else if constexpr (is_whole_part<Body>)
    return std::is_invocable_v<Body, const part<D>&, typename given_for<Args>::type...>;
  else if constexpr (tiled_body<Body>)
    return std::is_invocable_v<Body, const tile<D>&, typename given_for<Args>::type...>;
  else
    return std::is_invocable_v<Body, const loop_index<D>&, typename given_for<Args>::type...>;
}

/// Whether a loop may be compiled; says otherwise why not, in one sentence.
template <class Kernel, int D, class... Args>
constexpr bool require_loop() {
  static_assert(!has_other_form<Kernel> || n_reductions<Args...> == 0,
                "a body of tiles or of whole parts takes no reductions; run a loop of indices for these");
  static_assert(!has_whole_parts<Kernel> || n_streams<Args...> == 0,
                "a body of whole parts is for arrays; a streaming loop has chunks");
  static_assert(has_stateless_bodies<Kernel>(),
                "the body of a loop is a stateless function object; pass its data as arguments");
  constexpr bool is_given = ((is_viewed<Args> || is_reduction<Args> || is_kernel_argument<Args>) && ...);
  static_assert(is_given,
                "an argument of a loop is an array in its role, in(x), out(x) or inout(x), a reduction, or a "
                "trivially copyable value that is no pointer and no span");
  static_assert(
      n_streams<Args...> == 0 || n_arrays<Args...> + n_reductions<Args...> == 0,
      "a streaming loop takes streamed memory and values; arrays and reductions are for other loops");
  constexpr bool is_called = takes_arguments<typename bodies<Kernel>::on_cpu, D, Args...>() &&
                             takes_arguments<typename bodies<Kernel>::on_gpu, D, Args...>();
  static_assert(
      !is_given || is_called,
      "a loop's body takes the index (loop_index<D>, tile<D> or part<D>), then one parameter for "
      "each argument of the loop, in their order: view<const T, D> for in(x), view<T, D> for out(x) "
      "and inout(x), partial<T>& for sum(v), partial<T, smallest>& for min(v), and values as they are");
  return is_called;
}

/// Of arrays, or in a streaming loop of streamed memory.
template <class... Args>
auto viewed_uses_of(const Args&... args) {
  using use = std::conditional_t<(n_streams<Args...> > 0), stream_use, array_use>;
  std::array<use, n_arrays<Args...> + n_streams<Args...>> uses{};
  [[maybe_unused]] std::size_t n = 0;
  const auto add = [&](const auto& arg) {
    if constexpr (is_viewed<std::remove_cvref_t<decltype(arg)>>) uses[n++] = arg.use;
  };
  (add(args), ...);
  return uses;
}

/// Arrays in their roles, then those that take the results of reductions.
template <class... Args>
struct uses_of_loop {
  explicit uses_of_loop(const Args&... args) {
    std::ranges::copy(viewed_uses_of(args...), all.begin());
    (add(args), ...);
  }
  std::span<const array_use> in_order() const { return {all.data(), n}; }

  std::array<array_use, n_arrays<Args...> + n_reductions<Args...>> all{};
  std::size_t n = n_arrays<Args...>;

 private:
  // Member by member: nvcc hands designated members of a struct that has arrays on as others.
  void add_result(const array_handle* into) {
    array_use& next = all[n++];
    next.array = into;
    next.how = role::inout;
    next.has_halo = false;
    next.is_result = true;
  }
  template <class Arg>
  void add(const Arg& arg) {
    if constexpr (is_reduction<Arg>)
      if (arg.into != nullptr) add_result(arg.into);
  }
};

/// Whether the results of reductions are all for arrays, or some of them.
template <class... Args>
bool are_all_for_arrays(const Args&... args) {
  const auto is_other = [](const auto& arg) {
    if constexpr (is_reduction<std::remove_cvref_t<decltype(arg)>>) return arg.into == nullptr;
    return false;
  };
  return !(is_other(args) || ...);
}
template <class... Args>
bool are_some_for_arrays(const Args&... args) {
  const auto is_one = [](const auto& arg) {
    if constexpr (is_reduction<std::remove_cvref_t<decltype(arg)>>) return arg.into != nullptr;
    return false;
  };
  return (is_one(args) || ...);
}

/// The variables of reductions, in their order; nothing for an array.
template <class... Args>
std::array<result_place, n_reductions<Args...>> results_of(const Args&... args) {
  std::array<result_place, n_reductions<Args...>> places{};
  [[maybe_unused]] std::size_t n = 0;
  const auto add = [&](const auto& arg) {
    if constexpr (is_reduction<std::remove_cvref_t<decltype(arg)>>)
      places[n++] = {arg.result, arg.result != nullptr ? sizeof *arg.result : 0};
  };
  (add(args), ...);
  return places;
}

template <class T, int D>
view<T, D> make_view(const placed_view& at, const view<T, D>*) {
  std::int64_t begins[D], extents[D], strides[D];
  for (int d = 0; d < D; ++d) {
    begins[d] = at.begins[d];
    extents[d] = at.extents[d];
    strides[d] = at.strides[d];
  }
  return {device_ptr<T>{static_cast<T*>(at.first)}, begins, extents, strides};
}

template <int Number, class T, int D>
role_view<T, D, Number> role_of(const view<T, D>& x) {
  return {x};
}

/// `Use` and `Slot` count what is viewed and reductions.
template <std::size_t Use, std::size_t Slot, class Part, class Arg>
auto argument_of([[maybe_unused]] const Part& part, const Arg& arg) {
  if constexpr (is_viewed<Arg>) {
    return role_of<static_cast<int>(Use)>(
        make_view(part.view(Use), static_cast<const typename Arg::view_type*>(nullptr)));
  } else if constexpr (is_reduction<Arg>) {
    return reduction_slot<static_cast<int>(Slot)>{};
  } else {
    return arg;
  }
}

template <class Part, class... Args, std::size_t... I>
auto arguments_of(const Part& part, std::index_sequence<I...>, const Args&... args) {
  return make_pack(argument_of<arrays_before<Args...>(I), reductions_before<Args...>(I)>(part, args)...);
}

}  // namespace yoke::detail
