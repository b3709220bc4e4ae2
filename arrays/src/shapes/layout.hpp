#pragma once
/// Which unit has which elements of an array, and what lies around them.

#include "index_set.hpp"
#include "unit_grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <yoke/detail/array_handle.hpp>

namespace yoke::detail {

/// One dimension: extent, halos as declared, and how many elements more than the extent a memory has room for
/// at either end (those that an edge policy gives a value).
struct dimension {
  std::int64_t extent = 1;
  std::int64_t low = 0, high = 0;
  edge_policy at_low = edge_policy::none, at_high = edge_policy::none;

  std::int64_t pad_low() const { return at_low == edge_policy::none ? 0 : low; }
  std::int64_t pad_high() const { return at_high == edge_policy::none ? 0 : high; }
  std::int64_t padded() const { return pad_low() + extent + pad_high(); }
  bound with_pads() const { return {-pad_low(), extent + pad_high()}; }
  /// The element that an index outside of the extent stands for.
  std::int64_t inside(std::int64_t at) const;
  friend bool operator==(const dimension&, const dimension&) = default;
};

struct distribution_kind;

/// How one dimension is cut: which side of the grid it follows, and what the places of that have. Place p has
/// [cuts[p], cuts[p + 1]), or a block of round[p] elements in each round.
struct dimension_cut {
  int grid_side = -1;  ///< not cut
  std::vector<std::int64_t> cuts{};
  std::vector<std::int64_t> round{};
  const distribution_kind* by = nullptr;
  /// Of a dimension whose elements follow rows: where each row begins, and the rows of places.
  std::shared_ptr<const std::vector<std::int64_t>> offsets{};
  std::vector<std::int64_t> row_cuts{};

  bool is_cut() const { return grid_side >= 0; }
  bool goes_round() const { return !round.empty(); }
  bool follows_rows() const { return offsets != nullptr; }
  /// Of elements, or of rows that these follow. Requires: does not go round.
  void cut_at(std::vector<std::int64_t> places);
  /// What a place has of `n` elements. Requires: is cut.
  strip strip_of(int place, std::int64_t n) const;
  /// That which has the element. Requires: is cut.
  int place_of(std::int64_t at) const;
  /// Equal cuts are equal, whatever has made them.
  friend bool operator==(const dimension_cut& a, const dimension_cut& b) {
    return a.grid_side == b.grid_side && a.cuts == b.cuts && a.round == b.round && a.row_cuts == b.row_cuts;
  }
};

/// Elements, and the units that have them: those at places of the grid that differ in sides that nothing
/// follows. In the order of units.
struct cell {
  index_set what;
  std::vector<int> units;
  friend bool operator==(const cell&, const cell&) = default;
};

struct layout {
  int dimensions = 1;
  std::size_t element = 1;  ///< bytes
  std::array<dimension, 4> dims{};
  std::array<dimension_cut, 4> cut{};
  unit_grid grid{};
  int n_cpu_units = 0, n_units = 0;
  int balanced = -1;  ///< the dimension whose cuts may move

  // What follows from these.
  std::vector<cell> cells{};       ///< with elements; no element is in two
  std::vector<int> cell_of{};      ///< of each unit; -1: it has no elements
  std::vector<index_set> parts{};  ///< of each unit

  const dimension& operator[](int d) const { return dims[static_cast<std::size_t>(d)]; }
  const dimension_cut& cut_of(int d) const { return cut[static_cast<std::size_t>(d)]; }
  bool is_cut(int d) const { return cut_of(d).is_cut(); }
  bool is_distributed() const;
  /// Whether a cell is some memory's and another's.
  bool is_replicated() const;
  std::size_t bytes() const;  ///< of all elements, without pads
  any_box all() const;        ///< elements
  bool has_pads() const;
  const index_set& part_of(int unit) const { return parts[static_cast<std::size_t>(unit)]; }
  /// What a unit has along a dimension that is cut: elements, or rows that these follow.
  strip rows_of(int unit, int d) const;
  bool follows_rows() const;
  /// The unit from whose memory others take a unit's elements. Requires: it has some.
  int home_of(int unit) const { return cell_at(unit).units.front(); }
  const cell& cell_at(int unit) const {
    return cells[static_cast<std::size_t>(cell_of[static_cast<std::size_t>(unit)])];
  }
  bool has_elements(int unit) const { return cell_of[static_cast<std::size_t>(unit)] >= 0; }
  friend bool operator==(const layout&, const layout&) = default;
};

/// A dimension that is cut, for another one to be cut alike.
struct aligned_dimension {
  std::shared_ptr<const layout> with;
  int dimension = 0;
  const array_context* of = nullptr;  ///< the other array's runtime
};

/// The elements of CPU CUs, as few sets as there are without much ado.
std::vector<index_set> host_elements(const layout& shape);
/// Indices of a memory whose own ones are in `own`: those that have elements or an edge's value.
any_box box_held_for(const layout& shape, const any_box& own);
/// `on`: null for all units. Errors: usage_error naming what is wrong with extents, distributions, grid or
/// halos.
layout make_layout(const array_shape& shape, std::span<const distribution> dims, const dist::grid* on,
                   array_context& context);
/// Of a loop that is distributed as an array would be that has `bounds`, to the end of int64, and no memory.
layout make_layout_of_loop(const array_shape& bounds, std::span<const distribution> dims,
                           const dist::grid* on, array_context& context);

/// The same with other cuts; halos and edges stay. Errors: usage_error for a halo wider than a part.
layout redistributed(const layout& shape, std::span<const distribution> dims, const dist::grid* on,
                     array_context& context);
/// Cut like another, of which only dimensions that this one has, and with equal extents, are cut.
layout redistributed(const layout& shape, const layout& as);
/// With other cuts of the balanced dimension.
layout cut_anew(const layout& shape, std::vector<std::int64_t> cuts);
/// Dimensions 0 and 1 change places, on the same units; without halos and edges.
layout transposed(const layout& shape);

}  // namespace yoke::detail
