// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a loop with reductions keeps on the host until it has finished, and how that becomes one value.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <yoke/detail/checked_size.hpp>
#include <yoke/detail/leaf_calls.hpp>

namespace yoke::detail {

/// By leaf_values: a value for each leaf and for each tree, and single contributions of the leaves that units
/// share. reduction_loop.hpp has an example.
template <int D, class... Reductions>
class kept_leaves {
 public:
  kept_leaves(const leaf_grid& grid, std::vector<std::int64_t> shared)
      : grid_{grid}, shared_{std::move(shared)} {
    try {
      has_tree_.resize(static_cast<std::size_t>((grid_.leaves() + leaves_of_tree - 1) / leaves_of_tree));
      for_each_reduction([&](auto& each) { make(each); }, values_);
    } catch (const std::bad_alloc&) {
      no_room_for_leaves(grid_.leaves(), (sizeof(typename Reductions::value_type) + ...));
    }
  }

  const leaf_grid& grid() const { return grid_; }
  /// Leaves of a row that units share, in order.
  std::span<const std::int64_t> shared() const { return shared_; }
  for_reductions<leaf_values, Reductions...>& values() { return values_; }

  /// Where the contributions of a piece begin among those of its row.
  std::int64_t slot_of(const shared_piece& piece) const {
    const auto found = std::ranges::lower_bound(shared_, piece.leaf) - shared_.begin();
    const std::int64_t base = (grid_.first_run + piece.leaf) * leaf_length;
    return found * leaf_length + (piece.begin - base);
  }
  /// A device has combined the leaves of these trees.
  void has_trees(std::int64_t first, std::int64_t n) { std::fill_n(has_tree_.begin() + first, n, char{1}); }

  /// Into the variables of the program, which count once, and arrays: those of the loop from `result` on.
  template <class... To>
  void finish(loop& all, std::size_t result, const To&... to) {
    finish_all(all, result, values_, to...);
  }

 private:
  template <class Values>
  void make(Values& of) const {
    using T = typename Values::T;
    of.leaves = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(grid_.leaves()));
    of.trees = std::make_unique_for_overwrite<T[]>(has_tree_.size());
    const auto n = product_of({static_cast<std::size_t>(grid_.rows()), shared_.size(), leaf_length});
    if (!n) throw std::bad_alloc{};
    of.shared = std::make_unique_for_overwrite<T[]>(*n);
  }

  /// Contributions of shared leaves become leaves.
  template <class Values>
  void finish_shared(Values& of) const {
    const std::size_t rows = shared_.empty() ? 0 : static_cast<std::size_t>(grid_.rows());
    for (std::size_t i = 0; i < rows * shared_.size(); ++i) {
      const std::int64_t run = shared_[i % shared_.size()];
      const std::int64_t number = static_cast<std::int64_t>(i / shared_.size()) * grid_.runs + run;
      const leaf<D> whole = leaf_at<D>(grid_, number);
      of.leaves[static_cast<std::size_t>(number)] = leaf_of<typename Values::operation>(
          of.shared.get() + i * leaf_length, whole.begin - whole.base, whole.end - whole.base);
    }
  }

  /// Leaves become those trees that no device has brought.
  template <class Values>
  void finish_trees(Values& of) const {
    for (std::size_t tree = 0; tree < has_tree_.size(); ++tree) {
      if (has_tree_[tree] != 0) continue;
      const auto first = static_cast<std::int64_t>(tree) * leaves_of_tree;
      of.trees[tree] = tree_of_leaves<typename Values::operation>(
          of.leaves.get() + first, std::min<std::int64_t>(leaves_of_tree, grid_.leaves() - first));
    }
  }

  void finish_all(loop&, std::size_t, for_reductions<leaf_values>&) const {}
  template <class First, class... Rest>
  void finish_all(loop& loop, std::size_t result, for_reductions<leaf_values, First, Rest...>& all,
                  const First& to, const Rest&... others) const {
    using operation = typename First::operation;
    finish_shared(all.first);
    finish_trees(all.first);
    const auto value = tree_of_leaves<operation>(all.first.trees.get(), std::ssize(has_tree_));
    if (to.into == nullptr) {
      *to.result = operation::combine(value, *to.result);
    } else {
      typename First::value_type element;
      loop.read_result(result, &element);
      element = operation::combine(value, element);
      loop.write_result(result++, &element);
    }
    finish_all(loop, result, all.rest, others...);
  }

  leaf_grid grid_;
  std::vector<std::int64_t> shared_;
  std::vector<char> has_tree_;
  for_reductions<leaf_values, Reductions...> values_;
};

}  // namespace yoke::detail
