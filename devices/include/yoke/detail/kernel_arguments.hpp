// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a kernel is given: the arguments of a launch, which travel as one pack of values, and which of them
/// are refused at compile time (kernel.hpp says what a program may give).

#include <cstddef>
#include <span>
#include <type_traits>

#include <yoke/compiler.hpp>
#include <yoke/device_ptr.hpp>

namespace yoke::detail {

/// A tuple that is trivially copyable, and that compilers of host and device lay out alike.
template <class... Args>
struct pack {};
template <class First, class... Rest>
struct pack<First, Rest...> {
  First first;
  pack<Rest...> rest;
};
YOKE_HD inline pack<> make_pack() { return {}; }
template <class First, class... Rest>
YOKE_HD pack<First, Rest...> make_pack(First first, Rest... rest) {
  return {first, make_pack(rest...)};
}
/// Calls Kernel{}(at, arguments…). Flat, so that also a large kernel becomes part of the loop over its items.
template <class Kernel, class At, class... Done>
YOKE_FLAT YOKE_HD void apply(const At& at, const pack<>&, const Done&... done) {
  Kernel{}(at, done...);
}
template <class Kernel, class At, class First, class... Rest, class... Done>
YOKE_FLAT YOKE_HD void apply(const At& at, const pack<First, Rest...>& args, const Done&... done) {
  apply<Kernel>(at, args.rest, done..., args.first);
}

/// Whether it is a std::span of anything.
template <class Arg>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;

/// A span is a raw pointer with a length. What a struct of the user's own holds is not looked into: of
/// addresses it must hold device_ptrs or views.
template <class Arg>
inline constexpr bool is_kernel_argument =
    std::is_trivially_copyable_v<Arg> && !std::is_pointer_v<Arg> && !is_span<Arg>;

/// Compiles for what can be launched, and says otherwise what to use in its place.
template <class Kernel, class... Args>
constexpr void require_kernel() {
  static_assert(std::is_empty_v<Kernel>,
                "a kernel is a stateless function object; pass its data as arguments");
  static_assert((is_kernel_argument<Args> && ...),
                "a kernel argument is a trivially copyable value and never a raw pointer or a span: use "
                "yoke::device_ptr or yoke::view");
}

}  // namespace yoke::detail
