#pragma once
/// LU, one time step of one zone, SPEC.md §11.

#include "../common/solver.hpp"
#include "../lu/lu_physics.hpp"
#include "field.hpp"

#include <vector>

namespace npb::reference::lu {

/// What a step works on. The names of the phases are NPB's.
struct ssor_zone {
  constants c;
  npb::lu::sweep_constants k;
  field u;
  constant_field frct;
  field rsd;  ///< carried from step to step
  field v;    ///< 0 on the boundary

  /// Of `fields`, with v of as many doubles, all 0, in `work`.
  ssor_zone(const constants& of, const host_zone& fields, std::vector<double>& work)
      : c{of},
        k{of},
        u{fields.shape, fields.u},
        frct{fields.shape, fields.forcing},
        rsd{fields.shape, fields.residual},
        v{fields.shape, work.data()} {}
};

/// §11.2 (a): v := dt rsd.
void scale(const ssor_zone& z);
/// The sum over d of L_d(p-d) v_{p-d}: of the lower blocks times what the sweep has reached so far. NPB's
/// jacld forms the blocks; a block times a vector costs less.
five<double> jacld(const ssor_zone& z, const index& p);
/// §11.2 (b): the lower triangular sweep.
void blts(const ssor_zone& z);
/// The sum over d of P_d(p+d) v_{p+d}.
five<double> jacu(const ssor_zone& z, const index& p);
/// §11.2 (c): the upper triangular sweep.
void buts(const ssor_zone& z);
/// §11.2 (d): u := u + v / (omega (2 - omega)).
void update(const ssor_zone& z);
/// §11.1, §11.2 (e): rsd = R(u) - frct.
void rhs(const ssor_zone& z);

/// The step: all of the above in this order.
void ssor(const ssor_zone& z);

}  // namespace npb::reference::lu
