#pragma once
/// Lines of grid points along one direction, for the implicit sweeps of SP and BT.

#include "adi.hpp"

#include <vector>

namespace npb::reference {

/// Points l = 0 .. n - 1 of a line. The two ends are on the boundary: r is 0 there, so that whatever a matrix
/// has in their columns multiplies 0.
struct line {
  std::vector<point<double>> state;  ///< at the start of the step
  std::vector<five<double>> r;       ///< right-hand sides, in whose place the solution comes

  int n() const { return static_cast<int>(r.size()); }
};

/// Point l of the line in direction D that has the indices a and b, a of the faster direction, in the others.
template <int D>
index point_of_line(int l, int a, int b) {
  if constexpr (D == 0) return {l, a, b};
  if constexpr (D == 1) return {a, l, b};
  if constexpr (D == 2) return {a, b, l};
}

/// The line, solved by `solve(line)`: r of the zone is the solution then.
template <int D, class Solve>
void solve_one_line(const adi_zone& z, int n, int a, int b, const Solve& solve) {
  line of;
  for (int l = 0; l < n; ++l) {
    of.state.push_back(make_point(z.u(point_of_line<D>(l, a, b))));
    of.r.push_back(z.r(point_of_line<D>(l, a, b)));
  }
  solve(of);
  for (int l = 1; l <= n - 2; ++l) z.r.set(point_of_line<D>(l, a, b), of.r[static_cast<std::size_t>(l)]);
}

/// All lines in direction D between interior points.
template <int D, class Solve>
void solve_each_line(const adi_zone& z, const Solve& solve) {
  const auto [nx, ny, nz] = z.u.shape();
  const int n = D == 0 ? nx : D == 1 ? ny : nz;
  const int n_a = D == 0 ? ny : nx, n_b = D == 2 ? ny : nz;
  for (int b = 1; b <= n_b - 2; ++b)
    for (int a = 1; a <= n_a - 2; ++a) solve_one_line<D>(z, n, a, b, solve);
}

}  // namespace npb::reference
