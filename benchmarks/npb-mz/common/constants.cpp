#include "constants.hpp"

namespace npb {
namespace {

direction_constants make_direction(double h, double delta, double dt) {
  direction_constants d{.h = h, .t1 = 1 / (h * h), .t2 = 1 / (2 * h), .kappa = c34 / (h * h), .delta = delta};
  d.dt_t1 = dt * d.t1;
  d.dt_t2 = dt * d.t2;
  d.diffusion = d.delta * d.t1;
  d.viscosity = d.kappa * (4.0 / 3.0);
  d.conduction_at_centre = -2 * d.kappa;
  return d;
}

/// Width of the average zone's mesh; LU counts its intervals differently from SP and BT.
double mesh_width(benchmark_kind kind, int points, std::size_t zones) {
  const auto parts = static_cast<double>(zones);
  return kind == benchmark_kind::lu ? 1 / (points / parts - 1) : parts / (points - 1);
}

}  // namespace

constants make_constants(const problem& what) {
  constants c{};
  c.d[0] = make_direction(mesh_width(what.kind, what.gx, what.x_sizes.size()), 0.75, what.dt);
  c.d[1] = make_direction(mesh_width(what.kind, what.gy, what.y_sizes.size()), 0.75, what.dt);
  c.d[2] = make_direction(1.0 / (what.gz - 1), 1.0, what.dt);
  c.dt = what.dt;
  const double kappa = c.d[0].kappa + c.d[1].kappa + c.d[2].kappa;
  for (direction_constants& d : c.d) d.viscosity_at_centre = -2 * (kappa + d.kappa / 3);
  return c;
}

}  // namespace npb
