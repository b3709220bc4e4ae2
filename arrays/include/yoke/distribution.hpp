// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the elements of an array are shared among compute units: one distribution for each dimension, and a
/// grid of units where that is not left to Yoke.
///
///   namespace dist = yoke::dist;
///   yoke::array<double, 2> u{rt, {n, m}, {dist::block.halo(1), dist::duplicate}};              // rows
///   yoke::array<double, 2> v{rt, {n, m}, {dist::duplicate, dist::weighted({1, 1, 20})}};       // columns
///   yoke::array<double, 2> w{rt, {n, m}, {dist::block, dist::cyclic(8)}, dist::grid{2, dist::any}};
///
/// These are values, cheap to copy; the members below return a changed copy. They are checked where an array,
/// a loop or redistribute takes them: what does not fit, with the numbers, is a usage_error then, before
/// anything has moved.
/// Source: HOMP (Yan et al.), Tables 1 to 4; dist::weighted and dist::balanced are ours.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <yoke/cpp20.hpp>
#include <yoke/detail/checked_size.hpp>

namespace yoke {

namespace detail {
struct aligned_dimension;
struct offset_rows;
}  // namespace detail

/// What lies behind the first or last element of a dimension: nothing, the other end, or what lies as far on
/// this side of that element (A[n] is A[n - 2]). It is copied there when the halo is made current, so a loop
/// reads it like an element; nobody owns it, and no loop writes it.
enum class edge_policy { none, periodic, reflecting };

// Every distribution: one line each. A file of arrays/distributions says how it cuts, and dist has the name
// that programs use.
// clang-format off
#define YOKE_FOR_EACH_DISTRIBUTION(use) \
  use(block)                            \
  use(weighted)                         \
  use(balanced)                         \
  use(cyclic)                           \
  use(aligned)                          \
  use(by)                               \
  use(duplicate)
// clang-format on
#define YOKE_ENUMERATOR(name) name,

/// Of one dimension of an array. Made from what is in dist.
class distribution {
 public:
  enum class kind { YOKE_FOR_EACH_DISTRIBUTION(YOKE_ENUMERATOR) };

  explicit distribution(kind of) : kind_{of} {}
  explicit distribution(std::vector<double> weights)
      : kind_{kind::weighted}, weights_{std::make_shared<const std::vector<double>>(std::move(weights))} {}
  /// Null: the other dimension is not cut.
  explicit distribution(std::shared_ptr<const detail::aligned_dimension> with)
      : kind_{with == nullptr ? kind::duplicate : kind::aligned}, aligned_{std::move(with)} {}
  explicit distribution(std::shared_ptr<const detail::offset_rows> rows)
      : kind_{kind::by}, rows_{std::move(rows)} {}

  /// Of block and cyclic: with blocks of so many elements, 1 or more.
  distribution operator()(std::int64_t length) const {
    distribution same = *this;
    same.length_ = length;
    same.has_length_ = true;
    return same;
  }
  /// Follows this dimension of the grid. Distributed dimensions that do not say follow those that are left,
  /// in order.
  distribution along(int dimension_of_grid) const {
    distribution same = *this;
    same.along_ = dimension_of_grid;
    same.has_along_ = true;
    return same;
  }
  /// Elements of the neighbours that a part has beside its own, below and above, where it is cut. A part that
  /// is not empty must be as wide as the halo, also where CPU CUs share memory; dist::cyclic has none. Costs
  /// that much memory on each GPU.
  template <std::integral N>
  distribution halo(N width) const {
    return halo(width, width);
  }
  template <std::integral Low, std::integral High>
  distribution halo(Low low, High high) const {
    distribution same = *this;
    same.low_ = detail::to_index(low);
    same.high_ = detail::to_index(high);
    return same;
  }
  /// What the halo has at the two ends of the dimension, cut or not; none without this. A periodic halo is as
  /// wide as the array at most, a reflecting one narrower. CPU CUs then have memory of their own with room
  /// around it, also of an attached array.
  distribution edge(edge_policy both) const { return edge(both, both); }
  distribution edge(edge_policy low, edge_policy high) const {
    distribution same = *this;
    same.at_low_ = low;
    same.at_high_ = high;
    return same;
  }

  /// False of duplicate, and of what follows a dimension, or rows, that are not cut.
  bool is_distributed() const;
  /// Of a weighted one.
  std::span<const double> weights() const { return *weights_; }
  /// Of an aligned one.
  const detail::aligned_dimension& alignment() const { return *aligned_; }
  /// Of one by offsets.
  const std::shared_ptr<const detail::offset_rows>& rows() const { return rows_; }
  kind of() const { return kind_; }
  bool has_length() const { return has_length_; }
  std::int64_t length() const { return length_; }
  bool has_along() const { return has_along_; }
  int along() const { return along_; }
  std::int64_t low() const { return low_; }
  std::int64_t high() const { return high_; }
  edge_policy at_low() const { return at_low_; }
  edge_policy at_high() const { return at_high_; }

