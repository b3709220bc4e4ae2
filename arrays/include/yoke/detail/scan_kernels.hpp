// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Scans of leaves, 1024 indices between two multiples of that. 8 elements form a run, 8 runs a group, 16
/// groups a leaf. A total is that of its parts from left to right; an element is what stands at the start of
/// its run, with the elements up to it one after the other.

#include <cstddef>
#include <cstdint>

#include <yoke/block.hpp>
#include <yoke/detail/leaf_trees.hpp>
#include <yoke/device_ptr.hpp>
#include <yoke/operations.hpp>
#include <yoke/view.hpp>

namespace yoke::detail {

enum class scan_kind { inclusive, exclusive };

inline constexpr int scan_width = 8;  ///< elements of a run, runs of a group
inline constexpr int scan_runs = static_cast<int>(leaf_length) / scan_width;
inline constexpr int scan_groups = scan_runs / scan_width;

template <class Operation, class T>
YOKE_HD T total_of(const T* values, int n) {
  T all = none_of<Operation, T>();
  for (int i = 0; i < n; ++i) all = Operation::combine(all, values[i]);
  return all;
}

/// Each value becomes what stands before it, or with it; `start` stands before the first.
template <class Operation, scan_kind Kind, class T>
YOKE_HD void scan_in_place(T* values, int n, T start) {
  for (int i = 0; i < n; ++i) {
    const T next = Operation::combine(start, values[i]);
    values[i] = Kind == scan_kind::inclusive ? next : start;
    start = next;
  }
}

/// How many of `most` values from `begin` there are before `end`.
YOKE_HD constexpr int count_before(std::int64_t begin, std::int64_t end, int most) {
  return end - begin >= most ? most : end > begin ? static_cast<int>(end - begin) : 0;
}

/// A block is a leaf; its total goes to `totals`.
template <class Operation, class T>
struct leaf_totals_kernel {
  static constexpr int block = scan_runs;
  static constexpr std::size_t shared_bytes = (scan_runs + scan_groups) * sizeof(T);

  YOKE_HD void operator()(const yoke::block& b, const view<const T, 1>& x, device_ptr<T> totals,
                          std::int64_t first_leaf, std::int64_t end) const {
    T *const runs = b.shared<T>(), *const groups = runs + scan_runs;
    const std::int64_t base = (first_leaf + b.x) * leaf_length;
    b.for_each_thread([&](int t) {
      const std::int64_t first = base + std::int64_t{t} * scan_width;
      T all = none_of<Operation, T>();
      for (int i = 0; i < count_before(first, end, scan_width); ++i)
        all = Operation::combine(all, x(first + i));
      runs[t] = all;
    });
    b.for_each(scan_groups,
               [&](int g) { groups[g] = total_of<Operation>(runs + g * scan_width, scan_width); });
    b.for_each(1, [&](int) { totals[b.x] = total_of<Operation>(groups, scan_groups); });
  }
};

/// A block is a leaf, before which `starts` has what stands; `y` may be what `x` is.
template <class Operation, scan_kind Kind, class T>
struct leaf_scan_kernel {
  static constexpr int block = scan_runs;
  static constexpr std::size_t shared_bytes = (leaf_length + scan_runs + scan_groups) * sizeof(T);

  YOKE_HD void operator()(const yoke::block& b, const view<const T, 1>& x, const view<T, 1>& y,
                          device_ptr<const T> starts, std::int64_t first_leaf, std::int64_t end) const {
    T *const values = b.shared<T>(), *const runs = values + leaf_length, *const groups = runs + scan_runs;
    const std::int64_t base = (first_leaf + b.x) * leaf_length;
    const int n = count_before(base, end, static_cast<int>(leaf_length));
    const auto in_run = [n](int t) { return count_before(std::int64_t{t} * scan_width, n, scan_width); };
    b.for_each(n, [&](int i) { values[i] = x(base + i); });
    b.for_each_thread([&](int t) { runs[t] = total_of<Operation>(values + t * scan_width, in_run(t)); });
    b.for_each(scan_groups,
               [&](int g) { groups[g] = total_of<Operation>(runs + g * scan_width, scan_width); });
    b.for_each(
        1, [&](int) { scan_in_place<Operation, scan_kind::exclusive>(groups, scan_groups, T{starts[b.x]}); });
    b.for_each(scan_groups, [&](int g) {
      scan_in_place<Operation, scan_kind::exclusive>(runs + g * scan_width, scan_width, groups[g]);
    });
    b.for_each_thread(
        [&](int t) { scan_in_place<Operation, Kind>(values + t * scan_width, in_run(t), runs[t]); });
    b.for_each(n, [&](int i) { y(base + i) = values[i]; });
  }
};

}  // namespace yoke::detail
