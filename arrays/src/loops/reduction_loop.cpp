#include "loop_parts.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

#include <yoke/detail/checked_size.hpp>
#include <yoke/detail/reduction_loop.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Indices of the leaf with this number, as far as the loop has them.
bound leaf_bounds(std::int64_t run, const bound& all) {
  const std::int64_t base = run * leaf_length;
  return {std::max(base, all.begin), all.end - base > leaf_length ? base + leaf_length : all.end};
}

}  // namespace

bool loop::is_on_one_gpu() const {
  return parts_->context.n_units() == 1 && parts_->context.gpus.size() == 1;
}

void loop::read_result(std::size_t use, void* value) const {
  parts_->uses[use].elements->read(static_cast<std::byte*>(value));
}

void loop::write_result(std::size_t use, const void* value) {
  parts_->uses[use].elements->write(static_cast<const std::byte*>(value));
}

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

void no_room_for_leaves(std::int64_t n, std::size_t bytes_each) {
  const std::array factors{static_cast<std::size_t>(n), bytes_each};
  throw out_of_memory{
      fmt::format(
          "a loop with reductions keeps {} bytes on the host for each of its {} leaves (of 1024 indices "
          "along a row, or fewer), {} bytes in all, which are not available; split it into several loops",
          bytes_each, n, product_in_words(factors)),
      product_of(factors).value_or(most_addressable), 0};
}

}  // namespace yoke::detail
