// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Fields over zones, and what a launch does with them: in, out, inout.

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <yoke/detail/takes_roles.hpp>
#include <yoke/detail/zone_kernels.hpp>
#include <yoke/interior.hpp>
#include <yoke/view.hpp>
#include <yoke/zones.hpp>

namespace yoke {

/// A value at each point of each zone, and in the halo beside it; zeros at first. Trivially copyable.
///
///   yoke::zoned<double, 3> u{blocks, yoke::halo{0, 1, 1}, "u"};
///   yoke::view<double, 3> zone = u.host(7);   // indices from -halo to extent + halo
///
/// zoned<double[5], 3> has five values at each point, and a view<double, 4>: w(m, k, j, i), in memory
/// [5][planes][rows][points of a row] without gaps, halos included. With std::array<double, 5> the five lie
/// side by side.
///
/// Each unit has the zones that it runs in its own memory. Not thread-safe, as the zones.
template <class T, int D>
  requires(D >= 1 && D <= 3 && std::rank_v<T> <= 1 && std::is_trivially_copyable_v<T> && !std::is_const_v<T>)
class zoned : roles::takes_roles {
 public:
  using view_type = detail::field_view<T, D>;
  using const_view_type = detail::field_view<const T, D>;

  /// Errors: usage_error for zones of other dimensions, a halo of other dimensions or below 0, a zone thinner
  /// than its halo at a side that is joined; out_of_memory.
  explicit zoned(zones& of, const halo& beside = {}, std::string name = "a field")
      : zones_{of.core_}, form_{detail::form_of(D, detail::element_form_of<T>(), beside, name)} {
    number_ = detail::add_field(*zones_, form_, std::move(name));
  }
  ~zoned() { detail::remove_field(*zones_, number_); }
  zoned(const zoned&) = delete;
  zoned& operator=(const zoned&) = delete;

  /// The zone in host memory, for reading and writing until the next replay, launch or sum: waits for what
  /// was told before, and brings it. Halos are exchanged again before they are read.
  /// Errors: those of what wrote it; usage_error for a zone that there is not; device_error.
  view_type host(int zone) { return view_at<T>(zone, detail::host_zone(*zones_, number_, zone, true)); }
  const_view_type host(int zone) const {
    return view_at<const T>(zone, detail::host_zone(*zones_, number_, zone, false));
  }

  detail::zone_use use(bool reads, bool reads_halo, bool writes) const {
    return {zones_.get(), number_, reads, reads_halo, writes};
  }
  const detail::field_form& form() const { return form_; }

 private:
  friend class zone_step;
  template <class U>
  detail::field_view<U, D> view_at(int zone, void* memory) const {
    return detail::view_of<U, D>(form_, detail::box_of(*zones_, zone), memory);
  }

  std::shared_ptr<detail::zones_core> zones_;
  detail::field_form form_;
  int number_ = 0;
};

namespace detail {

/// A field in its role; a body gets a field_view<T, D>.
template <class T, int D>
struct field_role {
  static constexpr int dimensions = D;
  zone_use use;
  field_argument<T, D> argument;

  ordered_uses ordered() const { return detail::ordered(use); }
};
template <class>
inline constexpr bool is_field_role = false;
template <class T, int D>
inline constexpr bool is_field_role<field_role<T, D>> = true;

}  // namespace detail

/// inout(x, yoke::sends_faces).
struct sends_faces_tag {};
inline constexpr sends_faces_tag sends_faces{};

namespace roles {

/// Read, with the halo: neighbours' points come before. A body gets a view<const T, D>.
template <class T, int D>
detail::field_role<const T, D> in(const zoned<T, D>& x) {
  return {x.use(true, true, false), {x.form()}};
}
/// Read at own points alone, as is said: nothing comes.
template <class T, int D>
detail::field_role<const T, D> in(const zoned<T, D>& x, interior_only) {
  return {x.use(true, false, false), {x.form()}};
}
/// Written. A body gets a view<T, D>.
template <class T, int D>
detail::field_role<T, D> out(zoned<T, D>& x) {
  return {x.use(false, false, true), {x.form()}};
}
/// Read, with the halo, and written: only what is written at a point may be read by other points of the zone
/// that wait for it, which a launch does not order.
template <class T, int D>
detail::field_role<T, D> inout(zoned<T, D>& x) {
  return {x.use(true, true, true), {x.form()}};
}
template <class T, int D>
detail::field_role<T, D> inout(zoned<T, D>& x, interior_only) {
  return {x.use(true, false, true), {x.form()}};
}
/// As inout(x), of call_batch and call_prepared, that also copies points next to faces into the halos of
/// those who take them, where zone_batch::neighbour says which, once it reads halos no more: they are in the
/// caches then, and no launch has to. Where it names none, the library does. Errors: usage_error in a launch,
/// and for a halo with corners.
template <class T, int D>
detail::field_role<T, D> inout(zoned<T, D>& x, sends_faces_tag) {
  detail::field_role<T, D> made = inout(x);
  made.use.sends = true;
  return made;
}

}  // namespace roles
}  // namespace yoke
