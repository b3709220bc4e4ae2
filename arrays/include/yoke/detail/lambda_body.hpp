// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops whose body is a value, a lambda say: what it holds is an argument of the loop.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <yoke/box.hpp>
#include <yoke/compiler.hpp>
#include <yoke/detail/loop_arguments.hpp>
#include <yoke/loop_index.hpp>

namespace yoke::detail {

/// The body of such a loop: the value comes first.
template <class Body>
struct lambda_body {
  YOKE_CALLS_HOST_CODE
  template <class At, class... Given>
  YOKE_FLAT YOKE_INLINE YOKE_HD void operator()(const At& at, const Body& body, Given&&... given) const {
    body(at, static_cast<Given&&>(given)...);
  }
};

/// Whether nvcc compiles it for GPUs: a lambda that is the host's it leaves out, and one that captures is on
/// the host a pointer to what it captures, which ends with the loop and not with what is queued.
template <class Body>
constexpr bool is_for_nvcc() {
  constexpr std::string_view name = __PRETTY_FUNCTION__;
  constexpr bool is_for_both = YOKE_IS_NVCC_LAMBDA(Body);
  constexpr bool is_lambda =
      is_for_both || name.find("lambda [") != name.npos || name.find("(lambda at") != name.npos;
  return !YOKE_BY_NVCC || !is_lambda || (is_for_both && std::is_trivially_copyable_v<Body>);
}

/// Whether a loop may be compiled; says otherwise why not, in one sentence.
template <int D, class Body, class... Args>
constexpr bool require_body() {
  constexpr bool is_object = std::is_class_v<Body> && !is_viewed<Body> && !is_reduction<Body>;
  constexpr bool is_compiled = is_for_nvcc<Body>();
  constexpr bool is_value = std::is_trivially_copyable_v<Body>;
  constexpr bool is_called =
      std::is_invocable_v<const Body&, loop_index<D>, typename given_for<Args>::type...>;
  static_assert(
      is_object,
      "for_each without a body between < and > takes one as its last argument: a lambda, or another "
      "function object");
  static_assert(
      !is_object || is_compiled,
      "nvcc compiles a lambda for GPUs where it is [] YOKE_HD (...), with types for its parameters; "
      "what it would capture are arguments of the loop");
  static_assert(
      !is_object || !is_compiled || is_value,
      "what a body captures goes to GPUs as bytes: numbers and structs of these, by value; arrays are "
      "arguments in their roles");
  static_assert(
      !is_object || !is_value || is_called,
      "a body is called with the index and one argument for each of the loop's, in their order, and "
      "does not change what it captures");
  return is_object && is_compiled && is_value && is_called;
}

/// f(body, arguments…) of what ends with the body.
template <class F, class... Args, std::size_t... I>
void with_body_first(std::index_sequence<I...>, const F& f, const Args&... args) {
  const std::tuple<const Args&...> all{args...};
  f(std::get<sizeof...(Args) - 1>(all), std::get<I>(all)...);
}

}  // namespace yoke::detail
