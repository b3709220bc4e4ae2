#include "lu.hpp"

namespace npb::reference::lu {

using npb::lu::make_block_point, npb::lu::sweep;

void scale(const ssor_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& p) {
    five<double> v = z.rsd(p);
    for (int m = 0; m < 5; ++m) v[m] *= z.c.dt;
    z.v.set(p, v);
  });
}

namespace {

/// The block of direction D of the neighbour p, L_d or P_d, times v there.
template <sweep S, int D>
five<double> block_times_v(const ssor_zone& z, const index& p) {
  const auto at = make_block_point(z.k, z.u(p));
  return npb::lu::block_times<S, D>(z.k, at, npb::lu::make_disturbance(at, z.v(p)), z.v(p));
}

template <sweep S>
five<double> sum_of_blocks(const ssor_zone& z, const index& p) {
  constexpr int by = S == sweep::lower ? -1 : 1;
  return npb::lu::sum_of(block_times_v<S, 0>(z, neighbour(p, 0, by)),
                         block_times_v<S, 1>(z, neighbour(p, 1, by)),
                         block_times_v<S, 2>(z, neighbour(p, 2, by)));
}

}  // namespace

five<double> jacld(const ssor_zone& z, const index& p) { return sum_of_blocks<sweep::lower>(z, p); }
five<double> jacu(const ssor_zone& z, const index& p) { return sum_of_blocks<sweep::upper>(z, p); }

void blts(const ssor_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& p) {
    const five<double> u = z.u(p);
    z.v.set(p, npb::lu::lower_value(z.k, u, make_block_point(z.k, u), z.v(p), 1.0, jacld(z, p)));
  });
}

void buts(const ssor_zone& z) {
  for_each_interior_backwards(z.u.shape(), [&](const index& p) {
    const five<double> u = z.u(p);
    z.v.set(p, npb::lu::upper_value(z.k, u, make_block_point(z.k, u), z.v(p), jacu(z, p)));
  });
}

void update(const ssor_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& p) { z.u.set(p, npb::lu::updated(z.u(p), z.v(p))); });
}

void rhs(const ssor_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& p) {
    z.rsd.set(p, npb::lu::residual(z.u.spatial_operator(z.c, p), z.frct(p)));
  });
}

void ssor(const ssor_zone& z) {
  scale(z);
  blts(z);
  buts(z);
  update(z);
  rhs(z);
}

}  // namespace npb::reference::lu
