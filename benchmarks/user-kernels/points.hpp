#pragma once
/// The mathematics of one point or one row of each kernel, for the plain loops and for Yoke's alike. `Values`
/// is a pointer or a yoke::device_ptr to the array in question.

#include <cstdint>

#include <yoke/compiler.hpp>

namespace user_kernels {

YOKE_HD inline double saxpy(double factor, double x, double y) { return factor * x + y; }

/// Around point i of a grid whose rows are `width` apart.
template <class Values>
YOKE_HD double five_points(const Values& from, std::int64_t i, std::int64_t width) {
  const double sides = (from[i - 1] + from[i + 1]) + (from[i - width] + from[i + width]);
  return from[i] + 0.125 * (sides - 4.0 * from[i]);
}

/// The nine points of a plane around point i: the middle, the four beside it and the four corners, weighed.
template <class Values>
YOKE_HD double nine_points(const Values& from, std::int64_t i, std::int64_t width, double middle,
                           double beside, double corner) {
  const std::int64_t south = i - width, north = i + width;
  const double sides = (from[i - 1] + from[i + 1]) + (from[south] + from[north]);
  const double corners = (from[south - 1] + from[south + 1]) + (from[north - 1] + from[north + 1]);
  return middle * from[i] + (beside * sides + corner * corners);
}

/// Around point i of a grid whose rows are `width` and whose planes are `plane` apart.
template <class Values>
YOKE_HD double twenty_seven_points(const Values& from, std::int64_t i, std::int64_t width,
                                   std::int64_t plane) {
  const double below = nine_points(from, i - plane, width, 0.05, 0.02, 0.01);
  const double above = nine_points(from, i + plane, width, 0.05, 0.02, 0.01);
  return nine_points(from, i, width, 0.5, 0.05, 0.02) + (below + above);
}

/// The sum of squares of the row that begins at `first`, from left to right.
template <class Values>
YOKE_HD double sum_of_squares(const Values& from, std::int64_t first, std::int64_t n) {
  double sum = 0;
  for (std::int64_t x = first; x < first + n; ++x) sum += from[x] * from[x];
  return sum;
}

}  // namespace user_kernels
