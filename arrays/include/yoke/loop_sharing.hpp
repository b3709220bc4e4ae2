// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which unit runs which indices of a loop, where that is not left to its arrays.
///
///   yoke::for_each<norm>(rt, {n}, distributed(dist::weighted({1, 1, 6})), in(everywhere), sum(s));
///   yoke::for_each<apply>(rt, {{1, n - 1}}, aligned(u), in(everywhere), sum(s));
///
/// Source: HOMP (Yan et al.), Table 2: ALIGN of a loop with an array, and a loop's own distribution.

#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include <yoke/array.hpp>
#include <yoke/distribution.hpp>

namespace yoke {

/// Made by loops::aligned and loops::distributed; for_each takes it behind the bounds. Each unit must have,
/// of the arrays of the loop that are cut, the elements of the indices that it runs, and an array that is
/// written must not be in several memories (usage_error, before anything moves): a loop moves no elements.
class loop_sharing {
 public:
  explicit loop_sharing(const detail::array_handle& as) : as_{&as} {}
  explicit loop_sharing(std::vector<distribution> dims) : dims_{std::move(dims)} {}
  /// Of a distributed loop: on this grid of units.
  loop_sharing on(dist::grid units) const {
    loop_sharing same = *this;
    same.on_ = std::move(units);
    return same;
  }

  /// Null for a distribution of the loop's own.
  const detail::array_handle* as() const { return as_; }
  const std::vector<distribution>& dims() const { return dims_; }
  const std::optional<dist::grid>& grid() const { return on_; }

 private:
  const detail::array_handle* as_ = nullptr;
  std::vector<distribution> dims_{};
  std::optional<dist::grid> on_{};
};

namespace loops {

/// A unit runs the indices whose elements of `x` it owns. The loop need not use x, which may have other
/// dimensions than the loop: those that x cuts are cut alike.
template <class T, int D>
loop_sharing aligned(const array<T, D>& x) {
  return loop_sharing{x.handle()};
}

/// The indices are distributed as an array would be that ends where the loop ends, from 0 on: one
/// distribution for each dimension from the first one, the others are not cut. dist::balanced: as balanced
/// arrays with as many elements. Without halos and edges (usage_error).
template <std::same_as<distribution>... Others>
loop_sharing distributed(const distribution& first, const Others&... others) {
  return loop_sharing{std::vector<distribution>{first, others...}};
}

}  // namespace loops

}  // namespace yoke
