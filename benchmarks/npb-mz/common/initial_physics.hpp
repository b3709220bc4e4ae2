#pragma once
/// Initial state and forcing at one point, for the host and for devices. SPEC.md §3, §6 and §7.

#include "physics.hpp"
#include "problem.hpp"

namespace npb {

/// Distance of neighbouring grid points in the local coordinates xi, eta, zeta. In SP and BT it is h; in LU
/// the last point of each zone has coordinate 1.
struct coordinate_steps {
  double x = 0;
  double y = 0;
  double z = 0;
};
NPB_HD coordinate_steps steps_of(benchmark_kind kind, const constants& c, const zone_shape& shape) {
  if (kind != benchmark_kind::lu) return {c.d[0].h, c.d[1].h, c.d[2].h};
  return {1.0 / (shape.nx - 1), 1.0 / (shape.ny - 1), 1.0 / (shape.nz - 1)};
}

/// U at a grid point.
NPB_HD five<double> exact_at(const coordinate_steps& h, int i, int j, int k) {
  return exact_solution(i * h.x, j * h.y, k * h.z);
}

namespace detail {

NPB_HD bool on_face(int l, int n) { return l == 0 || l == n - 1; }

/// 0 and 1 on the two faces of a direction.
NPB_HD double face_coordinate(int l) { return l == 0 ? 0 : 1; }

/// The exact solution on x faces, y faces, z faces, the later one winning, with coordinate 0 or 1 across the
/// face.
NPB_HD five<double> sp_bt_start(const coordinate_steps& h, const zone_shape& s, int i, int j, int k) {
  const double xi = i * h.x, eta = j * h.y, zeta = k * h.z;
  if (on_face(k, s.nz)) return exact_solution(xi, eta, face_coordinate(k));
  if (on_face(j, s.ny)) return exact_solution(xi, face_coordinate(j), zeta);
  if (on_face(i, s.nx)) return exact_solution(face_coordinate(i), eta, zeta);
  return blended_start(xi, eta, zeta);
}

/// The exact solution on the boundary.
NPB_HD five<double> lu_start(const coordinate_steps& h, const zone_shape& s, int i, int j, int k) {
  const bool boundary = on_face(i, s.nx) || on_face(j, s.ny) || on_face(k, s.nz);
  return boundary ? exact_at(h, i, j, k) : blended_start(i * h.x, j * h.y, k * h.z);
}

}  // namespace detail

/// u before the first step: the blend inside.
NPB_HD five<double> start_at(benchmark_kind kind, const coordinate_steps& h, const zone_shape& s, int i,
                             int j, int k) {
  return kind == benchmark_kind::lu ? detail::lu_start(h, s, i, j, k) : detail::sp_bt_start(h, s, i, j, k);
}

/// A Field (physics.hpp) of the exact solution around the point (i, j, k), computed where it is looked at.
class exact_field {
 public:
  YOKE_HD exact_field(const coordinate_steps& h, const zone_shape& s, int i, int j, int k)
      : h_{h}, index_{i, j, k}, extent_{s.nx, s.ny, s.nz} {}

  YOKE_HD five<double> centre() const { return exact_at(h_, index_[0], index_[1], index_[2]); }
  template <int D>
  YOKE_HD five<double> at(int offset) const {
    const int l = index_[D] + offset;
    return moved<D>(l < 0 || l >= extent_[D] ? 0 : offset);
  }
  template <int D>
  YOKE_HD point<double> beside(int offset) const {
    return make_point(moved<D>(offset));
  }
  /// R at this point.
  YOKE_HD five<double> apply(const constants& c, const point<double>& centre) const {
    return spatial_operator(c, index_, extent_, centre, *this);
  }

 private:
  template <int D>
  YOKE_HD five<double> moved(int offset) const {
    return exact_at(h_, index_[0] + (D == 0 ? offset : 0), index_[1] + (D == 1 ? offset : 0),
                    index_[2] + (D == 2 ? offset : 0));
  }

  coordinate_steps h_;
  int index_[3];
  int extent_[3];
};

/// The forcing at an interior point: - R(exact solution) for SP and BT, + R for LU. `exact` is a Field of the
/// exact solution there.
template <class Field>
NPB_HD five<double> forcing_at(benchmark_kind kind, const constants& c, const Field& exact) {
  five<double> r = exact.apply(c, make_point(exact.centre()));
  const double sign = kind == benchmark_kind::lu ? 1 : -1;
  for (int m = 0; m < 5; ++m) r[m] *= sign;
  return r;
}

}  // namespace npb
