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
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <yoke/detail/array_handle.hpp>
#include <yoke/detail/attachment.hpp>
#include <yoke/detail/takes_roles.hpp>
#include <yoke/error.hpp>
#include <yoke/type_name.hpp>

namespace yoke {

class runtime;

/// The elements are those of `host`, row by row as in C, which must live until detach or until the array ends
/// and is not to be used meanwhile. Without detach its values are undefined after that. CPU CUs use this
/// memory itself, where no edge needs room around it; GPUs get their parts when a loop first needs them.
/// Where checks are on, detach refuses to overwrite what the program has written meanwhile, if it can tell.
///
/// Errors, of the array: usage_error for memory of another size, or of which another attached array has
/// elements.
template <std::ranges::contiguous_range Memory>
auto attach(Memory&& host) {
  using T = std::remove_reference_t<std::ranges::range_reference_t<Memory>>;
  static_assert(!std::is_const_v<T>, "an array writes back to the memory that it is attached to");
  return detail::attachment<T>{std::span<T>{std::ranges::data(host), std::ranges::size(host)}};
}

/// A section of the host's memory, which has the extents `n`, row by row: of each dimension the indices
/// [begin, end), or of these one in `steps`, the first one always. It need not lie together, and sections
/// of one memory may be attached to several arrays, where none has an element of another. Index 0 of the
/// array is the first one of the section. A section with gaps is copied to memory of its own, and back by
/// detach.
///
///   attach(host, {n, m}, {{1, n - 1}, {0, m / 2}})           // the left half of the inner rows
///   attach(host, {n, m}, {{0, n}, {1, m}}, {1, 2})           // every other column, from column 1
///
/// Errors: usage_error for memory of another size, a section that leaves it, a step below 1.
template <std::ranges::contiguous_range Memory, int D>
auto attach(Memory&& host, const detail::extent_of_dimension (&n)[D], const bound (&of)[D],
            const detail::extent_of_dimension (&steps)[D]) {
  auto made = attach(host);
  const auto extents = detail::values_of(n), every = detail::values_of(steps);
  made.section = detail::section_of(made.memory.size(), D, extents.data(), of, every.data());
  return made;
}
template <std::ranges::contiguous_range Memory, int D>
auto attach(Memory&& host, const detail::extent_of_dimension (&n)[D], const bound (&of)[D]) {
  auto made = attach(host);
  const auto extents = detail::values_of(n);
  made.section = detail::section_of(made.memory.size(), D, extents.data(), of, nullptr);
  return made;
}

/// Elements of T with 1 to 4 indices. Movable; ends before its runtime, or is of no use afterwards.
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
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                "elements of an array travel between memories: T must be trivially copyable, and not const");

 public:
  using value_type = T;
  static constexpr int dimensions = D;
  using extents = const detail::extent_of_dimension (&)[D];

  /// No array: its extents and size are 0; all else but destruction and assignment is a usage_error.
  array() = default;
  /// Zeros, distributed by dist::balanced in dimension 0; attached memory likewise. `name`, here and below,
  /// is what messages call the array.
  array(runtime& rt, extents n, std::string_view name = {})
      : array{rt, n, std::span<const distribution>{}, {}, nullptr, name} {}
  array(runtime& rt, extents n, detail::attachment<T> host, std::string_view name = {})
      : array{rt, n, std::span<const distribution>{}, checked(n, host), nullptr, name} {}
  /// One distribution for each dimension. Where several are distributed, the units make a grid of as many
  /// dimensions with sides as equal as can be.
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, std::string_view name = {})
      : array{rt, n, std::span{dims.begin(), dims.size()}, {}, nullptr, name} {}
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, detail::attachment<T> host,
        std::string_view name = {})
      : array{rt, n, std::span{dims.begin(), dims.size()}, checked(n, host), nullptr, name} {}
  /// On this grid of units.
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, const dist::grid& on,
        std::string_view name = {})
      : array{rt, n, std::span{dims.begin(), dims.size()}, {}, &on, name} {}
  array(runtime& rt, extents n, std::initializer_list<distribution> dims, const dist::grid& on,
        detail::attachment<T> host, std::string_view name = {})
      : array{rt, n, std::span{dims.begin(), dims.size()}, checked(n, host), &on, name} {}
  /// dist::as(other): the cuts, grid, halos and edges of an array with the same extents.
  array(runtime& rt, extents n, const detail::same_as& as, std::string_view name = {})
      : handle_{rt, shape(n, name), as.other, {}}, extents_{detail::values_of(n)} {}
  array(runtime& rt, extents n, const detail::same_as& as, detail::attachment<T> host,
        std::string_view name = {})
      : handle_{rt, shape(n, name), as.other, checked(n, host)}, extents_{detail::values_of(n)} {}

  /// The elements go to the memory that was attached, and this ends the array. Waits for what is queued.
  /// Errors: usage_error for an internal one.
  void detach() { handle_.detach(); }
  /// All elements, row by row; the array stays as it is. Waits for what is queued.
  std::vector<T> gather() const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    handle_.gather(all.data());
    return all;
  }
  /// Requires: as many elements as the array has (usage_error).
  void gather(std::span<T> to) const {
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
  friend void swap(array& a, array& b) { detail::swap_contents(a.handle_, b.handle_); }

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
      std::int64_t wanted = 1;
      for (std::size_t d = D; d-- > 0;) {
        made.strides[d] = wanted;
        wanted *= std::max<std::int64_t>(n[d].value, 0);
      }
      detail::check_attached(host.memory.size(), static_cast<std::size_t>(wanted));
    }
    static std::byte nothing;  // null would ask for internal memory
    made.first =
        host.memory.empty() ? reinterpret_cast<T*>(&nothing) : host.memory.data() + host.section.first;
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
template <class T, int D>
void copy(const array<T, D>& from, array<T, D>& to) {
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
