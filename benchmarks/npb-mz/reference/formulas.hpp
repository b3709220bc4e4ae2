#pragma once
/// The formulas of SPEC.md §0 to §5, as plainly as they stand there. Nothing here is used by a solver, and
/// nothing of the solvers' physics is used here: tests compare the two. Components count from 0, directions
/// are 0, 1, 2.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace npb::formulas {

using vector5 = std::array<double, 5>;
using matrix5 = std::array<vector5, 5>;

inline constexpr double c1 = 1.4, c2 = 0.4, c34 = 0.1, c15 = 1.96, c1345 = 0.196, eps4 = 0.25;
inline constexpr double delta[3] = {0.75, 0.75, 1.0};

/// SPEC.md §4.
inline double exact(int m, double xi, double eta, double zeta) {
  constexpr double c[5][13] = {{2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
                               {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
                               {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
                               {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
                               {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}};
  double value = c[m][0];
  for (int power = 1; power <= 4; ++power)
    value += c[m][3 * power - 2] * std::pow(xi, power) + c[m][3 * power - 1] * std::pow(eta, power) +
             c[m][3 * power] * std::pow(zeta, power);
  return value;
}

/// Values at a point, SPEC.md §0.
struct values {
  double v[3];           ///< V_2, V_3, V_4
  double kinetic, q, e;  ///< Q, q, e

  explicit values(const vector5& w)
      : v{w[1] / w[0], w[2] / w[0], w[3] / w[0]},
        kinetic{(w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / (2 * w[0])},
        q{kinetic / w[0]},
        e{w[4] / w[0]} {}
  double sound() const { return std::sqrt(c1 * c2 * (e - q)); }
};

/// g_m: 4/3 along the direction.
inline double g(int d, int m) { return m == d + 1 ? 4.0 / 3.0 : 1.0; }

/// F^d, SPEC.md §5.
inline vector5 flux(int d, const vector5& w) {
  const values at{w};
  const double vn = at.v[d];
  vector5 f{w[static_cast<std::size_t>(d) + 1], w[1] * vn, w[2] * vn, w[3] * vn,
            (c1 * w[4] - c2 * at.kinetic) * vn};
  f[static_cast<std::size_t>(d) + 1] += c2 * (w[4] - at.kinetic);
  return f;
}

/// What the viscosity of direction d takes the second difference of, divided by 1/h^2: c34 times it.
inline vector5 viscous(int d, const vector5& w) {
  const values at{w};
  vector5 f{};
  for (int m = 1; m < 4; ++m) f[static_cast<std::size_t>(m)] = c34 * g(d, m) * at.v[m - 1];
  f[4] = c34 * ((1 - c15) * at.q + at.v[d] * at.v[d] / 6 + c15 * at.e);
  return f;
}

/// Row l of D4 on a line of n points: the weights of l-2 .. l+2. SPEC.md §5.
inline std::array<double, 5> fourth_difference(int l, int n) {
  if (l == 1) return {0, 0, 5, -4, 1};
  if (l == 2) return {0, -4, 6, -4, 1};
  if (l == n - 3) return {1, -4, 6, -4, 0};
  if (l == n - 2) return {1, -4, 5, 0, 0};
  return {1, -4, 6, -4, 1};
}

struct grid {
  int n[3];
  double h[3];

  std::size_t points() const { return static_cast<std::size_t>(n[0]) * n[1] * n[2]; }
  std::size_t stride(int d) const {
    return d == 0 ? 1 : d == 1 ? static_cast<std::size_t>(n[0]) : static_cast<std::size_t>(n[0]) * n[1];
  }
  template <class Body>
  void interior(const Body& body) const {
    for (int k = 1; k < n[2] - 1; ++k)
      for (int j = 1; j < n[1] - 1; ++j)
        for (int i = 1; i < n[0] - 1; ++i)
          body(std::array<int, 3>{i, j, k}, i + j * stride(1) + k * stride(2));
  }
};

/// Fields are [5][nz][ny][nx].
inline vector5 load(const std::vector<double>& field, const grid& on, std::size_t at) {
  vector5 w{};
  for (std::size_t m = 0; m < 5; ++m) w[m] = field[m * on.points() + at];
  return w;
}

/// R at an interior point, SPEC.md §5, term by term.
inline vector5 spatial_operator(const std::vector<double>& w, const grid& on, const std::array<int, 3>& index,
                                std::size_t at) {
  vector5 r{};
  for (int d = 0; d < 3; ++d) {
    const std::size_t step = on.stride(d);
    const vector5 here = load(w, on, at), below = load(w, on, at - step), above = load(w, on, at + step);
    const vector5 f_below = flux(d, below), f_above = flux(d, above);
    const vector5 s = viscous(d, here), s_below = viscous(d, below), s_above = viscous(d, above);
    const double t1 = 1 / (on.h[d] * on.h[d]), t2 = 1 / (2 * on.h[d]);
    const auto d4 = fourth_difference(index[static_cast<std::size_t>(d)], on.n[d]);
    for (std::size_t m = 0; m < 5; ++m) {
      r[m] -= t2 * (f_above[m] - f_below[m]);
      r[m] += delta[d] * t1 * (above[m] - 2 * here[m] + below[m]);
      r[m] += t1 * (s_above[m] - 2 * s[m] + s_below[m]);
      for (int l = 0; l < 5; ++l)
        if (d4[static_cast<std::size_t>(l)] != 0)
          r[m] -= eps4 * d4[static_cast<std::size_t>(l)] * w[m * on.points() + at + l * step - 2 * step];
    }
  }
  return r;
}

}  // namespace npb::formulas
