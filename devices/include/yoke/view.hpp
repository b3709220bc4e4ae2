// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays of several dimensions in the memory of a device, as kernels receive them.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <yoke/bound.hpp>
#include <yoke/compiler.hpp>
#include <yoke/detail/checked_views.hpp>
#include <yoke/device_ptr.hpp>
#include <yoke/loop_index.hpp>

namespace yoke {

namespace detail {
/// Gives atomics (atomic.hpp) an element that other indices of a loop use too.
struct element_of_all;
/// What an index gives: the element, or its value where a GPU loads that by an instruction of its own.
template <class T>
using indexed = std::conditional_t<has_unchanged_load<T>, std::remove_const_t<T>, T&>;
}  // namespace detail

/// While it lives, kernels that the calling host thread runs check their indices, as the emulated device does
/// always. A function of the caller's that has accessed a view or a device_ptr itself may go on without.
class checked_indices {
 public:
  checked_indices() noexcept;
  ~checked_indices();
  checked_indices(const checked_indices&) = delete;
  checked_indices& operator=(const checked_indices&) = delete;

 private:
  const bool before_;
};

/// A device_ptr with as many extents and strides, in elements, as there are dimensions; the last index is
/// that of the row, as in C. An argument of kernels, and part of structs that are.
///
///   struct smooth {
///     YOKE_HD void operator()(yoke::item at, yoke::view<const double, 2> old, yoke::view<double, 2> u) const
///     {
///       u(at.y, at.x) = 0.5 * (old(at.y, at.x) + old(at.y, at.x + 1));
///     }
///   };
///   yoke::launch<smooth>(dev, stream, {m - 1, n}, "smooth", yoke::view<const double, 2>{old, {n, m}},
///                        yoke::view<double, 2>{u, {n, m}});
///
/// A view counts from 0, or from the begins that it is given: a part of an array keeps the indices of the
/// whole. The emulated device refuses an index that is not in [begin, begin + extent), and an element of
/// another space (usage_error); elsewhere an access is what the expression of pointer and strides would be.
template <class T, int D>
  requires(D >= 1 && D <= 4)
class view {
  template <class U, int E>
    requires(E >= 1 && E <= 4)
  friend class view;
  friend struct detail::element_of_all;

 public:
  using value_type = T;
  static constexpr int dimensions = D;

  view() = default;
  /// Without gaps, the last dimension contiguous.
  YOKE_HD view(device_ptr<T> first, const std::int64_t (&extents)[D]) : origin_{first} {
    std::int64_t stride = 1;
    for (int d = D - 1; d >= 0; --d) {
      extents_[d] = extents[d];
      strides_[d] = stride;
      if (d > 0) stride *= extents[d];
    }
  }
  /// Part of something larger, or of another order in memory.
  YOKE_HD view(device_ptr<T> first, const std::int64_t (&extents)[D], const std::int64_t (&strides)[D])
      : view{first, {}, extents, strides} {}
  /// `first` is the element with the indices `begins`.
  YOKE_HD view(device_ptr<T> first, const std::int64_t (&begins)[D], const std::int64_t (&extents)[D],
               const std::int64_t (&strides)[D]) {
    for (int d = 0; d < D; ++d) {
      begins_[d] = begins[d];
      extents_[d] = extents[d];
      strides_[d] = strides[d];
    }
    if constexpr (detail::is_host_pass) check_origin();
    origin_ = moved(first, -offset_of(begins_));
  }
  /// For reading.
  template <class U>
    requires(!std::is_const_v<U> && std::is_same_v<const U, T>)
  YOKE_HD view(const view<U, D>& other) : origin_{other.origin_} {
    for (int d = 0; d < D; ++d) {
      begins_[d] = other.begins_[d];
      extents_[d] = other.extents_[d];
      strides_[d] = other.strides_[d];
    }
  }

