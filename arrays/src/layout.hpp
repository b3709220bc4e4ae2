#pragma once
/// Which unit has which rows of an array, and what lies around them.

#include "cuts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <yoke/array_handle.hpp>

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
  /// The element that an index outside of the extent stands for.
  std::int64_t inside(std::int64_t at) const;
  friend bool operator==(const dimension&, const dimension&) = default;
};

/// A row is what has one index of dimension 0. Rows of every memory are dimensions 1, 2 and 3 with their
/// pads, without gaps.
struct layout {
  int dimensions = 1;
  std::size_t element = 1;  ///< bytes
  std::array<dimension, 4> dims{};
  bool distributed = false;
  bool balanced = false;           ///< the cuts may move
  std::vector<std::int64_t> cuts;  ///< unit u owns rows [cuts[u], cuts[u + 1]); empty unless distributed

  const dimension& operator[](int d) const { return dims[static_cast<std::size_t>(d)]; }
  /// Elements, from an index of dimension d to the next.
  std::int64_t stride(int d) const;
  std::size_t row_bytes() const { return static_cast<std::size_t>(stride(0)) * element; }
  std::size_t bytes() const;  ///< of all elements, without pads
  bool has_pads() const;
  /// Whether elements of dimensions 1, 2 and 3 have pads.
  bool has_inner_pads() const;
  /// Own rows of a unit, all rows where the array is not distributed.
  bound rows_of(int unit) const;
  /// Whether both have the same elements on the same units.
  bool is_aligned_with(const layout& other) const;
  friend bool operator==(const layout&, const layout&) = default;
};

/// Errors: usage_error naming what is wrong with extents, distributions or halos.
layout make_layout(const array_shape& shape, std::span<const distribution> dims, array_context& context);

/// The same with other cuts; halos and edges stay. Errors: usage_error for a halo wider than a part.
layout redistributed(const layout& shape, const distribution& rows, array_context& context);
layout redistributed(const layout& shape, const layout& as);

}  // namespace yoke::detail
