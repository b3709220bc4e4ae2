// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How a unit transposes its part: by tiles on chip where elements fit, else one by one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <yoke/block.hpp>
#include <yoke/box.hpp>
#include <yoke/device_ptr.hpp>
#include <yoke/for_each.hpp>
#include <yoke/roles.hpp>

namespace yoke {
class runtime;

namespace detail {

/// Where a unit has a(i, j), it has to(j, i).
struct transpose_where_it_is {
  template <class T>
  YOKE_HD void operator()(loop_index<2> at, view<const T, 2> a, view<T, 2> to) const {
    to(at) = a(at.j, at.i);
  }
};

/// Elements of a side of a tile; 0 where no tile of T fits the memory on chip of every device.
template <class T>
constexpr int tile_side() {
  if (alignof(T) > 16 || sizeof(T) > 512) return 0;
  return sizeof(T) <= 32 ? 32 : 8;
}

/// The same by tiles on chip, so that both are accessed element beside element. A block is a tile of the box
/// of `to` that begins with (j0, i0), tiles along j one after the other.
template <class T>
struct transpose_tiles {
  static constexpr int block = 256;
  static constexpr int side = tile_side<T>();
  static constexpr int pitch = side + 1;  ///< so that the elements of a column are in different banks
  static constexpr std::size_t shared_bytes = std::size_t{side} * pitch * sizeof(T);

  static YOKE_HD constexpr std::int64_t tiles_of(std::int64_t n) { return (n + side - 1) / side; }

  YOKE_HD void operator()(const yoke::block& b, const view<const T, 2>& a, const view<T, 2>& to,
                          const loop_index<2>& begin, const loop_index<2>& end) const {
    T* const tile = b.shared<T>();
    const std::int64_t in_row = tiles_of(end.i - begin.i);
    const std::int64_t i0 = begin.j + b.x / in_row * side, j0 = begin.i + b.x % in_row * side;
    const std::int64_t rows = end.j - i0, columns = end.i - j0;
    b.for_each(side * side, [&](int at) {
      const int i = at / side, j = at % side;
      if (i < rows && j < columns) tile[i * pitch + j] = a(i0 + i, j0 + j);
    });
    b.for_each(side * side, [&](int at) {
      const int j = at / side, i = at % side;
      if (i < rows && j < columns) to(j0 + j, i0 + i) = tile[i * pitch + j];
    });
  }
};

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class T>
void transpose_part_by_tiles(const loop_part& part) {
  using kernel = transpose_tiles<T>;
  const auto a = make_view(part.view(0), static_cast<const view<const T, 2>*>(nullptr));
  const auto to = make_view(part.view(1), static_cast<const view<T, 2>*>(nullptr));
  const bound &j = part.over()[0], &i = part.over()[1];
  const auto arguments = make_pack(a.with_contiguous_rows(), to.with_contiguous_rows(),
                                   loop_index<2>{j.begin, i.begin}, loop_index<2>{j.end, i.end});
  block_arguments<std::remove_const_t<decltype(arguments)>> storage{kernel::shared_bytes, arguments};
  const std::int64_t tiles = kernel::tiles_of(j.size()) * kernel::tiles_of(i.size());
  part.run(make_block_call<kernel>("transpose", {.x = tiles}, storage));
}

/// `to`: made by array_handle::transposed.
template <class From>
void transpose_parts(const array<From, 2>& a, const array_handle& to) {
  using T = std::remove_const_t<From>;
  auto from = roles::in(a, interior);
  from.use.is_transposed = true;
  const array_role<view<T, 2>> into{{.array = &to, .how = role::out, .has_halo = false}};
  runtime& rt = a.handle().rt();
  if constexpr (tile_side<T>() == 0) {
    for_each<transpose_where_it_is>(rt, {a.extent(1), a.extent(0)}, from, into);
  } else {
    const box<2> over{{a.extent(1), a.extent(0)}};
    loop all{rt, "transpose", over.sides(), std::array{from.use, into.use}};
    all.run(transpose_part_by_tiles<T>, false);
  }
}

}  // namespace YOKE_LAUNCHERS

}  // namespace detail

}  // namespace yoke
