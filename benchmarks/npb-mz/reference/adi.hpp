#pragma once
/// What the steps of SP and BT have in common, SPEC.md §9 and §10: a right-hand side, implicit sweeps along
/// x, y and z, and the update.

#include "../common/solver.hpp"
#include "field.hpp"

#include <vector>

namespace npb::reference {

/// What a step works on. The names of the phases are NPB's.
struct adi_zone {
  constants c;
  field u;  ///< changes in the last phase only
  constant_field forcing;
  field r;  ///< the right-hand side, then the change of u; 0 on the boundary

  /// Of `fields`, with r of as many doubles, all 0, in `work`.
  adi_zone(const constants& of, const host_zone& fields, std::vector<double>& work)
      : c{of},
        u{fields.shape, fields.u},
        forcing{fields.shape, fields.forcing},
        r{fields.shape, work.data()} {}
};

/// r = dt (forcing + R(u)), §9.1 and §10.1.
void compute_rhs(const adi_zone& z);
/// u := u + r, §9.9 and §10.3.
void add(const adi_zone& z);

}  // namespace npb::reference
