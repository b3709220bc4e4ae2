#include "adi.hpp"

namespace npb::reference {

void compute_rhs(const adi_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& p) {
    z.r.set(p, right_hand_side(z.c, z.forcing(p), z.u.spatial_operator(z.c, p)));
  });
}

void add(const adi_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& p) {
    five<double> u = z.u(p);
    const five<double> change = z.r(p);
    for (int m = 0; m < 5; ++m) u[m] += change[m];
    z.u.set(p, u);
  });
}

}  // namespace npb::reference
