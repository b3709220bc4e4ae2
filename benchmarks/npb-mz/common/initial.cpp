#include "initial.hpp"

#include "field.hpp"
#include "physics.hpp"

#include <algorithm>
#include <vector>

namespace npb {
namespace {

/// 0 and 1 on the two faces of a direction, the unclamped coordinate between them.
double face_coordinate(int l, int n, double unclamped) { return l == 0 ? 0 : l == n - 1 ? 1 : unclamped; }

bool on_face(int l, int n) { return l == 0 || l == n - 1; }

five<double> start_at(const coordinate_steps& h, const zone_shape& s, int i, int j, int k) {
  const double xi = i * h.x, eta = j * h.y, zeta = k * h.z;
  if (on_face(k, s.nz)) return exact_solution(xi, eta, face_coordinate(k, s.nz, zeta));
  if (on_face(j, s.ny)) return exact_solution(xi, face_coordinate(j, s.ny, eta), zeta);
  if (on_face(i, s.nx)) return exact_solution(face_coordinate(i, s.nx, xi), eta, zeta);
  return blended_start(xi, eta, zeta);
}

}  // namespace

void sp_bt_initial_state(const constants& c, const zone_shape& shape, double* u) {
  const coordinate_steps h = steps_of(benchmark_kind::sp, c, shape);
  for_each_point(
      shape, [&](int i, int j, int k, std::size_t at) { store(u, shape, at, start_at(h, shape, i, j, k)); });
}

void lu_initial_state(const constants& c, const zone_shape& shape, double* u) {
  const coordinate_steps h = steps_of(benchmark_kind::lu, c, shape);
  for_each_point(shape, [&](int i, int j, int k, std::size_t at) {
    const bool boundary = on_face(i, shape.nx) || on_face(j, shape.ny) || on_face(k, shape.nz);
    const double xi = i * h.x, eta = j * h.y, zeta = k * h.z;
    store(u, shape, at, boundary ? exact_solution(xi, eta, zeta) : blended_start(xi, eta, zeta));
  });
}

void make_forcing(benchmark_kind kind, const constants& c, const zone_shape& shape, double* forcing) {
  const coordinate_steps h = steps_of(kind, c, shape);
  std::vector<double> exact(shape.field_size());
  for_each_point(shape, [&](int i, int j, int k, std::size_t at) {
    store(exact.data(), shape, at, exact_solution(i * h.x, j * h.y, k * h.z));
  });
  std::fill_n(forcing, shape.field_size(), 0.0);
  const double sign = kind == benchmark_kind::lu ? 1 : -1;
  for_each_interior_point(shape, [&](int i, int j, int k, std::size_t at) {
    const array_field w{exact.data(), shape.nx, shape.ny, shape.nz, i, j, k};
    five<double> r = w.apply(c, make_point(w.centre()));
    for (double& component : r.c) component *= sign;
    store(forcing, shape, at, r);
  });
}

}  // namespace npb
