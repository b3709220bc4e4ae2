#pragma once
/// The rows that the norms of a zone are summed from, for the host and for devices. SPEC.md §13.
///
/// Sums go by row, then by plane, then in order of planes: a device makes the rows, the host does the rest,
/// and the bits are those of the host alone.

#include "field.hpp"
#include "initial_physics.hpp"

#include <cstdint>

namespace npb {

/// The fields of a zone where the caller can read them.
struct norm_fields {
  zone_shape shape;
  const double* u = nullptr;
  const double* forcing = nullptr;
  const double* residual = nullptr;  ///< LU
};

/// How many rows each norm of a zone has.
struct norm_rows {
  zone_shape shape;
  int margin;          ///< of the points that xce counts, from the boundary
  std::int64_t xcr;    ///< interior rows
  std::int64_t xce;    ///< rows of u that count
  std::int64_t xci_z;  ///< rows of cells in each of the two planes across z
  std::int64_t xci;    ///< of all six planes; LU only

  YOKE_HD norm_rows(benchmark_kind kind, const zone_shape& s)
      : shape{s},
        margin{kind == benchmark_kind::lu ? 1 : 0},
        xcr{static_cast<std::int64_t>(s.ny - 2) * (s.nz - 2)},
        xce{static_cast<std::int64_t>(s.ny - 2 * margin) * (s.nz - 2 * margin)},
        xci_z{s.ny - 4},
        xci{kind == benchmark_kind::lu ? 2 * xci_z + 4 * (s.nz - 4) : 0} {}

  /// Sums as a device leaves them: five of each row of xcr, five of each of xce, one of each of xci.
  YOKE_HD std::int64_t xce_at() const { return 5 * xcr; }
  YOKE_HD std::int64_t xci_at() const { return xce_at() + 5 * xce; }
  YOKE_HD std::int64_t size() const { return xci_at() + xci; }
};

namespace detail {

/// Sums squares of value(i) over first <= i < last.
template <class Value>
NPB_HD five<double> row_of_squares(int first, int last, const Value& value) {
  five<double> row{};
  for (int i = first; i < last; ++i) {
    const five<double> x = value(i);
    for (int m = 0; m < 5; ++m) row[m] += x[m] * x[m];
  }
  return row;
}

/// Of cells between rows of points: the sum of p(a) + p(a+1) + p'(a) + p'(a+1), p' being the next row.
template <class Pressure>
NPB_HD double row_of_cells(int first, int last, const Pressure& p) {
  double row = 0;
  for (int a = first; a < last; ++a) row += p(a, 0) + p(a + 1, 0) + p(a, 1) + p(a + 1, 1);
  return row;
}

NPB_HD double pressure_at(const norm_fields& z, int i, int j, int k) {
  return make_point(load(z.u, z.shape, index_of(z.shape, i, j, k))).pressure;
}

}  // namespace detail

/// Row `n` of xcr: of R(u) + forcing in SP and BT, of the residual in LU.
NPB_HD five<double> xcr_row(benchmark_kind kind, const constants& c, const norm_fields& z, std::int64_t n) {
  const zone_shape& s = z.shape;
  const int j = 1 + static_cast<int>(n % (s.ny - 2)), k = 1 + static_cast<int>(n / (s.ny - 2));
  const std::size_t row = index_of(s, 0, j, k);
  return detail::row_of_squares(1, s.nx - 1, [&](int i) {
    if (kind == benchmark_kind::lu) return load(z.residual, s, row + i);
    const array_field w{z.u, s.nx, s.ny, s.nz, i, j, k};
    five<double> r = w.apply(c, make_point(w.centre()));
    const five<double> f = load(z.forcing, s, row + i);
    for (int m = 0; m < 5; ++m) r[m] += f[m];
    return r;
  });
}

/// Row `n` of xce: of u - U.
NPB_HD five<double> xce_row(benchmark_kind kind, const constants& c, const norm_fields& z, std::int64_t n) {
  const int margin = norm_rows{kind, z.shape}.margin, rows = z.shape.ny - 2 * margin;
  const int j = margin + static_cast<int>(n % rows), k = margin + static_cast<int>(n / rows);
  const coordinate_steps h = steps_of(kind, c, z.shape);
  const std::size_t row = index_of(z.shape, 0, j, k);
  return detail::row_of_squares(margin, z.shape.nx - margin, [&](int i) {
    five<double> e = load(z.u, z.shape, row + i);
    const five<double> exact = exact_at(h, i, j, k);
    for (int m = 0; m < 5; ++m) e[m] -= exact[m];
    return e;
  });
}

/// Row `n` of the surface integral of the pressure: of the planes k = 2 and nz - 2, then j = 1 and ny - 3,
/// then i = 1 and nx - 2. The ranges are those of the reference, which are not symmetric.
NPB_HD double xci_row(const norm_fields& z, std::int64_t n) {
  const int nx = z.shape.nx, ny = z.shape.ny, nz = z.shape.nz;
  const int across_z = ny - 4, others = nz - 4;
  if (n < 2 * across_z) {
    const int k = n < across_z ? 2 : nz - 2, j = 1 + static_cast<int>(n % across_z);
    return detail::row_of_cells(1, nx - 2,
                                [&](int i, int next) { return detail::pressure_at(z, i, j + next, k); });
  }
  const int plane = static_cast<int>((n - 2 * across_z) / others);
  const int k = 2 + static_cast<int>((n - 2 * across_z) % others);
  if (plane < 2) {
    const int j = plane == 0 ? 1 : ny - 3;
    return detail::row_of_cells(1, nx - 2,
                                [&](int i, int next) { return detail::pressure_at(z, i, j, k + next); });
  }
  const int i = plane == 2 ? 1 : nx - 2;
  return detail::row_of_cells(1, ny - 3,
                              [&](int j, int next) { return detail::pressure_at(z, i, j, k + next); });
}

}  // namespace npb
