#pragma once
/// A number that counts what is done with it.

#include "common/number.hpp"

namespace kernels {

struct operations {
  long flops = 0;
  long divisions = 0;
};

struct counting {
  double value = 0;

  counting() = default;
  counting(double x) : value{x} {}
  /// Physics makes numbers of this type by itself, so that nothing can be handed to them. A counter that each
  /// result takes from its operands loses what is done with constants and zeros alone: 8 of BT's 1667.
  static inline operations done;

  friend counting operator+(counting a, counting b) { return counted(a.value + b.value); }
  friend counting operator-(counting a, counting b) { return counted(a.value - b.value); }
  friend counting operator*(counting a, counting b) { return counted(a.value * b.value); }
  friend counting operator/(counting a, counting b) { return divided(a.value / b.value); }
  /// A sign goes into the operation that uses it.
  friend counting operator-(counting a) { return -a.value; }
  friend counting fma(counting a, counting b, counting c) {
    ++done.flops;
    return counted(npb::fma(a.value, b.value, c.value));
  }
  friend counting sqrt(counting a) { return divided(npb::sqrt(a.value)); }

 private:
  static counting counted(double x) {
    ++done.flops;
    return x;
  }
  static counting divided(double x) {
    ++done.divisions;
    return counted(x);
  }
};

/// What `work` does.
template <class Work>
operations count(const Work& work) {
  counting::done = {};
  work();
  return counting::done;
}

}  // namespace kernels
