#pragma once
/// Loops over the points of a zone and access to fields [5][nz][ny][nx].

#include "number.hpp"
#include "problem.hpp"

#include <cstddef>

namespace npb {

NPB_HD std::size_t index_of(const zone_shape& s, int i, int j, int k) {
  return static_cast<std::size_t>(i) +
         static_cast<std::size_t>(s.nx) * (j + static_cast<std::size_t>(s.ny) * k);
}

NPB_HD five<double> load(const double* field, const zone_shape& s, std::size_t at) {
  five<double> value{};
  for (int m = 0; m < n_components; ++m) value[m] = field[m * s.points() + at];
  return value;
}
NPB_HD void store(double* field, const zone_shape& s, std::size_t at, const five<double>& value) {
  for (int m = 0; m < n_components; ++m) field[m * s.points() + at] = value[m];
}

/// Calls f(i, j, at) for the points of plane k that are `margin` or more away from the faces, i fastest.
template <class F>
void for_each_in_plane(const zone_shape& s, int k, int margin, F&& f) {
  for (int j = margin; j < s.ny - margin; ++j)
    for (int i = margin; i < s.nx - margin; ++i) f(i, j, index_of(s, i, j, k));
}
/// Calls f(i, j, k, at) for all points, i fastest.
template <class F>
void for_each_point(const zone_shape& s, F&& f) {
  for (int k = 0; k < s.nz; ++k)
    for_each_in_plane(s, k, 0, [&](int i, int j, std::size_t at) { f(i, j, k, at); });
}
template <class F>
void for_each_interior_point(const zone_shape& s, F&& f) {
  for (int k = 1; k < s.nz - 1; ++k)
    for_each_in_plane(s, k, 1, [&](int i, int j, std::size_t at) { f(i, j, k, at); });
}

}  // namespace npb