  /// Indices of a dimension are begin <= i < end; neighbours lie stride elements apart.
  YOKE_HD std::int64_t begin(int dimension) const { return begins_[dimension]; }
  YOKE_HD std::int64_t end(int dimension) const { return begins_[dimension] + extents_[dimension]; }
  YOKE_HD std::int64_t extent(int dimension) const { return extents_[dimension]; }
  YOKE_HD std::int64_t stride(int dimension) const { return strides_[dimension]; }
  /// The element with the smallest indices: what a library such as BLAS is given, with the strides.
  YOKE_HD device_ptr<T> first() const { return moved(origin_, offset_of(begins_)); }
  /// Where the element with the indices 0 is, or would be.
  YOKE_HD device_ptr<T> origin() const { return origin_; }

  /// An element: u(j, i), as many indices as dimensions. Const, as of a pointer: T says whether it may
  /// change. Of one that may not, code of an NVIDIA GPU gets the value: its address gives address(j, i).
  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == D)
  YOKE_INLINE YOKE_HD detail::indexed<T> operator()(Index... index) const {
    const std::int64_t at[D] = {static_cast<std::int64_t>(index)...};
    return element(at);
  }
  /// The same, as loops over arrays give the place.
  YOKE_INLINE YOKE_HD detail::indexed<T> operator()(const loop_index<D>& where) const {
    std::int64_t at[D];
    for (int d = 0; d < D; ++d) at[d] = where[d];
    return element(at);
  }

