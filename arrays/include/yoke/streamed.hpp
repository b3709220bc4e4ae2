// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Memory of the host that loops read or write once: it stays there, and chunks of it go to the GPUs and
/// back.
///
///   yoke::streamed x{rt, x_host, {n}}, y{rt, y_host, {n}};      // may be larger than a GPU's memory
///   yoke::for_each<axpy>(rt, {n}, in(x), inout(y), a);          // y_host has the results
///
/// CPU CUs use the memory where it is. On a GPU CU the copies of some chunks are under way while another is
/// computed: three chunks at a time, each with a stream of its own. A chunk is one row of dimension 0 or
/// more, of all that the loop uses 32 MiB at most for a GPU CU, less where its device has little memory free,
/// and for a CPU CU a quarter of that. Chunks go to whichever unit asks first, so it is not known beforehand
/// who computes what.
///
/// A streaming loop has arguments of this kind and values only: no arrays and no reductions. Everything has
/// finished when for_each returns. When a body throws, elements that the loop writes are undefined. Not for
/// recordings.

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <yoke/array.hpp>
#include <yoke/detail/stream_loop.hpp>
#include <yoke/detail/takes_roles.hpp>
#include <yoke/pinned_range.hpp>
#include <yoke/roles.hpp>
#include <yoke/type_name.hpp>
#include <yoke/view.hpp>

namespace yoke {

/// Elements of T with D indices, row by row as in C, in memory of the program, which lives longer. It is
/// pinned as long as this exists, which ends before its runtime. The program may use the memory between
/// loops, and free it behind this only. T may be const: such memory is read.
template <class T, int D>
  requires(D >= 1 && D <= 4)
class streamed : roles::takes_roles {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of streamed memory travel between memories: T must be trivially copyable");

 public:
  using extents = const detail::extent_of_dimension (&)[D];

  /// Cost: a system call a page where there are GPU CUs; so make it before a time loop, not in it. Nothing
  /// without GPU CUs. Errors: usage_error where memory and extents do not match; device_error where it cannot
  /// be pinned. `name` is what messages call the memory.
  template <std::ranges::contiguous_range Memory>
  streamed(runtime& rt, Memory&& host, extents n, std::string_view name = {})
      : memory_{std::ranges::data(host), std::ranges::size(host)}, name_{name} {
    for (std::size_t d = 0; d < D; ++d) extents_[d] = n[d].value;
    detail::check_attached(memory_.size(), detail::elements_of("yoke::streamed", extents_, sizeof(T)));
    pins_ = detail::pin_for(rt, std::as_bytes(memory_));
  }

  std::int64_t extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }

  /// What roles are made of.
  detail::stream_use use(detail::role how, reach rows = {}) const {
    detail::stream_use made{.how = how, .low = rows.low, .high = rows.high};
    made.first = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(memory_.data()));
    made.shape = {.dimensions = D, .element = sizeof(T)};
    made.shape.type = detail::type_name<T>();
    made.shape.name = name_;
    for (std::size_t d = 0; d < D; ++d) made.shape.extents[d] = extents_[d];
    return made;
  }

 private:
  std::span<T> memory_;
  std::array<std::int64_t, D> extents_{};
  std::vector<pinned_range> pins_;
  std::string name_;
};

template <std::ranges::contiguous_range Memory, int D>
streamed(runtime&, Memory&&, const detail::extent_of_dimension (&)[D], std::string_view = {})
    -> streamed<std::remove_reference_t<std::ranges::range_reference_t<Memory>>, D>;

namespace roles {

/// Read: the kernel gets a view<const T> of the rows of its chunk, by their indices in the whole. On a GPU
/// they are copied before the chunk is computed.
template <class T, int D>
detail::stream_role<view<const std::remove_const_t<T>, D>> in(const streamed<T, D>& x) {
  return {x.use(detail::role::in)};
}
/// And of rows below and above them, as far as there are any; these are copied once for each chunk beside
/// them. Not for memory that the same loop writes.
template <class T, int D>
detail::stream_role<view<const std::remove_const_t<T>, D>> in(const streamed<T, D>& x, reach rows) {
  return {x.use(detail::role::in, rows)};
}
/// Overwritten at each index of the loop; other elements keep their values. Rows come to a GPU first only
/// where the loop leaves some of their elements out.
template <class T, int D>
  requires(!std::is_const_v<T>)
detail::stream_role<view<T, D>> out(streamed<T, D>& x) {
  return {x.use(detail::role::out)};
}
/// Read and written: an index its own element. Memory that is written is used once in a loop, and no array is
/// attached to it (usage_error).
template <class T, int D>
  requires(!std::is_const_v<T>)
detail::stream_role<view<T, D>> inout(streamed<T, D>& x) {
  return {x.use(detail::role::inout)};
}

}  // namespace roles

}  // namespace yoke
