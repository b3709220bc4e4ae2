#pragma once
/// Arrays whose two dimensions change places.
///
///   yoke::array<double, 2> a{rt, {n, m}}, b{rt, {m, n}};
///   yoke::transpose(a, b);                               // b(j, i) is a(i, j)
///
/// The file that calls it is one of yoke_kernel_sources.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <yoke/block.hpp>
#include <yoke/device_ptr.hpp>
#include <yoke/for_each.hpp>

namespace yoke {

namespace detail {

/// A unit's rows, column by column in its rows of `packed`.
struct pack_transposed {
  template <class T>
  YOKE_HD void operator()(index<2> at, view<const T, 2> a, view<T, 2> packed) const {
    *(packed.first() + (at.j * packed.extent(0) + at.i - packed.begin(0))) = a(at);
  }
};

/// Elements of a side of a tile; 0 where no tile of T fits the memory on chip of every device.
template <class T>
constexpr int tile_side() {
  if (alignof(T) > 16 || sizeof(T) > 512) return 0;
  return sizeof(T) <= 32 ? 32 : 8;
}

/// The same by tiles on chip, so that rows are read and columns written element beside element. A block is a
/// tile of the rows [begin, end) of `a`, tiles of a row of tiles one after the other.
template <class T>
struct pack_tiles {
  static constexpr int block = 256;
  static constexpr int side = tile_side<T>();
  static constexpr int pitch = side + 1;  ///< so that the elements of a column are in different banks
  static constexpr std::size_t shared_bytes = std::size_t{side} * pitch * sizeof(T);

  static YOKE_HD constexpr std::int64_t tiles_of(std::int64_t n) { return (n + side - 1) / side; }

  YOKE_HD void operator()(const yoke::block& b, const view<const T, 2>& a, const view<T, 2>& packed,
                          std::int64_t begin, std::int64_t end) const {
    T* const tile = b.shared<T>();
    const std::int64_t in_row = tiles_of(a.extent(1));
    const std::int64_t i0 = begin + b.x / in_row * side, j0 = b.x % in_row * side;
    const std::int64_t rows = end - i0, columns = a.extent(1) - j0;
    b.for_each(side * side, [&](int at) {
      const int i = at / side, j = at % side;
      if (i < rows && j < columns) tile[i * pitch + j] = a(i0 + i, j0 + j);
    });
    const device_ptr<T> to = packed.first() + (i0 - packed.begin(0));
    b.for_each(side * side, [&](int at) {
      const int j = at / side, i = at % side;
      if (i < rows && j < columns) to[(j0 + j) * packed.extent(0) + i] = tile[i * pitch + j];
    });
  }
};

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class T>
void pack_part_by_tiles(const loop_part& part) {
  using kernel = pack_tiles<T>;
  const auto a = make_view(part.view(0), static_cast<const view<const T, 2>*>(nullptr));
  const auto packed = make_view(part.view(1), static_cast<const view<T, 2>*>(nullptr));
  const bound& rows = part.over()[0];
  const auto arguments = make_pack(a, packed, rows.begin, rows.end);
  block_arguments<std::remove_const_t<decltype(arguments)>> storage{kernel::shared_bytes, arguments};
  const std::int64_t tiles = kernel::tiles_of(rows.size()) * kernel::tiles_of(a.extent(1));
  part.run(make_block_call<kernel>("transpose", {.x = tiles}, storage));
}

/// A unit's rows of `a`, column by column, to its rows of `packed`.
template <class T>
void pack_columns(const array<T, 2>& a, const array_handle& packed) {
  const auto from = loops::in(a, interior);
  const array_role<view<T, 2>> to{{.array = &packed, .how = role::out, .has_halo = false}};
  runtime& rt = a.handle().rt();
  if constexpr (tile_side<T>() == 0) {
    for_each<pack_transposed>(rt, {a.extent(0), a.extent(1)}, from, to);
  } else {
    const box<2> over{{a.extent(0), a.extent(1)}};
    loop all{rt, "transpose", over.sides(), std::array{from.use, to.use}};
    all.run(pack_part_by_tiles<T>, false);
  }
}

}  // namespace YOKE_LAUNCHERS

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// b(j, i) is a(i, j) for all i and j, however both are cut. Needs as much memory again as `a` in each memory
/// while it runs. Has happened on return. Errors: usage_error for another runtime or extents that do not go
/// together; out_of_memory; device_error, and the elements of b are undefined then.
template <class T>
void transpose(const array<T, 2>& a, array<T, 2>& b) {
  detail::check_transposed(a.handle(), b.handle());
  const auto nobody_cuts_anew = a.handle().hold();
  const detail::array_handle packed = a.handle().cut_alike();
  detail::pack_columns(a, packed);
  detail::unpack_transposed(packed, b.handle());
}

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke
