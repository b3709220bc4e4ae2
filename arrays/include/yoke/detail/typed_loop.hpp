// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A loop with the types of its body and arguments, at once or in a recording: what for_each becomes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <yoke/detail/bodies.hpp>
#include <yoke/detail/leaf_kernels.hpp>
#include <yoke/detail/loop_kernels.hpp>
#include <yoke/detail/recorder.hpp>
#include <yoke/detail/reduction_loop.hpp>
#include <yoke/detail/stream_loop.hpp>
#include <yoke/detail/tiling.hpp>
#include <yoke/loop_sharing.hpp>
#include <yoke/part.hpp>

namespace yoke {
class runtime;

namespace detail {

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class Kernel, int D, bool OnGpu, class Part, class Arguments>
void run_items_of(const Part& part, const Arguments& args) {
  std::int64_t before = 0;  // a GPU writes whole lines of memory faster
  if constexpr (OnGpu && requires { part.misaligned(); }) before = part.misaligned();
  auto storage = make_pack(start_of<D>(part.over(), before), args);
  extent_3d items = items_of(part.over());
  items.x += before;
  kernel_call call = make_call<body_kernel<Kernel, D>, OnGpu>(name_of<Kernel>(), items, storage);
  call.left_out = before;
  part.run(call);
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
      : over_{over},
        args_{args...},
        some_for_arrays_{are_some_for_arrays(args...)},
        on_device_{some_for_arrays_ && are_all_for_arrays(args...) && all.is_on_one_gpu()},
        reductions_{make_reductions<D>(reductions_of<Args...>{}, over, all, first_result())} {}

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
  bool has_reductions() const override { return n_reductions<Args...> > 0; }
  bool has_results() const override { return has_reductions() && !(on_device_ && !over_.empty()); }
  bool has_results_for_arrays() const override { return some_for_arrays_; }
  /// Whether what a GPU runs of a box may come in pieces.
  static constexpr bool may_come_in_pieces() {
    if constexpr (has_gpu_body<Kernel>)
      return !is_whole_part<typename bodies<Kernel>::on_gpu>;
    else
      return false;
  }
  void finish(loop& all) override {
    if (has_results()) std::apply([&](const Args&... args) { reductions_.finish(all, args...); }, args_);
  }
  void cut_anew(const loop& all) override {
    reductions_ = make_reductions<D>(reductions_of<Args...>{}, over_, all, first_result());
  }

 private:
  result_arrays first_result() const { return {n_arrays<Args...>, on_device_}; }

  any_box over_;
  std::tuple<Args...> args_;
  bool some_for_arrays_, on_device_;
  reductions_for<D, reductions_of<Args...>> reductions_;
};

template <class Kernel, int D, class... Args>
void run_loop(runtime& rt, const any_box& over, const loop_sharing* sharing, const Args&... args) {
  const uses_of_loop<Args...> uses{args...};
  const char* const name = name_of<named_body<Kernel>>();
  const taking_part who = parts_of_bodies<Kernel>();
  using body_of = typed_loop<Kernel, D, Args...>;
  if constexpr (n_reductions<Args...> > 0) check_results(rt, name, results_of(args...));
  if (is_recording(rt)) {
    auto all = std::make_unique<loop>(rt, name, over, uses.in_order(), who, sharing);
    auto body = std::make_unique<body_of>(over, *all, args...);
    return add_to_recording(std::move(all), std::move(body));
  }
  loop all{rt, name, over, uses.in_order(), who, sharing};
  body_of body{over, all, args...};
  all.run([&](const loop_part& part) { body.run(part); }, body.has_results(), body_of::may_come_in_pieces());
  body.finish(all);
}

template <class Kernel, int D, class... Args>
void run_streaming_loop(runtime& rt, const any_box& over, const Args&... args) {
  const taking_part who = parts_of_bodies<Kernel>();
  run_stream(
      rt, name_of<named_body<Kernel>>(), over, viewed_uses_of(args...), who, [&](const stream_part& part) {
        run_plain_variant<Kernel, D>(part, arguments_of(part, std::index_sequence_for<Args...>{}, args...));
      });
}

}  // namespace YOKE_LAUNCHERS

}  // namespace detail

}  // namespace yoke
