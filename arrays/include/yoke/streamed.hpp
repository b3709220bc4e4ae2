#pragma once
/// Memory of the host that loops read or write once: it stays there, and chunks of it go to the GPUs and
/// back.
///
///   yoke::streamed x{rt, x_host, {n}}, y{rt, y_host, {n}};      // may be larger than a GPU's memory
///   yoke::for_each<axpy>(rt, {n}, in(x), inout(y), a);          // y_host has the results
///
/// CPU CUs use the memory where it is. On a GPU CU the copies of some chunks are under way while another is
/// computed. Not for recordings.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include <yoke/array.hpp>
#include <yoke/loop.hpp>
#include <yoke/pinned_range.hpp>
#include <yoke/roles.hpp>
#include <yoke/view.hpp>

namespace yoke {

namespace detail {

/// For the devices of `rt`. Errors: device_error.
std::vector<pinned_range> pin_for(runtime& rt, std::span<const std::byte> memory);

/// Streamed memory that a loop uses.
struct stream_use {
  std::byte* first = nullptr;
  array_shape shape{};
  role how = role::in;
  std::int64_t low = 0;  ///< rows beside those of a chunk that are read, as far as there are any
  std::int64_t high = 0;
};

template <class View>
struct stream_role {
  using view_type = View;
  stream_use use;
};

template <class>
inline constexpr bool is_stream_role = false;
template <class View>
inline constexpr bool is_stream_role<stream_role<View>> = true;

class stream_chunks;

/// What a unit does with a chunk.
class stream_part {
 public:
  /// `memory`: of a chunk on a GPU, whose stream `on` is; null for a CPU CU.
  stream_part(const stream_chunks& of, const bound& rows, std::byte* memory, device* gpu, stream_handle on);

  const any_box& over() const { return over_; }
  bool is_on_gpu() const { return gpu_ != nullptr; }
  placed_view view(std::size_t use) const;
  /// Runs it on the unit: on a GPU CU it is queued.
  void run(const kernel_call& call) const;

 private:
  const stream_chunks& of_;
  any_box over_;
  std::byte* memory_;
  device* gpu_;
  stream_handle stream_;
};

using stream_body = std::function<void(const stream_part&)>;

/// `body` for each chunk of `over`, whose dimension 0 is cut; all has finished on return. Errors: usage_error
/// naming the loop and what is wrong, out_of_memory, before anything has run; device_error; those of `body`.
void run_stream(runtime& rt, const char* name, const any_box& over, std::span<const stream_use> uses,
                taking_part who, const stream_body& body);

}  // namespace detail

/// Elements of T with D indices, row by row as in C, in memory of the program, which lives longer. It is
/// pinned as long as this exists, which ends before its runtime. The program may use the memory between
/// loops.
template <class T, int D>
  requires(D >= 1 && D <= 4)
class streamed {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of streamed memory travel between memories: T must be trivially copyable");

 public:
  using extents = const detail::extent_of_dimension (&)[D];

  /// Errors: usage_error where memory and extents do not match; device_error where it cannot be pinned.
  template <std::ranges::contiguous_range Memory>
  streamed(runtime& rt, Memory&& host, extents n)
      : memory_{std::ranges::data(host), std::ranges::size(host)} {
    std::size_t wanted = 1;
    for (std::size_t d = 0; d < D; ++d) {
      extents_[d] = n[d].value;
      wanted *= static_cast<std::size_t>(std::max<std::int64_t>(n[d].value, 0));
    }
    detail::check_attached(memory_.size(), wanted);
    pins_ = detail::pin_for(rt, std::as_bytes(memory_));
  }

  std::int64_t extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }

  detail::stream_use use(detail::role how, reach rows = {}) const {
    detail::stream_use made{.how = how, .low = rows.low, .high = rows.high};
    made.first = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(memory_.data()));
    made.shape = {.dimensions = D, .element = sizeof(T)};
    for (std::size_t d = 0; d < D; ++d) made.shape.extents[d] = extents_[d];
    return made;
  }

 private:
  std::span<T> memory_;
  std::array<std::int64_t, D> extents_{};
  std::vector<pinned_range> pins_;
};

template <std::ranges::contiguous_range Memory, int D>
streamed(runtime&, Memory&&, const detail::extent_of_dimension (&)[D])
    -> streamed<std::remove_reference_t<std::ranges::range_reference_t<Memory>>, D>;

namespace loops {

/// Read: the kernel gets a view<const T> of the rows of its chunk.
template <class T, int D>
detail::stream_role<view<const std::remove_const_t<T>, D>> in(const streamed<T, D>& x) {
  return {x.use(detail::role::in)};
}
/// And of rows below and above them, as far as there are any.
template <class T, int D>
detail::stream_role<view<const std::remove_const_t<T>, D>> in(const streamed<T, D>& x, reach rows) {
  return {x.use(detail::role::in, rows)};
}
/// Overwritten at each index of the loop; other elements keep their values.
template <class T, int D>
  requires(!std::is_const_v<T>)
detail::stream_role<view<T, D>> out(streamed<T, D>& x) {
  return {x.use(detail::role::out)};
}
/// Read and written: an index its own element.
template <class T, int D>
  requires(!std::is_const_v<T>)
detail::stream_role<view<T, D>> inout(streamed<T, D>& x) {
  return {x.use(detail::role::inout)};
}

}  // namespace loops

}  // namespace yoke
