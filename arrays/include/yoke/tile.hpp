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
/// One source for CPU CUs, where a phase is a loop, emulated devices and GPUs.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <yoke/block.hpp>
#include <yoke/box.hpp>
#include <yoke/compiler.hpp>

namespace yoke {

/// What such a body derives from: the sides of a tile in indices, one for each dimension of its loops. It may
/// name itself `block`, its number of threads, `min_blocks`, how many blocks a processor of the GPU shall
/// have room for, and `shared_bytes`, its memory on chip. It takes no partial results.
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

namespace detail {

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
      last[d] = first[d] + sides[d] < ends[d] ? first[d] + sides[d] : ends[d];
      rest /= n;
    }
    return {by, first, last};
  }
};

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

}  // namespace detail

}  // namespace yoke
