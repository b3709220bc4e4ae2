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

// What follows is in functions of three levels, as programs have it; each is `inline` and nothing else.

/// Five points of a row around point i, weighed from the middle outwards.
template <class Values>
YOKE_HD inline double five_of_row(const Values from, std::int64_t i) {
  return 0.1 * from[i] + (0.05 * (from[i - 1] + from[i + 1]) + 0.02 * (from[i - 2] + from[i + 2]));
}
template <class Values>
YOKE_HD inline double square_of_five(const Values from, std::int64_t i, std::int64_t width) {
  const double beside = five_of_row(from, i - width) + five_of_row(from, i + width);
  const double outside = five_of_row(from, i - 2 * width) + five_of_row(from, i + 2 * width);
  return five_of_row(from, i) + 0.5 * (beside + 0.5 * outside);
}
template <class Values>
YOKE_HD inline double slope(const Values from, std::int64_t i, std::int64_t step) {
  const double ahead = from[i + step] - from[i], back = from[i] - from[i - step];
  return 0.5 * (ahead * ahead + back * back) + ahead * back;
}
/// Some sixty operations.
template <class Values>
YOKE_HD inline double sixty_operations(const Values from, std::int64_t i, std::int64_t width) {
  return square_of_five(from, i, width) + 0.02 * (slope(from, i, 1) + slope(from, i, width));
}
/// The same, never compiled into a loop.
template <class Values>
[[gnu::noinline]] YOKE_HD inline double called_operations(const Values from, std::int64_t i,
                                                          std::int64_t width) {
  return square_of_five(from, i, width) + 0.02 * (slope(from, i, 1) + slope(from, i, width));
}

/// The last of n ascending values that is not larger.
template <class Values>
YOKE_HD inline std::int64_t place_of(const Values ascending, std::int64_t n, double value) {
  std::int64_t low = 0, high = n;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (ascending[middle] > value ? high : low) = middle;
  }
  return low;
}
/// Between two entries of a table: n ascending values, then what belongs to them.
template <class Values>
YOKE_HD inline double look_up(const Values table, std::int64_t n, double value) {
  const std::int64_t at = place_of(table, n - 1, value);
  const double part = (value - table[at]) / (table[at + 1] - table[at]);
  return table[n + at] + part * (table[n + at + 1] - table[n + at]);
}

}  // namespace user_kernels
