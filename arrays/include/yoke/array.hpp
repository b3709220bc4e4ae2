// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays whose elements are shared among the compute units of a runtime.
///
///   std::vector<double> host(n * m);
///   yoke::array<double, 2> u{rt, {n, m}, {dist::block.halo(1), dist::duplicate}, yoke::attach(host)};
///   yoke::array<double, 2> old{rt, {n, m}, dist::as(u)};   // of its own, zeros
///   yoke::for_each<relax>(rt, {{1, n - 1}, {1, m - 1}}, in(old), out(u));
///   u.detach();                                            // host has the elements again
///
/// Any dimension may be distributed: CPU CUs come first, then GPU CUs; several along a grid of units. CPU CUs
/// share the host's memory, so that nothing is copied between them; each GPU CU has its part and its halo in
/// its own memory. What makes, reads or moves elements is called outside of parallel regions (usage_error);
/// several threads of the host may do so, and take turns. Indices count from 0 in the order of C, the last
/// one along the row.
///
/// What waits for GPUs: gather, detach, transpose, scans, moves of cuts, copies from memory to memory, loops
/// with reductions, streaming loops, and under YOKE_CHECK=1 every loop. Other loops and copies return when
/// CPU CUs have done theirs, and leave work queued on GPUs, where all that follows is ordered behind it.
///
/// Source: HOMP (Yan et al.) for distributions and halos; Communicators (Alonso-Mayo et al.) for attaching,
/// internal arrays and roles.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <yoke/attach.hpp>
#include <yoke/detail/array_handle.hpp>
#include <yoke/detail/takes_roles.hpp>
#include <yoke/error.hpp>
#include <yoke/type_name.hpp>

namespace yoke {

class runtime;

/// Elements of T with 1 to 4 indices. Movable; ends before its runtime, or is of no use afterwards. An
/// array<const T, D> is attached to memory that is read: loops take it by in(x) alone, and no one swaps,
/// copies or scans to it.
///
/// Memory is taken when it is made: on each GPU for the part with its halo, on the host for the parts of CPU
/// CUs, unless they use attached memory; its pages count as they are touched. Nothing is copied then but
/// sections with gaps, and attached memory where edges need room.
///
/// Errors of constructors: usage_error naming what is wrong with extents, distributions, grid or memory;
/// out_of_memory; device_error. Of members that ask for elements or cuts: usage_error for an array that has
/// been moved from or detached, or whose runtime has ended.
template <class T, int D>
  requires(D >= 1 && D <= 4)
class array : roles::takes_roles {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of an array travel between memories: T must be trivially copyable");

 public:
  using value_type = std::remove_const_t<T>;
  static constexpr int dimensions = D;
  using extents = const detail::extent_of_dimension (&)[D];

