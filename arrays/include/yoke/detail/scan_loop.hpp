// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a scan does on each unit, and on the host between its two passes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <yoke/detail/leaf_parts.hpp>
#include <yoke/detail/loop_arguments.hpp>
#include <yoke/detail/scan_kernels.hpp>
#include <yoke/kernel.hpp>

namespace yoke::detail {

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// Leaves of [0, n): totals of each, then what stands before each. Of leaves that units share the host has
/// the elements, and scans them itself.
template <class Operation, scan_kind Kind, class T>
class scan_leaves {
 public:
  scan_leaves(const bound& all, const std::vector<std::int64_t>& cuts)
      : all_{all},
        shared_{shared_leaves(cuts, all)},
        elements_(shared_.size() * leaf_length),
        totals_(static_cast<std::size_t>((all.size() + leaf_length - 1) / leaf_length)) {}

  /// First pass. `from`: the number of the array in the loop.
  void find_totals(const loop_part& part, std::size_t from) {
    const cut_part cut = cut_into_leaves(part.over()[0], all_);
    reserve(part, cut.whole);
    if (!part.is_counted()) return;
    const placed_view x = part.view(from);
    if (cut.whole.size() > 0) find_totals(part, read_view(x), cut.whole);
    for (int i = 0; i < cut.n_pieces; ++i) {
      const shared_piece& piece = cut.pieces[i];
      part.copy_to_host(place_of(piece), element(x, piece.begin), bytes_of(piece));
    }
  }

  /// Between the passes; gives what stands behind all elements.
  T find_starts(T start) {
    for (std::size_t i = 0; i < shared_.size(); ++i) find_total_of_shared(i);
    scan_in_place_of_any_length(start);
    for (std::size_t i = 0; i < shared_.size(); ++i) scan_shared(i);
    return last_;
  }

  /// Second pass.
  void write(const loop_part& part, std::size_t from, std::size_t to) {
    const cut_part cut = cut_into_leaves(part.over()[0], all_);
    const placed_view y = part.view(to);
    if (cut.whole.size() > 0) write(part, read_view(part.view(from)), write_view(y), cut.whole);
    for (int i = 0; i < cut.n_pieces; ++i) {
      const shared_piece& piece = cut.pieces[i];
      part.copy_from_host(element(y, piece.begin), place_of(piece), bytes_of(piece));
    }
  }

 private:
  using totals_kernel = leaf_totals_kernel<Operation, T>;
  using scan_kernel = leaf_scan_kernel<Operation, Kind, T>;

  static view<const T, 1> read_view(const placed_view& at) {
    return make_view(at, static_cast<const view<const T, 1>*>(nullptr));
  }
  static view<T, 1> write_view(const placed_view& at) {
    return make_view(at, static_cast<const view<T, 1>*>(nullptr));
  }
  static T* element(const placed_view& of, std::int64_t at) {
    return static_cast<T*>(of.first) + (at - of.begins[0]);
  }
  static std::size_t bytes_of(const shared_piece& piece) {
    return static_cast<std::size_t>(piece.end - piece.begin) * sizeof(T);
  }
  static std::int64_t leaves_in(const bound& whole) { return (whole.size() + leaf_length - 1) / leaf_length; }

  T* place_of(const shared_piece& piece) {
    const auto slot = std::ranges::lower_bound(shared_, piece.leaf) - shared_.begin();
    return elements_.data() + slot * leaf_length + (piece.begin - piece.leaf * leaf_length);
  }

  /// The element at which a shared leaf would begin if its slot were the array.
  view<T, 1> view_of_shared(std::size_t slot) {
    const std::int64_t base = shared_[slot] * leaf_length;
    const std::int64_t begins[1]{base}, extents[1]{leaf_length}, strides[1]{1};
    return {device_ptr<T>{elements_.data() + slot * leaf_length}, begins, extents, strides};
  }

  template <class Kernel, class... Args>
  static void run_block_on_host(const Args&... args) {
    using arguments = block_arguments<pack<Args...>>;
    const arguments storage{Kernel::shared_bytes, make_pack(args...)};
    run_blocks_on_host<Kernel, arguments>(&storage, {.last_x = 1});
  }

  template <class Kernel, class... Args>
  static void run_blocks(const loop_part& part, const bound& whole, const Args&... args) {
    block_arguments<pack<Args...>> storage{Kernel::shared_bytes, make_pack(args...)};
    part.run(make_block_call<Kernel>("a scan", {.x = leaves_in(whole)}, storage));
  }

  /// What write will need, while nothing is written: a scan that finds no memory leaves its arrays as they
  /// were.
  static void reserve(const loop_part& part, const bound& whole) {
    if (part.is_on_gpu() && whole.size() > 0)
      part.scratch(static_cast<std::size_t>(leaves_in(whole)) * sizeof(T));
  }

  void find_totals(const loop_part& part, const view<const T, 1>& x, const bound& whole) {
    const std::int64_t first = whole.begin / leaf_length, n = leaves_in(whole);
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    T* const to = totals_.data() + first;
    T* const at = part.is_on_gpu() ? static_cast<T*>(part.scratch(bytes)) : to;
    run_blocks<totals_kernel>(part, whole, x, device_ptr<T>{at}, first, whole.end);
    if (part.is_on_gpu()) part.copy_to_host(to, at, bytes);
  }

  void write(const loop_part& part, const view<const T, 1>& x, const view<T, 1>& y, const bound& whole) {
    const std::int64_t first = whole.begin / leaf_length, n = leaves_in(whole);
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    T* at = totals_.data() + first;
    if (part.is_on_gpu()) {
      void* const there = part.scratch(bytes);
      part.copy_from_host(there, at, bytes);
      at = static_cast<T*>(there);
    }
    run_blocks<scan_kernel>(part, whole, x, y, device_ptr<const T>{at}, first, whole.end);
  }

  void find_total_of_shared(std::size_t slot) {
    const view<const T, 1> x = view_of_shared(slot);
    const std::int64_t leaf = shared_[slot];
    run_block_on_host<totals_kernel>(x, device_ptr<T>{totals_.data() + leaf}, leaf, all_.end);
  }

  void scan_shared(std::size_t slot) {
    const view<T, 1> y = view_of_shared(slot);
    const std::int64_t leaf = shared_[slot];
    run_block_on_host<scan_kernel>(view<const T, 1>{y}, y, device_ptr<const T>{totals_.data() + leaf}, leaf,
                                   all_.end);
  }

  /// From totals to what stands before each leaf.
  void scan_in_place_of_any_length(T start) {
    for (T& each : totals_) {
      const T next = Operation::combine(start, each);
      each = start;
      start = next;
    }
    last_ = start;
  }

  bound all_;
  std::vector<std::int64_t> shared_;  ///< numbers of leaves that units share, in order
  std::vector<T> elements_;           ///< of shared leaves
  std::vector<T> totals_;             ///< of all leaves
  T last_{};
};

}  // namespace YOKE_LAUNCHERS

}  // namespace yoke::detail
