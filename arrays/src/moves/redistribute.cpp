#include "../memory/array_state.hpp"
#include "../shapes/distribution_kinds.hpp"
#include "moved_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <list>
#include <memory>
#include <vector>

#include <yoke/detail/array_handle.hpp>
#include <yoke/detail/recorder.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

void move(contents& what, layout shape) {
  if (shape == what.shape()) return;
  std::list<moved_parts> moves;
  moves.emplace_back(what, std::make_shared<const layout>(std::move(shape)));
  move_all(moves, what.context());
}

void check_halos(std::span<const distribution> dims) {
  if (std::ranges::any_of(dims, has_halo_or_edge))
    throw usage_error{
        "redistribute: the distribution has a halo or an edge; those of the array stay as they were made, so "
        "that none are given"};
}

void check_extents(const layout& mine, const layout& other) {
  for (int d = 0; d < 4; ++d) {
    if ((d > 0 && !other.is_cut(d)) || other[d].extent == mine[d].extent) continue;
    throw usage_error{
        fmt::format("redistribute: the other array has {} elements in dimension {}, and this one {}",
                    other[d].extent, d, mine[d].extent)};
  }
}

/// Of as many dimensions, balanced in one of them.
std::vector<distribution> balanced_in(int d, int dimensions) {
  std::vector<distribution> all(static_cast<std::size_t>(dimensions), dist::duplicate);
  all[static_cast<std::size_t>(d)] = dist::balanced;
  return all;
}

}  // namespace

void array_handle::redistribute(std::span<const distribution> dims, const dist::grid* on) const {
  refuse_in_region("redistribute");
  refuse_in_recording("redistribute");
  const std::lock_guard guard{state().context().lock};
  contents& mine = state().usable("redistribute");
  check_halos(dims);
  const int balanced = mine.shape().balanced;
  if (on == nullptr && balanced >= 0 && !mine.shape().follows_rows() &&
      kind_of(dims[static_cast<std::size_t>(balanced)]).is_balanced &&
      std::ranges::count_if(dims, &distribution::is_distributed) == 1)
    return;
  move(mine, redistributed(mine.shape(), dims, on, mine.context()));
}

void array_handle::redistribute(const array_handle& as) const {
  refuse_in_region("redistribute");
  refuse_in_recording("redistribute");
  const std::lock_guard guard{state().context().lock};
  contents& mine = state().usable("redistribute");
  const layout& other = as.state().usable("dist::as").shape();
  if (&as.state().context() != &mine.context())
    throw usage_error{"redistribute: the other array is of another runtime"};
  check_extents(mine.shape(), other);
  if (other.balanced >= 0 && !other.follows_rows())
    return redistribute(balanced_in(other.balanced, mine.shape().dimensions), nullptr);
  move(mine, redistributed(mine.shape(), other));
}

}  // namespace yoke::detail
