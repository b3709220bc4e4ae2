// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Another body of a loop or a task for a kind of compute unit.
///
///   yoke::for_each<yoke::variants<cpu<relax_rows>, gpu<relax_tiles>>>(rt, {n, m}, in(old), out(u));
///   g.launch<yoke::variants<cpu<by_rows>, gpu<by_tiles>>>({.x = n}, "transpose", in(a), out(b));
///   g.run("gemm", in(a), inout(b), yoke::variants{cpu{with_blas}, gpu{with_cublas}});
///
/// Both bodies get the same arguments and must compute the same, for which indices or tasks go to which kind
/// is a matter of configuration; bits agree where both compute them alike.
///
/// Source: Communicators (Alonso-Mayo et al.), KERNEL_CPU and KERNEL_GPU; OpenMC (Liao et al.),
/// implemented-with.

#include <optional>
#include <type_traits>

#include <yoke/cpp20.hpp>
#include <yoke/ids.hpp>

namespace yoke {

namespace loops {

/// For CPU CUs; Body may be a function of the host alone: it needs no YOKE_HD, may use the standard library
/// and throw, and is called by all CPUs of the unit at once, each for its own indices.
template <class Body>
struct cpu {
  Body body{};
};
template <class Body>
cpu(Body) -> cpu<Body>;
/// For GPU CUs, those of emulated devices too: Body is a kernel (kernel.hpp), or a function of the host that
/// queues work for its whole part (part.hpp).
template <class Body>
struct gpu {
  Body body{};
};
template <class Body>
gpu(Body) -> gpu<Body>;

}  // namespace loops

/// One of cpu<…> and gpu<…>, or both in any order: bodies that take the same arguments. A task runs on CUs
/// for whose kind there is one. In a loop a CU for whose kind there is none takes no part: of the arrays of
/// the loop it must own none of the loop's indices (usage_error that names unit and indices); a loop without
/// arrays is shared among the others. Errors: usage_error where no CU of the runtime has a body.
template <class... Of>
struct variants : Of... {};
template <class... Of>
variants(Of...) -> variants<Of...>;

namespace detail {

/// The bodies of a loop or a task; void where a kind has none.
template <class Kernel>
struct bodies {
  using on_cpu = Kernel;
  using on_gpu = Kernel;
};
template <class Cpu>
struct bodies<variants<loops::cpu<Cpu>>> {
  using on_cpu = Cpu;
  using on_gpu = void;
};
template <class Gpu>
struct bodies<variants<loops::gpu<Gpu>>> {
  using on_cpu = void;
  using on_gpu = Gpu;
};
template <class Cpu, class Gpu>
struct bodies<variants<loops::cpu<Cpu>, loops::gpu<Gpu>>> {
  using on_cpu = Cpu;
  using on_gpu = Gpu;
};
template <class Cpu, class Gpu>
struct bodies<variants<loops::gpu<Gpu>, loops::cpu<Cpu>>>
    : bodies<variants<loops::cpu<Cpu>, loops::gpu<Gpu>>> {};
template <class... Of>
struct bodies<variants<Of...>> {
  static_assert(sizeof...(Of) > 9, "variants takes cpu<body>, gpu<body>, or one of each");
};

template <class Kernel>
inline constexpr bool has_cpu_body = !std::is_void_v<typename bodies<Kernel>::on_cpu>;
template <class Kernel>
inline constexpr bool has_gpu_body = !std::is_void_v<typename bodies<Kernel>::on_gpu>;
/// The only kind that has one; nullopt where both have.
template <class Kernel>
inline constexpr std::optional<unit_kind> only_kind = !has_gpu_body<Kernel>   ? std::optional{unit_kind::cpu}
                                                      : !has_cpu_body<Kernel> ? std::optional{unit_kind::gpu}
                                                                              : std::nullopt;

}  // namespace detail

}  // namespace yoke
