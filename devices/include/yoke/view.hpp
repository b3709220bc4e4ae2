#pragma once
/// Arrays of several dimensions in the memory of a device, as kernels receive them.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <yoke/compiler.hpp>
#include <yoke/device_ptr.hpp>

namespace yoke {

namespace detail {
/// Errors: usage_error naming both.
[[noreturn]] void index_outside(const std::int64_t* index, const std::int64_t* extents, int dimensions);
}  // namespace detail

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
/// The emulated device refuses an index that is not within the extents, and an element of another space
/// (usage_error); elsewhere an access is what the expression of pointer and strides would be.
template <class T, int D>
  requires(D >= 1 && D <= 4)
class view {
 public:
  using value_type = T;

  view() = default;
  /// Without gaps, the last dimension contiguous.
  YOKE_HD view(device_ptr<T> first, const std::int64_t (&extents)[D]) : first_{first} {
    std::int64_t stride = 1;
    for (int d = D - 1; d >= 0; --d) {
      extents_[d] = extents[d];
      strides_[d] = stride;
      stride *= extents[d];
    }
  }
  YOKE_HD view(device_ptr<T> first, const std::int64_t (&extents)[D], const std::int64_t (&strides)[D])
      : first_{first} {
    for (int d = 0; d < D; ++d) {
      extents_[d] = extents[d];
      strides_[d] = strides[d];
    }
  }
  /// For reading.
  YOKE_HD operator view<const T, D>() const
    requires(!std::is_const_v<T>)
  {
    return {first_, extents_, strides_};
  }

  YOKE_HD std::int64_t extent(int dimension) const { return extents_[dimension]; }
  YOKE_HD std::int64_t stride(int dimension) const { return strides_[dimension]; }
  YOKE_HD device_ptr<T> first() const { return first_; }

  template <std::convertible_to<std::int64_t>... Index>
    requires(sizeof...(Index) == D)
  YOKE_HD T& operator()(Index... index) const {
    const std::int64_t at[D] = {static_cast<std::int64_t>(index)...};
#if !YOKE_DEVICE_PASS
    if (&detail::window_of_this_thread() != &detail::all_addresses) check(at);
#endif
    std::int64_t offset = 0;
    for (int d = 0; d < D; ++d) offset += at[d] * strides_[d];
    return *(first_ + offset);
  }

 private:
  YOKE_HD void check([[maybe_unused]] const std::int64_t (&at)[D]) const {
#if !YOKE_DEVICE_PASS
    for (int d = 0; d < D; ++d)
      if (at[d] < 0 || at[d] >= extents_[d]) detail::index_outside(at, extents_, D);
#endif
  }

  device_ptr<T> first_{};
  std::int64_t extents_[D]{};
  std::int64_t strides_[D]{};
};

}  // namespace yoke
