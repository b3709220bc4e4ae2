#pragma once
/// How the elements of an array are shared among compute units.
/// Source: HOMP (Yan et al.), Tables 2 to 4.

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace yoke {

/// What lies behind the first or last element of a dimension: nothing, the other end, or what lies as far on
/// this side of that element (A[n] is A[n - 2]).
enum class edge_policy { none, periodic, reflecting };

/// Of one dimension of an array. Made from what is in dist.
class distribution {
 public:
  enum class kind { block, weighted, balanced, duplicate };

  explicit distribution(kind of) : kind_{of} {}
  explicit distribution(std::vector<double> weights)
      : kind_{kind::weighted}, weights_{std::make_shared<const std::vector<double>>(std::move(weights))} {}

  /// Elements of the neighbours that a part has beside its own, below and above.
  distribution halo(int width) const { return halo(width, width); }
  distribution halo(int low, int high) const {
    distribution same = *this;
    same.low_ = low;
    same.high_ = high;
    return same;
  }
  /// What the halo has at the two ends of the dimension; none without this.
  distribution edge(edge_policy both) const { return edge(both, both); }
  distribution edge(edge_policy low, edge_policy high) const {
    distribution same = *this;
    same.at_low_ = low;
    same.at_high_ = high;
    return same;
  }

  bool is_distributed() const { return kind_ != kind::duplicate; }
  /// Of a weighted one.
  std::span<const double> weights() const { return *weights_; }
  kind of() const { return kind_; }
  int low() const { return low_; }
  int high() const { return high_; }
  edge_policy at_low() const { return at_low_; }
  edge_policy at_high() const { return at_high_; }

 private:
  kind kind_;
  int low_ = 0, high_ = 0;
  edge_policy at_low_ = edge_policy::none, at_high_ = edge_policy::none;
  std::shared_ptr<const std::vector<double>> weights_{};
};

namespace dist {

/// A part for each CU, in the order of CUs and as even as can be: the first n mod P are one longer.
inline const distribution block{distribution::kind::block};
/// Parts in proportion to one weight for each CU, GPU CUs last; 0 takes no part.
inline distribution weighted(std::vector<double> weights) { return distribution{std::move(weights)}; }
/// Parts that take equally long, by how long the loops of the program are measured to take: some are timed,
/// and where other cuts promise enough, the next loop moves rows. Arrays of a runtime with equally many rows
/// are cut at the same indices and move together. A part has no rows, or at least as many as the widest halo
/// of these arrays. A unit that does not pay gets none.
inline const distribution balanced{distribution::kind::balanced};
/// All of it in each memory.
inline const distribution duplicate{distribution::kind::duplicate};

inline constexpr edge_policy none = edge_policy::none;
inline constexpr edge_policy periodic = edge_policy::periodic;
inline constexpr edge_policy reflecting = edge_policy::reflecting;

}  // namespace dist

}  // namespace yoke