 private:
  kind kind_;
  bool has_length_ = false, has_along_ = false;
  std::int64_t length_ = 0;
  int along_ = 0;
  std::int64_t low_ = 0, high_ = 0;
  edge_policy at_low_ = edge_policy::none, at_high_ = edge_policy::none;
  std::shared_ptr<const std::vector<double>> weights_{};
  std::shared_ptr<const detail::aligned_dimension> aligned_{};
  std::shared_ptr<const detail::offset_rows> rows_{};
};

namespace detail {

/// Row r has the elements [offsets[r], offsets[r + 1]).
struct offset_rows {
  std::vector<std::int64_t> offsets;
  distribution how;  ///< rows are shared
};

}  // namespace detail

inline bool distribution::is_distributed() const {
  return kind_ == kind::by ? rows_->how.is_distributed() : kind_ != kind::duplicate;
}

/// Which CUs: all, those of a kind, or some by number, each once, in any order. Made from what is in dist.
/// Others have no elements and take no part in loops over the array.
class unit_choice {
 public:
  enum class kind { all, cpus, gpus, listed };

  explicit unit_choice(kind of) : kind_{of} {}
  unit_choice(std::initializer_list<int> listed) : kind_{kind::listed}, listed_{listed} {}
  explicit unit_choice(std::vector<int> listed) : kind_{kind::listed}, listed_{std::move(listed)} {}

  kind of() const { return kind_; }
  std::span<const int> listed() const { return listed_; }

 private:
  kind kind_;
  std::vector<int> listed_{};
};

#undef YOKE_ENUMERATOR

namespace dist {

/// A part for each CU, in the order of CUs and as even as can be: the first n mod P are one longer. block(k):
/// of k elements each; the units must have room for all, and the last ones may have fewer or none.
inline const distribution block{distribution::kind::block};
/// Parts in proportion to one weight for each CU, GPU CUs last, on a grid for each of its places in the
/// dimension; 0 takes no part. Weights are 0 or from 1e-200 to 1e200, one of them more than 0. Stays as it
/// is.
inline distribution weighted(std::vector<double> weights) { return distribution{std::move(weights)}; }
/// Parts that take equally long, by how long the loops of the program are measured to take: some are timed,
/// and where other cuts promise enough, the next loop moves elements. Arrays of a runtime with equally many
/// are cut at the same indices and move together. A part has none, or at least as many as the widest halo
/// of these arrays. A unit that does not pay gets none. Not on a grid.
inline const distribution balanced{distribution::kind::balanced};
/// Element i is the unit's with number i mod P; cyclic(k): blocks of k elements go round. Without halos. A
/// loop runs once for each block, and a GPU has room for all between its first and its last element.
inline const distribution cyclic{distribution::kind::cyclic};
/// All of it in each memory. Reads cost nothing then; a loop that writes it is computed in each memory, by
/// the CPU CUs together, so that all stay alike. Of several dimensions, those that are duplicate are not cut.
inline const distribution duplicate{distribution::kind::duplicate};

/// Cut where rows are: a unit that has row r has the elements [offsets[r], offsets[r + 1]), as values and
/// columns of a sparse matrix (CSR) follow its rows. `rows` says how the rows are shared: as other arrays
/// with as many, or along(y, 0). A loop over rows reads such an array beside those of rows, and any element
/// of the unit's rows; one that writes it, or has no other array that is cut, is over its elements. Rows may
/// be empty. Offsets are read here, once, integers of any kind; they begin with 0, do not decrease, and end
/// with the number of elements (usage_error where it is used). Without halos; rows do not go round.
template <std::ranges::contiguous_range Offsets>
  requires std::integral<std::ranges::range_value_t<Offsets>>
distribution by(const Offsets& offsets, const distribution& rows = balanced) {
  std::vector<std::int64_t> all;
  all.reserve(std::ranges::size(offsets));
  for (const auto each : offsets) all.push_back(detail::to_index(each));
  return distribution{std::make_shared<const detail::offset_rows>(detail::offset_rows{std::move(all), rows})};
}

/// For distribution::edge.
inline constexpr edge_policy none = edge_policy::none;
inline constexpr edge_policy periodic = edge_policy::periodic;
inline constexpr edge_policy reflecting = edge_policy::reflecting;

/// For grid::over.
inline const unit_choice all_units{unit_choice::kind::all};
inline const unit_choice cpu_units{unit_choice::kind::cpus};
inline const unit_choice gpus{unit_choice::kind::gpus};
/// By number, in the order of places of a grid: dist::units{3, 4}.
using units = unit_choice;
/// A side of a grid that is as long as the number of units makes it, and as equal to the others.
inline constexpr int any = -1;

/// Units in rows, planes, …: a distributed dimension of an array follows one of the grid, and dimensions of
/// the grid that none follows replicate: each of their places has the same elements. The last one counts
/// fastest. It has 1 to 4 sides, which make exactly as many places as there are units.
///
///   dist::grid{2, dist::any}.over(dist::gpus)
class grid {
 public:
  grid(std::initializer_list<int> sides) : sides_{sides} {}
  explicit grid(std::vector<int> sides) : sides_{std::move(sides)} {}
  /// Of these units; of all without it.
  grid over(unit_choice which) const {
    grid same = *this;
    same.over_ = std::move(which);
    return same;
  }
  std::span<const int> sides() const { return sides_; }
  const unit_choice& over() const { return over_; }

 private:
  std::vector<int> sides_;
  unit_choice over_{unit_choice::kind::all};
};

}  // namespace dist

}  // namespace yoke
