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
