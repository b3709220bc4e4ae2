#pragma once
/// Another body of a loop for a kind of compute unit.
///
///   yoke::for_each<yoke::variants<cpu<relax_rows>, gpu<relax_tiles>>>(rt, {n, m}, in(old), out(u));
///
/// Source: Communicators (Alonso-Mayo et al.), KERNEL_CPU and KERNEL_GPU.

#include <type_traits>

namespace yoke {

namespace loops {

/// For CPU CUs; Body may be a function of the host alone.
template <class Body>
struct cpu {};
/// For GPU CUs, those of emulated devices too: Body is a kernel (kernel.hpp).
template <class Body>
struct gpu {};

}  // namespace loops

/// One of cpu<…> and gpu<…>, or both: bodies that take the same arguments. A CU for whose kind there is none
/// takes no part: of the arrays of the loop it must own none of the loop's indices.
template <class... Of>
struct variants {};

namespace detail {

/// Which kinds of CUs a loop has a body for.
struct taking_part {
  bool cpus = true;
  bool gpus = true;
};

/// The bodies of a loop; void where a kind has none.
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

/// The body that messages name.
template <class Kernel>
using named_body = std::conditional_t<has_cpu_body<Kernel>, typename bodies<Kernel>::on_cpu,
                                      typename bodies<Kernel>::on_gpu>;

template <class Kernel>
constexpr bool has_stateless_bodies() {
  return (!has_cpu_body<Kernel> || std::is_empty_v<typename bodies<Kernel>::on_cpu>) &&
         (!has_gpu_body<Kernel> || std::is_empty_v<typename bodies<Kernel>::on_gpu>);
}

}  // namespace detail

}  // namespace yoke
