#pragma once
/// Bodies of loops that several files run.

#include "points.hpp"

#include <yoke/arrays.hpp>

namespace apps {

struct axpy_kernel {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          double a) const {
    y(at) += a * x(at);
  }
};

/// A sweep of Jacobi's method without the sum of changes.
struct relax_2d_kernel {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old,
                          yoke::view<double, 2> u) const {
    u(at) = relaxed(old(at.i - 1, at.j), old(at.i + 1, at.j), old(at.i, at.j - 1), old(at.i, at.j + 1));
  }
};

}  // namespace apps
