#pragma once
/// Loops over arrays, on all compute units of a runtime.
///
///   struct relax {
///     YOKE_HD void operator()(yoke::index<2> at, yoke::view<const double, 2> old, yoke::view<double, 2> u,
///                             yoke::partial<double>& error, double omega) const { … old(at.i - 1, at.j) … }
///   };
///   using namespace yoke::loops;
///   yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(old), out(u), sum(error), omega);
///
/// The file that calls it is one of yoke_kernel_sources.

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <yoke/array.hpp>
#include <yoke/leaf_kernels.hpp>
#include <yoke/loop_kernels.hpp>
#include <yoke/loop_sharing.hpp>
#include <yoke/part.hpp>
#include <yoke/recorder.hpp>
#include <yoke/reduction_loop.hpp>
#include <yoke/roles.hpp>
#include <yoke/variants.hpp>

namespace yoke {

namespace detail {

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class Kernel, int D, bool OnGpu, class Part, class Arguments>
void run_items_of(const Part& part, const Arguments& args) {
  auto storage = make_pack(start_of<D>(part.over()), args);
  part.run(make_call<body_kernel<Kernel, D>, OnGpu>(name_of<Kernel>(), items_of(part.over()), storage));
}

template <class Kernel, int D, bool OnGpu, class Part, class Arguments>
void run_tiles_of(const Part& part, const Arguments& args) {
  const tiling<D> all = tiling_of<Kernel, D>(part.over());
  std::int64_t tiles = 1;
  for (int d = 0; d < D; ++d) tiles *= all.tiles(d);
  const auto arguments = make_pack(all, args);
  block_arguments<std::remove_const_t<decltype(arguments)>> storage{Kernel::shared_bytes, arguments};
  part.run(make_tiled_call<tile_kernel<Kernel, D>, OnGpu>(name_of<Kernel>(), tiles, storage));
}

template <class Kernel, int D, bool OnGpu, class Part, class Arguments>
void run_plain_part(const Part& part, const Arguments& args) {
  if constexpr (is_whole_part<Kernel>) {
    partials<> none;
    call_body<Kernel>(part.template as<D>(), args, none);
  } else if constexpr (tiled_body<Kernel>) {
    run_tiles_of<Kernel, D, OnGpu>(part, args);
  } else {
    run_items_of<Kernel, D, OnGpu>(part, args);
  }
}

template <class Kernel, int D, class Part, class Arguments>
void run_plain_variant(const Part& part, const Arguments& args) {
  if (part.is_on_gpu()) {
    if constexpr (has_gpu_body<Kernel>) run_plain_part<typename bodies<Kernel>::on_gpu, D, true>(part, args);
  } else if constexpr (has_cpu_body<Kernel>) {
    run_plain_part<typename bodies<Kernel>::on_cpu, D, false>(part, args);
  }
}

template <class Kernel, int D, class... Args>
class typed_loop final : public loop_body {
 public:
  typed_loop(const any_box& over, const loop& all, const Args&... args)
      : over_{over}, args_{args...}, reductions_{make_reductions<D>(reductions_of<Args...>{}, over, all)} {}

  void run(const loop_part& part) override {
    const auto arguments = std::apply(
        [&](const Args&... args) { return arguments_of(part, std::index_sequence_for<Args...>{}, args...); },
        args_);
    if constexpr (n_reductions<Args...> == 0) {
      run_plain_variant<Kernel, D>(part, arguments);
    } else {
      reductions_.template run<Kernel>(part, arguments);
    }
  }
  bool has_results() const override { return n_reductions<Args...> > 0; }
  void finish() override {
    std::apply([&](const Args&... args) { reductions_.finish(args...); }, args_);
  }
  void cut_anew(const loop& all) override {
    reductions_ = make_reductions<D>(reductions_of<Args...>{}, over_, all);
  }

 private:
  any_box over_;
  std::tuple<Args...> args_;
  reductions_for<D, reductions_of<Args...>> reductions_;
};

template <class Kernel, int D, class... Args>
void run_loop(runtime& rt, const any_box& over, const loop_sharing* sharing, const Args&... args) {
  const std::array<array_use, n_arrays<Args...>> uses = uses_of(args...);
  const char* const name = name_of<named_body<Kernel>>();
  constexpr taking_part who{has_cpu_body<Kernel>, has_gpu_body<Kernel>};
  using body_of = typed_loop<Kernel, D, Args...>;
  if (is_recording(rt)) {
    auto all = std::make_unique<loop>(rt, name, over, uses, who, sharing);
    auto body = std::make_unique<body_of>(over, *all, args...);
    return add_to_recording(std::move(all), std::move(body));
  }
  loop all{rt, name, over, uses, who, sharing};
  body_of body{over, all, args...};
  all.run([&](const loop_part& part) { body.run(part); }, body.has_results());
  body.finish();
}

template <class Kernel, int D, class... Args>
void run_streaming_loop(runtime& rt, const any_box& over, const Args&... args) {
  constexpr taking_part who{has_cpu_body<Kernel>, has_gpu_body<Kernel>};
  run_stream(rt, name_of<named_body<Kernel>>(), over, uses_of(args...), who, [&](const stream_part& part) {
    run_plain_variant<Kernel, D>(part, arguments_of(part, std::index_sequence_for<Args...>{}, args...));
  });
}

}  // namespace YOKE_LAUNCHERS

}  // namespace detail

inline namespace YOKE_LAUNCHERS {

/// Runs `Kernel` for each index of `over`: {n, m} counts from 0, {{b, e}, …} from b up to, not with, e.
///
/// Arguments are arrays in their roles (in, out, inout), reductions (sum, min, max) and values, which are
/// trivially copyable; the kernel gets the index and one argument for each, in the same order. A unit runs
/// the indices that it owns of the first array that is written, else of the first distributed one, block by
/// block where these go round; without arrays all units share them evenly. Where several memories have the
/// same elements, each computes them, and reductions count once.
///
/// No index may read what another one writes. Returns when CPU CUs have finished and the work of GPUs is
/// queued, with reductions and under YOKE_CHECK=1 when all has finished. When it throws, the elements at the
/// indices of the loop of the arrays that it writes are undefined, and everything else is whole.
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
  detail::require_loop<Kernel, Args...>();
  if constexpr (detail::n_streams<Args...> > 0) {
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
  detail::require_loop<Kernel, Args...>();
  static_assert(detail::n_streams<Args...> == 0,
                "the chunks of a streaming loop go to whichever unit is free; it takes no distribution");
  detail::run_loop<Kernel, D>(rt, over.sides(), &sharing, args...);
}
template <class Kernel, int D, class... Args>
void for_each(runtime& rt, const bound (&over)[D], const loop_sharing& sharing, const Args&... args) {
  for_each<Kernel, D>(rt, box<D>{over}, sharing, args...);
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
