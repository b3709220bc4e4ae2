#pragma once
/// The few operations that the physics asks of its number type: double here, packs of lanes in pack.hpp.
/// Contraction is off in the whole project: a fused multiply-add happens only where fma is written, so that
/// scalars, packs and GPU threads round alike.

#include <math.h>

#include <yoke/kernel.hpp>
#include <yoke/reciprocal.hpp>

/// The physics is many small functions around one loop; a call among them would spill every register.
#define NPB_HD YOKE_HD inline __attribute__((always_inline))
/// Before a loop that must leave no array indexed by its counter: elements of 5x5 blocks belong in registers.
#define NPB_UNROLL _Pragma("unroll")

namespace npb {

/// a b + c, rounded once.
NPB_HD double fma(double a, double b, double c) { return ::fma(a, b, c); }
NPB_HD double reciprocal(double x) { return yoke::reciprocal(x); }
template <class T>
NPB_HD T reciprocal(const T& x) {
  return T(1.0) / x;
}
/// a / b, neither near the ends of the range.
NPB_HD double quotient(double a, double b) { return yoke::quotient(a, b); }
template <class T>
NPB_HD T quotient(const T& a, const T& b) {
  return a / b;
}
NPB_HD double sqrt(double x) { return yoke::square_root(x); }

/// The five components at a point: density, three momenta, energy; index 0..4.
template <class T>
struct five {
  T c[5];
  NPB_HD T& operator[](int m) { return c[m]; }
  NPB_HD const T& operator[](int m) const { return c[m]; }
};

}  // namespace npb