  /// Where an element is, for what takes pointers: on a CPU CU BLAS and its like.
  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == D)
  YOKE_INLINE YOKE_HD T* address(Index... index) const {
    const std::int64_t at[D] = {static_cast<std::int64_t>(index)...};
    return address_of(at);
  }

  /// The elements with the indices of a box, by the same indices: u.subview({{1, 4}, {0, m}}). Requires: the
  /// view has them; where indices are checked, a usage_error otherwise.
  YOKE_INLINE YOKE_HD view subview(const bound (&sides)[D]) const {
    if constexpr (detail::is_host_pass) check_box(sides);
    view part = *this;
    for (int d = 0; d < D; ++d) {
      part.begins_[d] = sides[d].begin;
      part.extents_[d] = sides[d].size();
    }
    return part;
  }
  /// The elements whose first index is this one, by their other indices: a row, a plane. Requires: as above.
  YOKE_INLINE YOKE_HD auto subview(std::int64_t first_index) const
    requires(D > 1)
  {
    if constexpr (detail::is_host_pass) check_first(first_index);
    view<T, D - 1> part;
    part.is_unchanged_ = is_unchanged_;
    part.origin_ = moved(origin_, first_index * strides_[0]);
    for (int d = 1; d < D; ++d) {
      part.begins_[d - 1] = begins_[d];
      part.extents_[d - 1] = extents_[d];
      part.strides_[d - 1] = strides_[d];
    }
    if constexpr (detail::is_host_pass) note_subview(first_index, part.origin_.address());
    return part;
  }

  /// The same where rows are known to have no gaps between their elements: the compiler knows it then, too.
  /// Requires: the last stride is 1.
  YOKE_HD view with_contiguous_rows() const {
    view same = *this;
    same.strides_[D - 1] = 1;
    return same;
  }

  /// The same where no one writes these elements while the kernel runs: reads of a GPU need not wait for the
  /// kernel's writes then. Loops over arrays give in(array) so. Requires: that.
  YOKE_HD view unchanged() const
    requires std::is_const_v<T>
  {
    view same = *this;
    same.is_unchanged_ = true;
    return same;
  }

 private:
  YOKE_INLINE YOKE_HD detail::indexed<T> element(const std::int64_t (&at)[D]) const {
    if constexpr (detail::has_unchanged_load<T>)
      if (is_unchanged_) return detail::load_unchanged(address_of(at));
    return *address_of(at);
  }
  YOKE_INLINE YOKE_HD T* address_of(const std::int64_t (&at)[D]) const {
    if constexpr (detail::is_host_pass)
      if (detail::are_accesses_checked()) check_own(list_of(at));
    return element_at(offset_of(at));
  }
  YOKE_INLINE YOKE_HD T* address_of_any(const loop_index<D>& where) const {
    std::int64_t at[D];
    for (int d = 0; d < D; ++d) at[d] = where[d];
    if constexpr (detail::is_host_pass)
      if (detail::are_accesses_checked()) check(list_of(at));
    return element_at(offset_of(at));
  }
  /// What is found where it is has been checked. The origin is translated, as it is the same for all
  /// elements.
  YOKE_INLINE YOKE_HD T* element_at(std::int64_t offset) const {
    if constexpr (detail::is_host_pass)
      return detail::host_address(origin_.address()) + offset;
    else
      return (origin_ + offset).get();
  }
  YOKE_INLINE YOKE_HD std::int64_t offset_of(const std::int64_t (&at)[D]) const {
    std::int64_t elements = 0;
    for (int d = 0; d < D; ++d) elements += at[d] * strides_[d];
    return elements;
  }
  /// By numbers: what has the indices 0 need not exist.
  YOKE_HD static device_ptr<T> moved(device_ptr<T> from, std::int64_t elements) {
    const auto bytes = static_cast<std::uintptr_t>(elements) * sizeof(T);
    return device_ptr<T>{reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(from.address()) + bytes)};
  }

  // On a host thread; nothing of these is in the code of a GPU. Out of line, so that a function that is not
  // compiled into a loop of a CPU CU has little of them.
  struct indices {
    std::int64_t of[D];
  };
  YOKE_INLINE static indices list_of(const std::int64_t (&at)[D]) {
    indices list;
    for (int d = 0; d < D; ++d) list.of[d] = at[d];
    return list;
  }
  /// Where checks are off, too: an access computes from the origin.
  YOKE_INLINE void check_origin() const {
    for (int d = 0; d < D; ++d) {
      std::int64_t elements = 0, bytes = 0;
      if (__builtin_mul_overflow(begins_[d], strides_[d], &elements) ||
          __builtin_mul_overflow(elements, std::int64_t{4 * sizeof(T)}, &bytes))
        detail::origin_beyond_addresses(begins_, strides_, D, sizeof(T));
    }
  }
  detail::view_box box() const { return {origin_.address(), begins_, extents_, D}; }
  [[gnu::cold, gnu::noinline]] void check(indices at) const {
    for (int d = 0; d < D; ++d)
      if (at.of[d] < begin(d) || at.of[d] >= end(d)) detail::index_outside(box(), at.of);
    (void)(origin_ + offset_of(at.of)).get();
  }
  [[gnu::cold, gnu::noinline]] void check_own(indices at) const {
    if constexpr (!std::is_const_v<T>) detail::check_own(origin_.address(), at.of, D);
    check(at);
  }
  YOKE_INLINE void check_box(const bound (&sides)[D]) const {
    if (!detail::are_accesses_checked()) return;
    std::int64_t first[D], last[D];
    bool is_inside = true;
    for (int d = 0; d < D; ++d) {
      first[d] = sides[d].begin;
      last[d] = sides[d].end;
      is_inside = is_inside && first[d] >= begin(d) && last[d] <= end(d);
    }
    if (!is_inside) detail::box_outside(box(), first, last);
  }
  YOKE_INLINE void check_first(std::int64_t index) const {
    bound sides[D];
    sides[0] = {index, index < std::numeric_limits<std::int64_t>::max() ? index + 1 : index};
    for (int d = 1; d < D; ++d) sides[d] = {begin(d), end(d)};
    check_box(sides);
  }
  YOKE_INLINE void note_subview(std::int64_t first_index, const void* part) const {
    if (detail::are_accesses_checked()) detail::note_subview(origin_.address(), D, first_index, part);
  }

  device_ptr<T> origin_{};  ///< where the element with the indices 0 would be
  std::int64_t begins_[D]{};
  std::int64_t extents_[D]{};
  std::int64_t strides_[D]{};
  bool is_unchanged_ = false;
};

}  // namespace yoke
