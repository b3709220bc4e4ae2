// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the part of a unit is cut into tiles.

#include <cstddef>
#include <cstdint>

#include <yoke/block.hpp>
#include <yoke/box.hpp>
#include <yoke/compiler.hpp>
#include <yoke/detail/bodies.hpp>
#include <yoke/tile.hpp>

namespace yoke::detail {

template <class Body>
concept tiled_body = requires { Body::tile_sides; };

/// The indices of a part, in tiles that are numbered along the last dimension first.
template <int D>
struct tiling {
  std::int64_t begins[D];
  std::int64_t ends[D];
  std::int64_t sides[D];

  YOKE_HD std::int64_t tiles(int d) const { return (ends[d] - begins[d] + sides[d] - 1) / sides[d]; }
  YOKE_HD tile<D> of(const block& by) const {
    std::int64_t first[D], last[D], rest = by.x;
    for (int d = D - 1; d >= 0; --d) {
      const std::int64_t n = tiles(d);
      first[d] = begins[d] + rest % n * sides[d];
      last[d] = ends[d] - first[d] > sides[d] ? first[d] + sides[d] : ends[d];
      rest /= n;
    }
    return {by, first, last};
  }
};

template <class Kernel>
taking_part parts_of_bodies() {
  taking_part made{.cpus = has_cpu_body<Kernel>,
                   .gpus = has_gpu_body<Kernel>,
                   .cpu_tiles = tiled_body<typename bodies<Kernel>::on_cpu>};
  using on_gpu = typename bodies<Kernel>::on_gpu;
  if constexpr (tiled_body<on_gpu>)
    for (int d = 0; d < on_gpu::tile_dimensions; ++d)
      made.gpu_tile[static_cast<std::size_t>(d)] = on_gpu::tile_sides[d];
  return made;
}

template <class Body, int D>
tiling<D> tiling_of(const any_box& over) {
  static_assert(D == Body::tile_dimensions, "a tile has a side for each dimension of the loop");
  tiling<D> made{};
  for (int d = 0; d < D; ++d) {
    made.begins[d] = over[d].begin;
    made.ends[d] = over[d].end;
    made.sides[d] = Body::tile_sides[d];
  }
  return made;
}

}  // namespace yoke::detail
