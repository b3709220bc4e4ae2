// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Fields as launches over zones carry them: to host functions as views, to kernels in the entries of a
/// table.

#include <cstdint>
#include <type_traits>

#include <yoke/detail/zone_calls.hpp>
#include <yoke/kernel.hpp>
#include <yoke/view.hpp>

namespace yoke::detail {

/// A field of double[5] has five components, a view of one dimension more and elements of double.
template <class T>
using element_of = std::remove_extent_t<T>;
template <class T>
inline constexpr std::int64_t components_of = std::is_array_v<T> ? std::int64_t{std::extent_v<T>} : 1;
template <class T>
constexpr element_form element_form_of() {
  return {sizeof(element_of<T>), alignof(element_of<T>), components_of<T>};
}
template <class T, int D>
using field_view = view<element_of<T>, std::is_array_v<T> ? D + 1 : D>;

/// In the place of a field among the arguments of a launch.
template <class T, int D>
struct field_argument {
  field_form form;
};

/// A field in a zone as kernels read it: 32 bits do for what a view says with 64, and multiply faster.
template <class T, int D>
struct zone_view {
  device_ptr<element_of<T>> first;  ///< of the halo
  std::int32_t halo[D];
};

/// What a kernel reads of a zone.
template <int D, class Pack>
struct zone_entry {
  std::int32_t extents[D];
  std::int32_t points;
  std::int32_t zone;
  Pack arguments;
};

/// A box of points, of components where there are some, as views take it.
template <class T, int D>
struct field_extents {
  static constexpr int dimensions = field_view<T, D>::dimensions;
  std::int64_t begins[dimensions] = {}, extents[dimensions] = {}, strides[dimensions] = {};

  YOKE_INLINE YOKE_HD field_view<T, D> at(device_ptr<element_of<T>> memory) const {
    return {memory, begins, extents, strides};
  }
};

template <class T, int D>
field_view<T, D> view_of(const field_form& form, const zone_box& box, void* memory) {
  const auto all = form.extents(box);
  field_extents<T, D> made;
  std::int64_t stride = 1;
  for (int d = D - 1; d >= 0; --d) {
    const auto inner = static_cast<std::size_t>(3 - D + d);
    const int outer = made.dimensions - D + d;
    made.begins[outer] = -form.halo[inner];
    made.extents[outer] = all[inner];
    made.strides[outer] = stride;
    stride *= all[inner];
  }
  if constexpr (std::is_array_v<T>) {
    made.extents[0] = components_of<T>;
    made.strides[0] = stride;
  }
  return made.at(device_ptr<element_of<T>>{static_cast<element_of<T>*>(memory)});
}

// Of an argument of a launch what a host function gets in a zone, and what is in the entry of a kernel;
// fields take the next address.
template <class T, int D>
field_view<T, D> argument_in(const field_argument<T, D>& of, const zone_memory& zone, std::size_t& next) {
  return view_of<T, D>(of.form, zone.box, zone.fields[next++]);
}
template <class T>
T argument_in(const T& value, const zone_memory&, std::size_t&) {
  return value;
}
template <class T, int D>
zone_view<T, D> entry_of(const field_argument<T, D>& of, const zone_memory& zone, std::size_t& next) {
  zone_view<T, D> made{device_ptr<element_of<T>>{static_cast<element_of<T>*>(zone.fields[next++])}, {}};
  for (int d = 0; d < D; ++d)
    made.halo[d] = static_cast<std::int32_t>(of.form.halo[static_cast<std::size_t>(3 - D + d)]);
  return made;
}
template <class T>
T entry_of(const T& value, const zone_memory&, std::size_t&) {
  return value;
}

// Of an argument in an entry what a body gets.
template <class T, int D>
YOKE_INLINE YOKE_HD field_view<T, D> given_in(const std::int32_t (&extents)[D], const zone_view<T, D>& x) {
  field_extents<T, D> box;
  std::int32_t stride = 1;
  for (int d = D - 1; d >= 0; --d) {
    const std::int32_t with_halo = extents[d] + 2 * x.halo[d];
    const int outer = box.dimensions - D + d;
    box.begins[outer] = -x.halo[d];
    box.extents[outer] = with_halo;
    box.strides[outer] = stride;
    stride *= with_halo;
  }
  if constexpr (std::is_array_v<T>) {
    box.extents[0] = components_of<T>;
    box.strides[0] = stride;
  }
  const field_view<T, D> made = box.at(x.first).with_contiguous_rows();
  if constexpr (std::is_const_v<element_of<T>>)
    return made.unchanged();  // a launch that writes it names it once
  else
    return made;
}
template <int D, class T>
YOKE_INLINE YOKE_HD T given_in(const std::int32_t (&)[D], const T& value) {
  return value;
}
template <class First, class... Rest>
YOKE_INLINE YOKE_HD pack<First, Rest...> joined(const First& first, const pack<Rest...>& rest) {
  return {first, rest};
}
template <int D>
YOKE_INLINE YOKE_HD pack<> all_given_in(const std::int32_t (&)[D], const pack<>&) {
  return {};
}
template <int D, class First, class... Rest>
YOKE_INLINE YOKE_HD auto all_given_in(const std::int32_t (&extents)[D], const pack<First, Rest...>& args) {
  return joined(given_in(extents, args.first), all_given_in(extents, args.rest));
}

}  // namespace yoke::detail
