#pragma once
/// Division and roots in kernels.

#include <math.h>

#include <yoke/compiler.hpp>

namespace yoke {

/// 1 / x, with the bits of the division. Requires: 2^-1022 <= |x| < 2^1021; of other x it is of no use.
///
/// CUDA divides like this, and then branches to where the other x are taken care of. The branch costs a dozen
/// instructions and, worse, parts the code around it: nothing moves across. BT-MZ divides six times a row.
YOKE_HD inline double reciprocal(double x) {
#if YOKE_CUDA_PASS
  double y = 0;
  asm("{\n\t"
      ".reg .b32 low, high, unused;\n\t"
      ".reg .f64 approximation;\n\t"
      "mov.b64 {unused, high}, %1;\n\t"
      "add.s32 low, high, 0x300402;\n\t"
      "rcp.approx.ftz.f64 approximation, %1;\n\t"
      "mov.b64 {unused, high}, approximation;\n\t"
      "mov.b64 %0, {low, high};\n\t"
      "}"
      : "=d"(y)
      : "d"(x));
  double error = __fma_rn(-x, y, 1.0);
  y = __fma_rn(y, __fma_rn(error, error, error), y);
  error = __fma_rn(-x, y, 1.0);
  return __fma_rn(y, error, y);
#else
  return 1.0 / x;
#endif
}

/// a / x, with the bits of the division, for x as above and a that leave it and a / x far from the ends of
/// the range.
YOKE_HD inline double quotient(double a, double x) {
#if YOKE_CUDA_PASS
  const double y = reciprocal(x), approximation = a * y;
  return __fma_rn(y, __fma_rn(-x, approximation, a), approximation);
#else
  return a / x;
#endif
}

/// The root of x, with the bits of sqrt. Requires: 2^-970 <= x < 2^1022; the rest of CUDA's sqrt is for
/// others.
YOKE_HD inline double square_root(double x) {
#if YOKE_CUDA_PASS
  double y = 0;  // about 1 / sqrt(x)
  asm("{\n\t"
      ".reg .b32 low, high, unused;\n\t"
      ".reg .f64 approximation;\n\t"
      "mov.b64 {unused, high}, %1;\n\t"
      "add.s32 low, high, 0xfcb00000;\n\t"
      "rsqrt.approx.ftz.f64 approximation, %1;\n\t"
      "mov.b64 {unused, high}, approximation;\n\t"
      "mov.b64 %0, {low, high};\n\t"
      "}"
      : "=d"(y)
      : "d"(x));
  const double error = __fma_rn(x, -(y * y), 1.0);
  y = __fma_rn(__fma_rn(error, 0.375, 0.5), y * error, y);
  const double root = x * y;
  return __fma_rn(__fma_rn(root, -root, x), 0.5 * y, root);
#else
  return ::sqrt(x);
#endif
}

}  // namespace yoke
