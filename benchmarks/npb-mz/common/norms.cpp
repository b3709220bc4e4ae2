#include "norms.hpp"

#include "field.hpp"
#include "physics.hpp"

#include <cmath>

namespace npb {
namespace {

/// first, first + 1, …, last - 1
struct index_span {
  int first;
  int last;
};

/// Sums squares of value(i, j, k, at) over the points of a row that are `margin` or more from its ends.
template <class F>
five<double> sum_of_row(const zone_shape& shape, int j, int k, int margin, F&& value) {
  five<double> row{};
  for (int i = margin; i < shape.nx - margin; ++i) {
    const five<double> x = value(i, j, k, index_of(shape, i, j, k));
    for (int m = 0; m < n_components; ++m) row[m] += x[m] * x[m];
  }
  return row;
}

/// The same row by row and plane by plane over all points (margin 0) or the interior (margin 1).
template <class F>
std::array<double, n_components> sum_of_squares(const zone_shape& shape, int margin, F&& value) {
  std::array<double, n_components> total{};
  for (int k = margin; k < shape.nz - margin; ++k) {
    std::array<double, n_components> plane{};
    for (int j = margin; j < shape.ny - margin; ++j) {
      const five<double> row = sum_of_row(shape, j, k, margin, value);
      for (int m = 0; m < n_components; ++m) plane[m] += row[m];
    }
    for (int m = 0; m < n_components; ++m) total[m] += plane[m];
  }
  return total;
}

/// Sums of squares of u - U over all points (margin 0) or the interior (margin 1).
std::array<double, n_components> error_sums(benchmark_kind kind, const constants& c, const zone_shape& shape,
                                            int margin, const double* u) {
  const coordinate_steps h = steps_of(kind, c, shape);
  return sum_of_squares(shape, margin, [&](int i, int j, int k, std::size_t at) {
    five<double> e = load(u, shape, at);
    const five<double> exact = exact_solution(i * h.x, j * h.y, k * h.z);
    for (int m = 0; m < n_components; ++m) e[m] -= exact[m];
    return e;
  });
}

/// The sum of p(s,t) + p(s+1,t) + p(s,t+1) + p(s+1,t+1) over the two ranges.
template <class F>
double sum_of_cells(index_span s, index_span t, F&& p) {
  double sum = 0;
  for (int b = t.first; b < t.last; ++b) {
    double row = 0;
    for (int a = s.first; a < s.last; ++a) row += p(a, b) + p(a + 1, b) + p(a, b + 1) + p(a + 1, b + 1);
    sum += row;
  }
  return sum;
}

/// SPEC.md §13; the ranges are those of the reference, which are not symmetric.
double surface_integral(const constants& c, const zone_shape& shape, const double* u) {
  const auto [nx, ny, nz] = shape;
  const auto p = [&](int i, int j, int k) {
    return make_point(load(u, shape, index_of(shape, i, j, k))).pressure;
  };
  const index_span x{1, nx - 2}, y{1, ny - 3}, z{2, nz - 2};
  double over_z = 0, over_y = 0, over_x = 0;
  for (const int k : {2, nz - 2}) over_z += sum_of_cells(x, y, [&](int i, int j) { return p(i, j, k); });
  for (const int j : {1, ny - 3}) over_y += sum_of_cells(x, z, [&](int i, int k) { return p(i, j, k); });
  for (const int i : {1, nx - 2}) over_x += sum_of_cells(y, z, [&](int j, int k) { return p(i, j, k); });
  const double hx = c.d[0].h, hy = c.d[1].h, hz = c.d[2].h;
  return 0.25 * (hx * hy * over_z + hx * hz * over_y + hy * hz * over_x);
}

std::array<double, n_components> root_mean(std::array<double, n_components> sums, const zone_shape& shape) {
  for (double& sum : sums) sum = std::sqrt(sum / static_cast<double>(shape.interior_points()));
  return sums;
}

/// True when |value - reference| <= 1e-8 |reference|; false for NaN.
bool agrees(double value, double reference) {
  constexpr double epsilon = 1e-8;
  return std::abs(value - reference) <= epsilon * std::abs(reference);
}

template <class F>
void for_each_pair(const reference_norms& reference, const zone_norms& totals, F&& f) {
  for (int m = 0; m < n_components; ++m) {
    f(totals.xcr[m], reference.xcr[m]);
    f(totals.xce[m], reference.xce[m]);
  }
  if (reference.xci) f(totals.xci, *reference.xci);
}

}  // namespace

zone_norms total_norms(std::span<const zone_norms> zones) {
  zone_norms total;
  for (const zone_norms& z : zones) {
    for (int m = 0; m < n_components; ++m) {
      total.xcr[m] += z.xcr[m];
      total.xce[m] += z.xce[m];
    }
    total.xci += z.xci;
  }
  return total;
}

zone_norms sp_bt_norms(const constants& c, const zone_shape& shape, const double* u, const double* forcing) {
  zone_norms norms;
  norms.xcr = root_mean(sum_of_squares(shape, 1,
                                       [&](int i, int j, int k, std::size_t at) {
                                         const array_field w{u, shape.nx, shape.ny, shape.nz, i, j, k};
                                         five<double> r = w.apply(c, make_point(w.centre()));
                                         const five<double> f = load(forcing, shape, at);
                                         for (int m = 0; m < n_components; ++m) r[m] += f[m];
                                         return r;
                                       }),
                        shape);
  norms.xce = root_mean(error_sums(benchmark_kind::sp, c, shape, 0, u), shape);
  return norms;
}

std::vector<double> residual_row_sums(const zone_shape& shape, const double* residual) {
  std::vector<double> sums;
  sums.reserve(static_cast<std::size_t>(shape.ny - 2) * (shape.nz - 2) * n_components);
  for (int k = 1; k < shape.nz - 1; ++k)
    for (int j = 1; j < shape.ny - 1; ++j) {
      const five<double> row = sum_of_row(
          shape, j, k, 1, [&](int, int, int, std::size_t at) { return load(residual, shape, at); });
      sums.insert(sums.end(), row.c, row.c + n_components);
    }
  return sums;
}

std::array<double, n_components> lu_xcr(const zone_shape& shape, std::span<const double> row_sums) {
  std::array<double, n_components> total{};
  const double* row = row_sums.data();
  for (int k = 1; k < shape.nz - 1; ++k) {
    std::array<double, n_components> plane{};
    for (int j = 1; j < shape.ny - 1; ++j)
      for (int m = 0; m < n_components; ++m) plane[m] += *row++;
    for (int m = 0; m < n_components; ++m) total[m] += plane[m];
  }
  return root_mean(total, shape);
}

zone_norms lu_norms(const constants& c, const zone_shape& shape, const double* u, const double* residual) {
  zone_norms norms;
  norms.xcr = lu_xcr(shape, residual_row_sums(shape, residual));
  norms.xce = root_mean(error_sums(benchmark_kind::lu, c, shape, 1, u), shape);
  norms.xci = surface_integral(c, shape, u);
  return norms;
}

std::string to_string(verification status) {
  switch (status) {
    case verification::successful:
      return "SUCCESSFUL";
    case verification::unsuccessful:
      return "UNSUCCESSFUL";
    case verification::not_performed:
      break;
  }
  return "NOT PERFORMED";
}

verification verify(const problem& what, int steps, const zone_norms& totals) {
  const reference_norms* reference = what.reference_for(steps);
  if (reference == nullptr) return verification::not_performed;
  bool good = true;
  for_each_pair(*reference, totals,
                [&](double value, double expected) { good = good && agrees(value, expected); });
  return good ? verification::successful : verification::unsuccessful;
}

double largest_deviation(const reference_norms& reference, const zone_norms& totals) {
  double largest = 0;
  for_each_pair(reference, totals, [&](double value, double expected) {
    const double deviation = std::abs(value - expected) / std::abs(expected);
    if (!std::isnan(largest) && !(deviation <= largest)) largest = deviation;
  });
  return largest;
}

}  // namespace npb
