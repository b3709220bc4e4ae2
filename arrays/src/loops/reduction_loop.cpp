#include "loop_parts.hpp"

#include <algorithm>
#include <vector>

#include <yoke/detail/reduction_loop.hpp>

namespace yoke::detail {

namespace {

/// Indices of the leaf with this number, as far as the loop has them.
bound leaf_bounds(std::int64_t run, const bound& all) {
  return {std::max(run * leaf_length, all.begin), std::min((run + 1) * leaf_length, all.end)};
}

}  // namespace

cut_part cut_into_leaves(const bound& part, const bound& all) {
  cut_part cut;
  const std::int64_t origin = run_of(all.begin);
  std::int64_t begin = part.begin, end = part.end;
  if (const bound first = leaf_bounds(run_of(begin), all); first.begin < begin || first.end > end) {
    const std::int64_t last = std::min(first.end, end);
    cut.pieces[cut.n_pieces++] = {begin, last, run_of(begin) - origin};
    begin = last;
  }
  if (begin < end) {
    if (const bound last = leaf_bounds(run_of(end - 1), all); last.end > end) {
      cut.pieces[cut.n_pieces++] = {last.begin, end, run_of(end - 1) - origin};
      end = last.begin;
    }
  }
  cut.whole = {begin, end};
  return cut;
}

std::vector<std::int64_t> shared_leaves(std::span<const std::int64_t> cuts, const bound& all) {
  std::vector<std::int64_t> shared;
  for (const std::int64_t cut : cuts) {
    if (cut <= all.begin || cut >= all.end || cut % leaf_length == 0) continue;
    const std::int64_t leaf = run_of(cut) - run_of(all.begin);
    if (shared.empty() || shared.back() != leaf) shared.push_back(leaf);
  }
  return shared;
}

bound whole_trees(const bound& leaves, std::int64_t n) {
  const std::int64_t first = (leaves.begin + leaves_of_tree - 1) / leaves_of_tree * leaves_of_tree;
  const std::int64_t last = leaves.end == n ? n : leaves.end / leaves_of_tree * leaves_of_tree;
  return first < last ? bound{first, last} : bound{leaves.end, leaves.end};
}

}  // namespace yoke::detail
