#pragma once
/// Points of a zone by a team of threads.

#include "field.hpp"

namespace npb {

/// for_each_point and for_each_interior_point, planes shared out to so many threads; f(i, j, k, at) writes to
/// its point alone and does not throw.
template <class F>
void for_each_point(const zone_shape& s, int n_threads, F&& f) {
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (int k = 0; k < s.nz; ++k)
    for_each_in_plane(s, k, 0, [&](int i, int j, std::size_t at) { f(i, j, k, at); });
}
template <class F>
void for_each_interior_point(const zone_shape& s, int n_threads, F&& f) {
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (int k = 1; k < s.nz - 1; ++k)
    for_each_in_plane(s, k, 1, [&](int i, int j, std::size_t at) { f(i, j, k, at); });
}

}  // namespace npb
