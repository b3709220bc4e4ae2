// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which kinds of compute units a loop has a body for, and which body each has.

#include <array>
#include <type_traits>

#include <yoke/variants.hpp>

namespace yoke::detail {

/// Which kinds of CUs a loop has a body for.
struct taking_part {
  bool cpus = true;
  bool gpus = true;
  bool cpu_tiles = false;                   ///< the body for CPU CUs is one of tiles
  std::array<int, 4> gpu_tile{1, 1, 1, 1};  ///< sides of what a GPU runs at once, in indices
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

}  // namespace yoke::detail