  /// No array: its extents and size are 0; all else but destruction and assignment is a usage_error.
  array() = default;
  /// Zeros, distributed by dist::balanced in dimension 0; attached memory likewise. `name`, here and below,
  /// is what messages call the array.
  array(runtime& rt, extents n, std::string_view name = {})
    requires(!std::is_const_v<T>)
      : array{rt, n, std::span<const distribution>{}, {}, nullptr, name} {}
  array(runtime& rt, extents n, detail::attachment<T> host, std::string_view name = {})
      : array{rt, n, std::span<const distribution>{}, checked(n, host), nullptr, name} {}
  /// One distribution for each dimension. Where several are distributed, the units make a grid of as many
  /// dimensions with sides as equal as can be.
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, std::string_view name = {})
    requires(!std::is_const_v<T>)
      : array{rt, n, std::span{dims.begin(), dims.size()}, {}, nullptr, name} {}
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, detail::attachment<T> host,
        std::string_view name = {})
      : array{rt, n, std::span{dims.begin(), dims.size()}, checked(n, host), nullptr, name} {}
  /// On this grid of units.
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, const dist::grid& on,
        std::string_view name = {})
    requires(!std::is_const_v<T>)
      : array{rt, n, std::span{dims.begin(), dims.size()}, {}, &on, name} {}
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, const dist::grid& on,
        detail::attachment<T> host, std::string_view name = {})
      : array{rt, n, std::span{dims.begin(), dims.size()}, checked(n, host), &on, name} {}
  /// dist::as(other): the cuts, grid, halos and edges of an array with the same extents.
  array(runtime& rt, extents n, const detail::same_as& as, std::string_view name = {})
    requires(!std::is_const_v<T>)
      : handle_{rt, shape(n, name), as.other, {}}, extents_{detail::values_of(n)} {}
  array(runtime& rt, extents n, const detail::same_as& as, detail::attachment<T> host,
        std::string_view name = {})
      : handle_{rt, shape(n, name), as.other, checked(n, host)}, extents_{detail::values_of(n)} {}

  /// The elements go to the memory that was attached, and this ends the array. Waits for what is queued.
  /// Const memory has them already. Errors: usage_error for an internal one.
  void detach() { handle_.detach(); }
  /// All elements, row by row; the array stays as it is. Waits for what is queued.
  std::vector<value_type> gather() const {
    std::vector<value_type> all(static_cast<std::size_t>(size()));
    handle_.gather(all.data());
    return all;
  }
  /// Requires: as many elements as the array has (usage_error).
  void gather(std::span<value_type> to) const {
    detail::check_attached(to.size(), static_cast<std::size_t>(size()));
    handle_.gather(to.data());
  }

  /// Requires: 0 <= dimension < D.
  std::int64_t extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }
  std::int64_t size() const {
    std::int64_t n = 1;
    for (const std::int64_t each : extents_) n *= each;
    return n;
  }
  /// The indices of dimension 0 that the CU owns elements at; all where only other dimensions are
  /// distributed, none without elements. Those of a balanced array may be others after each loop over arrays
  /// with as many. Errors: usage_error where they are here and there (dist::cyclic).
  bound rows_of(int unit) const { return handle_.rows_of(unit); }
  /// All indices that the CU owns, box by box: one, with dist::cyclic many, without elements none.
  std::vector<box<D>> boxes_of(int unit) const {
    std::vector<box<D>> boxes;
    for (const detail::any_box& each : handle_.boxes_of(unit)) {
      bound sides[D];
      for (int d = 0; d < D; ++d) sides[d] = each[d];
      boxes.emplace_back(sides);
    }
    return boxes;
  }
  /// Lines that say how the array is cut; for a balanced array what loops take, and why it is cut there.
  /// Errors: usage_error inside a parallel region.
  std::string explain() const { return handle_.explain(); }

  /// What loops use.
  const detail::array_handle& handle() const { return handle_; }

  /// Contents change hands and nothing moves, but what GPUs have not yet got of attached memory. Attachments
  /// stay: detach copies where it must. Requires: equal extents, distributions, halos and edges, and one
  /// runtime (usage_error).
  friend void swap(array& a, array& b)
    requires(!std::is_const_v<T>)
  {
    detail::swap_contents(a.handle_, b.handle_);
  }

 private:
  array(runtime& rt, extents n, std::span<const distribution> dims, const detail::user_memory& host,
        const dist::grid* on, std::string_view name)
      : handle_{rt, shape(n, name), dims, on, host}, extents_{detail::values_of(n)} {}

  static detail::array_shape shape(extents n, std::string_view name = {}) {
    detail::array_shape made{.dimensions = D, .element = sizeof(T)};
    made.type = detail::type_name<T>();
    made.name = name;
    for (std::size_t d = 0; d < D; ++d) made.extents[d] = n[d].value;
    return made;
  }
  static detail::user_memory checked(extents n, const detail::attachment<T>& host) {
    detail::user_memory made;
    if (host.section.dimensions > 0) {
      detail::check_section(host.section, shape(n));
      made.strides = host.section.strides;
    } else {
      const auto extents = detail::values_of(n);
      detail::check_attached(host.memory.size(), detail::elements_of("an array", extents, sizeof(T)));
      std::int64_t stride = 1;
      for (std::size_t d = D; d-- > 0; stride *= std::max<std::int64_t>(extents[d], 0))
        made.strides[d] = stride;
    }
    static std::byte nothing;  // null would ask for internal memory
    made.first = &nothing;
    if (!host.memory.empty()) made.first = const_cast<value_type*>(host.memory.data() + host.section.first);
    made.is_const = std::is_const_v<T>;
    return made;
  }
  detail::array_handle handle_;
  std::array<std::int64_t, D> extents_{};
};

namespace dist {

/// Cut where `other` is cut, with the same halos and edges.
template <class T, int D>
detail::same_as as(const array<T, D>& other) {
  return {other.handle()};
}

/// Of one dimension: cut where a dimension of `other` is cut, which has as many elements, on its grid,
/// without its halos and edges: a vector beside the columns of a matrix. Not cut where that is not.
template <class T, int D>
distribution along(const array<T, D>& other, int dimension) {
  return detail::along(other.handle(), dimension);
}

}  // namespace dist

/// Copies all elements; halos of `to` are stale. Requires: equal extents, one runtime (usage_error). Cheap
/// where both are cut at the same indices: each part is copied where it is, and GPUs are not waited for.
template <class From, class T, int D>
  requires(std::same_as<std::remove_const_t<From>, T>)
void copy(const array<From, D>& from, array<T, D>& to) {
  detail::copy_contents(from.handle(), to.handle());
}

/// Cuts dimension 0 as `rows` says, and no other. Halos and edges stay as they were made; only elements that
/// change owner travel. Has happened on return. Errors: usage_error for a distribution with a halo or an
/// edge, a halo wider than a part; out_of_memory; device_error. The array is as before then.
template <class T, int D>
void redistribute(array<T, D>& x, const distribution& rows) {
  std::vector<distribution> dims(D, dist::duplicate);
  dims.front() = rows;
  x.handle().redistribute(dims, nullptr);
}
/// The same with a distribution for each dimension, on all units or on a grid.
template <class T, int D>
void redistribute(array<T, D>& x, std::initializer_list<distribution> dims) {
  detail::check_number_of_distributions(dims.size(), D);
  x.handle().redistribute({dims.begin(), dims.size()}, nullptr);
}
template <class T, int D>
void redistribute(array<T, D>& x, std::initializer_list<distribution> dims, const dist::grid& on) {
  detail::check_number_of_distributions(dims.size(), D);
  x.handle().redistribute({dims.begin(), dims.size()}, &on);
}
/// As dist::as(other), whose dimensions that are cut, and dimension 0, are as long. Errors: usage_error for
/// another runtime or extent, too.
template <class T, int D>
void redistribute(array<T, D>& x, const detail::same_as& other) {
  x.handle().redistribute(other.other);
}

/// Cuts balanced arrays anew by what has been measured, without waiting until that pays for the move: x and
/// all with equally many rows. Whether they moved; false as long as fewer than two loops of each kind were
/// measured, and where the cuts are as good as any. Loops do so themselves, when it pays. Errors: usage_error
/// for an array that is not balanced; device_error.
template <class T, int D>
bool balance(const array<T, D>& x) {
  return x.handle().balance();
}

}  // namespace yoke
