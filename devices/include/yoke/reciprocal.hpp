// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Division and roots in kernels, with the bits that 1 / x, a / x and sqrt(x) have everywhere.

#include <yoke/vendors.hpp>

namespace yoke {

/// 1 / x, with the bits of the division. Requires: 2^-1022 <= |x| < 2^1021; of other x it is of no use.
///
/// CUDA divides like this, and then branches to where the other x are taken care of. The branch costs a dozen
/// instructions and, worse, parts the code around it: nothing moves across. BT-MZ divides six times a row.
YOKE_HD inline double reciprocal(double x) { return detail::instructions::reciprocal(x); }

/// a / x, with the bits of the division, for x as above and a that leave it and a / x far from the ends of
/// the range.
YOKE_HD inline double quotient(double a, double x) { return detail::instructions::quotient(a, x); }

/// The root of x, with the bits of sqrt. Requires: 2^-970 <= x < 2^1022; the rest of CUDA's sqrt is for
/// others.
YOKE_HD inline double square_root(double x) { return detail::instructions::square_root(x); }

}  // namespace yoke
