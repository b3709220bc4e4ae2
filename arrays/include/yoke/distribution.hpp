#pragma once
/// How the elements of an array are shared among compute units.
/// Source: HOMP (Yan et al.), Tables 2 to 4.

namespace yoke {

/// What lies behind the first or last element of a dimension: nothing, the other end, or what lies as far on
/// this side of that element (A[n] is A[n - 2]).
enum class edge_policy { none, periodic, reflecting };

/// Of one dimension of an array. Made from dist::block or dist::duplicate.
class distribution {
 public:
  enum class kind { block, duplicate };

  constexpr explicit distribution(kind of) : kind_{of} {}

  /// Elements of the neighbours that a part has beside its own, below and above.
  constexpr distribution halo(int width) const { return halo(width, width); }
  constexpr distribution halo(int low, int high) const {
    distribution same = *this;
    same.low_ = low;
    same.high_ = high;
    return same;
  }
  /// What the halo has at the two ends of the dimension; none without this.
  constexpr distribution edge(edge_policy both) const { return edge(both, both); }
  constexpr distribution edge(edge_policy low, edge_policy high) const {
    distribution same = *this;
    same.at_low_ = low;
    same.at_high_ = high;
    return same;
  }

  constexpr kind of() const { return kind_; }
  constexpr int low() const { return low_; }
  constexpr int high() const { return high_; }
  constexpr edge_policy at_low() const { return at_low_; }
  constexpr edge_policy at_high() const { return at_high_; }

 private:
  kind kind_;
  int low_ = 0, high_ = 0;
  edge_policy at_low_ = edge_policy::none, at_high_ = edge_policy::none;
};

namespace dist {

/// A part for each CU, in the order of CUs and as even as can be: the first n mod P are one longer.
inline constexpr distribution block{distribution::kind::block};
/// All of it in each memory.
inline constexpr distribution duplicate{distribution::kind::duplicate};

inline constexpr edge_policy none = edge_policy::none;
inline constexpr edge_policy periodic = edge_policy::periodic;
inline constexpr edge_policy reflecting = edge_policy::reflecting;

}  // namespace dist

}  // namespace yoke
