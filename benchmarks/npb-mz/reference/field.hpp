#pragma once
/// Fields and points of a zone as SPEC.md §0 writes them, and plain loops over them.

#include "../common/field.hpp"
#include "../common/physics.hpp"

#include <array>
#include <cstddef>

namespace npb::reference {

/// (i, j, k), each from 0; interior points have 1 <= i <= nx - 2 and so on.
using index = std::array<int, 3>;

/// p + d for `by` = 1, p - d for -1.
inline index neighbour(index p, int d, int by) {
  p[static_cast<std::size_t>(d)] += by;
  return p;
}

/// Five components at each point of a zone, in memory of the caller's: [5][nz][ny][nx], x fastest.
template <class Number>
class field_of {
 public:
  field_of(const zone_shape& s, Number* values) : shape_{s}, values_{values} {}

  const zone_shape& shape() const { return shape_; }
  five<double> operator()(const index& p) const { return load(values_, shape_, at(p)); }
  void set(const index& p, const five<double>& x) const { store(values_, shape_, at(p), x); }

  /// R of the field at an interior point, SPEC.md §5.
  five<double> spatial_operator(const constants& c, const index& p) const {
    const array_field around{values_, shape_.nx, shape_.ny, shape_.nz, p[0], p[1], p[2]};
    return around.apply(c, make_point(around.centre()));
  }

 private:
  std::size_t at(const index& p) const { return index_of(shape_, p[0], p[1], p[2]); }

  zone_shape shape_;
  Number* values_;
};
using field = field_of<double>;
using constant_field = field_of<const double>;

/// body(p) for all interior points, i fastest, all three indices ascending.
template <class Body>
void for_each_interior(const zone_shape& s, const Body& body) {
  for (int k = 1; k <= s.nz - 2; ++k)
    for (int j = 1; j <= s.ny - 2; ++j)
      for (int i = 1; i <= s.nx - 2; ++i) body(index{i, j, k});
}
/// The same with all three descending.
template <class Body>
void for_each_interior_backwards(const zone_shape& s, const Body& body) {
  for (int k = s.nz - 2; k >= 1; --k)
    for (int j = s.ny - 2; j >= 1; --j)
      for (int i = s.nx - 2; i >= 1; --i) body(index{i, j, k});
}

}  // namespace npb::reference
