#pragma once
/// The constants of SPEC.md §3.

#include "problem.hpp"

namespace npb {

inline constexpr double c1 = 1.4;
inline constexpr double c2 = 0.4;
inline constexpr double c15 = 1.96;
inline constexpr double c34 = 0.1;
inline constexpr double c1345 = 0.196;
inline constexpr double eps4 = 0.25;
/// sqrt(1/2)
inline constexpr double root_half = 0.70710678118654752440;

/// Constants of one direction.
struct direction_constants {
  double h = 0;      ///< mesh width, the same for all zones
  double t1 = 0;     ///< 1 / h^2
  double t2 = 0;     ///< 1 / (2 h)
  double kappa = 0;  ///< c34 / h^2
  double delta = 0;  ///< artificial diffusion
  double dt_t1 = 0;  ///< dt t1
  double dt_t2 = 0;  ///< dt t2

  // Weights of SPEC.md §5 that a GPU would make anew at each point.
  double diffusion = 0;             ///< delta t1
  double viscosity = 0;             ///< of a momentum along its own direction: 4/3 kappa
  double viscosity_at_centre = 0;   ///< -2 (kappa_x + kappa_y + kappa_z + kappa / 3)
  double conduction_at_centre = 0;  ///< -2 kappa
};

/// Trivially copyable: kernels take it as an argument. Directions 0, 1, 2 are x, y, z.
struct constants {
  direction_constants d[3];
  double dt = 0;
};

constants make_constants(const problem& what);

}  // namespace npb
