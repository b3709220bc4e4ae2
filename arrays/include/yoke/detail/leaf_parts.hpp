// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Leaves (reduction.hpp) that are cut by parts of the last dimension.

#include <cstdint>
#include <span>
#include <vector>

#include <yoke/box.hpp>

namespace yoke::detail {

/// Indices of dimension 0 within one shared leaf.
struct shared_piece {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t leaf = 0;  ///< its number in the loop
};

/// A unit's part of the last dimension where that is cut: whole leaves, and what it has of shared ones.
struct cut_part {
  bound whole{};
  shared_piece pieces[2];
  int n_pieces = 0;
};

/// Requires: `part` is in `all` and not empty.
cut_part cut_into_leaves(const bound& part, const bound& all);
/// Numbers of the leaves that parts of [begin, end) with these cuts share, each once, in order.
std::vector<std::int64_t> shared_leaves(std::span<const std::int64_t> cuts, const bound& all);
/// Of leaves [begin, end) those of trees that have all of theirs among them; `n`: leaves of the loop.
bound whole_trees(const bound& leaves, std::int64_t n);
/// Errors: out_of_memory.
[[noreturn]] void no_room_for_leaves(std::int64_t n, std::size_t bytes_each);

}  // namespace yoke::detail
