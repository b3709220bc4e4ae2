// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops over arrays, on all compute units of a runtime.
///
///   struct relax {
///     YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old,
///                             yoke::view<double, 2> u, yoke::partial<double>& error, double omega) const
///     {
///       … old(at.i - 1, at.j) …
///     }
///   };
///   using namespace yoke::loops;  // sum, min, max and the like; in and out are found without
///   yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(old), out(u), sum(error), omega);
///
/// A body is a function object without members, whose data are arguments, or a lambda (below). How it is
/// launched on a GPU follows from what it says of itself (character.hpp), or from `block` and `several_from`
/// (kernel.hpp), x along the last dimension, whose neighbours lie beside each other in memory; a loop with
/// reductions has blocks of 128.
///
/// The file that calls it is one of yoke_kernel_sources.

#include <yoke/array.hpp>
#include <yoke/box.hpp>
#include <yoke/character.hpp>
#include <yoke/detail/lambda_body.hpp>
#include <yoke/detail/typed_loop.hpp>
#include <yoke/loop_sharing.hpp>
#include <yoke/part.hpp>
#include <yoke/reduction.hpp>
#include <yoke/roles.hpp>
#include <yoke/variants.hpp>

namespace yoke {

inline namespace YOKE_LAUNCHERS {

/// Runs `Kernel` for each index of `over`: {n, m} counts from 0, {{b, e}, …} from b up to, not with, e.
///
/// Arguments are arrays in their roles (in, out, inout), reductions (sum, min, max) and values, which are
/// trivially copyable; the kernel gets the index and one argument for each, in the same order. A unit runs
/// the indices that it owns of the first array that is written, else of the first distributed one, block by
/// block where these go round. Where several memories have the same elements that it writes, each computes
/// them, and reductions count once. A loop that writes nothing and has no array that is cut is dealt to all
/// units that have what it reads: first by their processors, then by what such loops were measured to take.
///
/// No index may read what another one writes. Returns when CPU CUs have finished and the work of GPUs is
/// queued, with reductions and under YOKE_CHECK=1 when all has finished. When it throws, the elements at the
/// indices of the loop of the arrays that it writes are undefined, and everything else is whole.
///
/// Before it the halos of what is in(x) are made current, what GPUs have not yet got of attached memory goes
/// there, and cuts of balanced arrays may move, where that pays. Not inside parallel regions; several threads
/// of the host take turns.
///
/// Errors: usage_error where arrays do not go together, before anything has moved; out_of_memory;
/// device_error; what the kernel throws on a CPU.
///
/// A body may also run tiles, with memory on chip (tile.hpp), or be a function of the host that is called
/// once for each unit (part.hpp).
///
/// Where what is read and written is streamed (streamed.hpp), it goes in chunks of dimension 0 that units
/// take as they come; everything has finished on return.
template <class Kernel, int D, class... Args>
void for_each(runtime& rt, const box<D>& over, const Args&... args) {
  if constexpr (!detail::require_loop<Kernel, D, Args...>()) {
    return;
  } else if constexpr (detail::n_streams<Args...> > 0) {
    detail::run_streaming_loop<Kernel, D>(rt, over.sides(), args...);
  } else {
    detail::run_loop<Kernel, D>(rt, over.sides(), nullptr, args...);
  }
}

template <class Kernel, int D, class... Args>
void for_each(runtime& rt, const bound (&over)[D], const Args&... args) {
  for_each<Kernel, D>(rt, box<D>{over}, args...);
}

/// The same, with indices shared as `sharing` says (loop_sharing.hpp).
template <class Kernel, int D, class... Args>
void for_each(runtime& rt, const box<D>& over, const loop_sharing& sharing, const Args&... args) {
  static_assert(detail::n_streams<Args...> == 0,
                "the chunks of a streaming loop go to whichever unit is free; it takes no distribution");
  if constexpr (detail::require_loop<Kernel, D, Args...>())
    detail::run_loop<Kernel, D>(rt, over.sides(), &sharing, args...);
}
template <class Kernel, int D, class... Args>
void for_each(runtime& rt, const bound (&over)[D], const loop_sharing& sharing, const Args&... args) {
  for_each<Kernel, D>(rt, box<D>{over}, sharing, args...);
}

/// The same with a body that is a value, the last argument: a lambda, or another function object.
///
///   yoke::for_each(rt, {n}, in(x), inout(y), [a](auto at, auto from, auto to) { to(at) += a * from(at); });
///
/// What it captures by value goes along as an argument does; by reference ([&]) it would be an address of the
/// host, which a GPU has not, and a recording might outlive. Where nvcc compiles, a lambda captures nothing
/// and says [] YOKE_HD (yoke::loop_index<1> at, …), with types for its parameters; function objects may have
/// members. Not for tiles and whole parts.
template <int D, class... Args>
  requires(sizeof...(Args) > 0)
void for_each(runtime& rt, const box<D>& over, const Args&... args) {
  detail::with_body_first(
      std::make_index_sequence<sizeof...(Args) - 1>{},
      [&]<class Body, class... Rest>(const Body& body, const Rest&... rest) {
        if constexpr (detail::require_body<D, Body, Rest...>())
          for_each<detail::lambda_body<Body>, D>(rt, over, body, rest...);
      },
      args...);
}
template <int D, class... Args>
  requires(sizeof...(Args) > 0)
void for_each(runtime& rt, const box<D>& over, const loop_sharing& sharing, const Args&... args) {
  detail::with_body_first(
      std::make_index_sequence<sizeof...(Args) - 1>{},
      [&]<class Body, class... Rest>(const Body& body, const Rest&... rest) {
        if constexpr (detail::require_body<D, Body, Rest...>())
          for_each<detail::lambda_body<Body>, D>(rt, over, sharing, body, rest...);
      },
      args...);
}
template <int D, class... Args>
void for_each(runtime& rt, const bound (&over)[D], const Args&... args) {
  for_each(rt, box<D>{over}, args...);
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
