// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Bodies of loops that run a tile of indices at once, with memory on chip.
///
///   struct multiply : yoke::tiled<32, 32> {                     // a block has 32 x 32 indices of the loop
///     static constexpr std::size_t shared_bytes = 2 * 32 * 32 * sizeof(double);
///     YOKE_HD void operator()(const yoke::tile<2>& t, yoke::view<const double, 2> a,
///                             yoke::view<const double, 2> b, yoke::view<double, 2> c) const
///     {
///       double* const of_a = t.shared<double>();
///       t.for_each(…, [&](int i) { of_a[i] = a(t.begin(0) + …, …); });      // a phase; see block.hpp
///       …
///     }
///   };
///   yoke::for_each<multiply>(rt, {n, m}, in(a), in(b), out(c));
///
/// One source for CPU CUs, where a phase is a loop, emulated devices and GPUs. Threads talk to each other
/// through memory on chip alone, and all of a tile come to each phase (block.hpp).

#include <cstddef>
#include <cstdint>

#include <yoke/block.hpp>
#include <yoke/compiler.hpp>

namespace yoke {

/// What such a body derives from: the sides of a tile in indices, one for each dimension of its loops. It may
/// name itself `block`, its number of threads, 1 to 1024, `min_blocks`, how many blocks a processor of the
/// GPU shall have room for, and `shared_bytes`, its memory on chip; a device that has less refuses the loop
/// (device_error). It takes no partial results.
///
/// Sides are free of the number of threads: t.for_each deals indices to them in turn. What a tile needs
/// beside its own indices, the rim of a stencil say, it reads from the view itself; that must be within the
/// halo.
template <int... Sides>
struct tiled {
  static_assert(sizeof...(Sides) >= 1 && sizeof...(Sides) <= 4 && ((Sides > 0) && ...),
                "a tile has one to four sides of one index and more");
  static constexpr int tile_dimensions = sizeof...(Sides);
  static constexpr int tile_sides[] = {Sides...};
  static constexpr int block = 256;
  static constexpr std::size_t shared_bytes = 0;
};

/// The block that runs a tile, and its indices: [begin(d), end(d)) in dimension d, fewer than a side at the
/// ends of a part. A block writes elements with these indices alone.
///
/// Tiles count from the first index of the loop that the unit has, not from index 0: with other cuts an index
/// is elsewhere in its tile. Results have the same bits everywhere where an element's value does not depend
/// on its place in the tile.
template <int D>
class tile : public block {
 public:
  YOKE_HD tile(const yoke::block& by, const std::int64_t (&begins)[D], const std::int64_t (&ends)[D])
      : block{by} {
    for (int d = 0; d < D; ++d) {
      begins_[d] = begins[d];
      ends_[d] = ends[d];
    }
  }
  YOKE_HD std::int64_t begin(int dimension) const { return begins_[dimension]; }
  YOKE_HD std::int64_t end(int dimension) const { return ends_[dimension]; }
  YOKE_HD std::int64_t extent(int dimension) const { return ends_[dimension] - begins_[dimension]; }

 private:
  std::int64_t begins_[D];
  std::int64_t ends_[D];
};

}  // namespace yoke
