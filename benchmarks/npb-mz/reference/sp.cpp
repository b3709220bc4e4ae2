#include "sp.hpp"

#include "../sp/sp_physics.hpp"

namespace npb::reference::sp {

using npb::sp::sound_speed;

void txinvr(const adi_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& at) {
    const point<double> p = make_point(z.u(at));
    z.r.set(at, npb::sp::txinvr(p, sound_speed(p), z.r(at)));
  });
}

void ninvr(const adi_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& at) { z.r.set(at, npb::sp::ninvr(z.r(at))); });
}

void pinvr(const adi_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& at) { z.r.set(at, npb::sp::pinvr(z.r(at))); });
}

void tzetar(const adi_zone& z) {
  for_each_interior(z.u.shape(), [&](const index& at) {
    const point<double> p = make_point(z.u(at));
    z.r.set(at, npb::sp::tzetar(p, sound_speed(p), z.r(at)));
  });
}

void adi(const adi_zone& z) {
  compute_rhs(z);
  txinvr(z);
  x_solve(z);
  ninvr(z);
  y_solve(z);
  pinvr(z);
  z_solve(z);
  tzetar(z);
  add(z);
}

}  // namespace npb::reference::sp
