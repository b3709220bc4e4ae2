#include "array_state.hpp"
#include "moved_parts.hpp"

#include <fmt/format.h>
#include <list>
#include <memory>

#include <yoke/array_handle.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

void move(contents& what, layout shape) {
  if (shape == what.shape()) return;
  std::list<moved_parts> moves;
  moves.emplace_back(what, std::make_shared<const layout>(std::move(shape)));
  move_all(moves, what.context());
}

void check_halos(const distribution& rows) {
  if (rows.low() == 0 && rows.high() == 0 && rows.at_low() == edge_policy::none &&
      rows.at_high() == edge_policy::none)
    return;
  throw usage_error{
      "redistribute: the distribution has a halo or an edge; those of the array stay as they were made, so "
      "that none are given"};
}

}  // namespace

void array_handle::redistribute(const distribution& rows) const {
  refuse_in_region("redistribute");
  const std::lock_guard guard{state().context().lock};
  contents& mine = state().usable("redistribute");
  check_halos(rows);
  if (mine.shape().balanced && rows.of() == distribution::kind::balanced) return;
  move(mine, redistributed(mine.shape(), rows, mine.context()));
}

void array_handle::redistribute(const array_handle& as) const {
  refuse_in_region("redistribute");
  const std::lock_guard guard{state().context().lock};
  contents& mine = state().usable("redistribute");
  const contents& other = as.state().usable("dist::as");
  if (&other.context() != &mine.context())
    throw usage_error{"redistribute: the other array is of another runtime"};
  if (other.shape()[0].extent != mine.shape()[0].extent)
    throw usage_error{
        fmt::format("redistribute: the other array has {} elements in dimension 0, and this one {}",
                    other.shape()[0].extent, mine.shape()[0].extent)};
  if (other.shape().balanced) return redistribute(dist::balanced);
  move(mine, redistributed(mine.shape(), other.shape()));
}

}  // namespace yoke::detail
