#include "norms.hpp"

#include "norm_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace npb {
namespace {

using component_sums = std::array<double, n_components>;

/// Rows of a zone in host memory, made when they are asked for.
struct computed_rows {
  benchmark_kind kind;
  const constants& c;
  const norm_fields& zone;

  five<double> xcr(std::int64_t n) const { return xcr_row(kind, c, zone, n); }
  five<double> xce(std::int64_t n) const { return xce_row(kind, c, zone, n); }
  double xci(std::int64_t n) const { return xci_row(zone, n); }
};

/// Rows that a device has made.
struct stored_rows {
  const norm_rows& rows;
  const double* sums;

  five<double> xcr(std::int64_t n) const { return at(5 * n); }
  five<double> xce(std::int64_t n) const { return at(rows.xce_at() + 5 * n); }
  double xci(std::int64_t n) const { return sums[rows.xci_at() + n]; }

 private:
  five<double> at(std::int64_t n) const {
    five<double> row{};
    std::copy_n(sums + n, n_components, row.c);
    return row;
  }
};

/// Sums row(0), row(1), … plane by plane, of which each has so many rows.
template <class Row>
component_sums sum_of_rows(std::int64_t n_rows, std::int64_t rows_of_plane, const Row& row) {
  component_sums total{};
  for (std::int64_t first = 0; first < n_rows; first += rows_of_plane) {
    component_sums plane{};
    for (std::int64_t n = first; n < first + rows_of_plane; ++n) {
      const five<double> values = row(n);
      for (int m = 0; m < n_components; ++m) plane[m] += values[m];
    }
    for (int m = 0; m < n_components; ++m) total[m] += plane[m];
  }
  return total;
}

/// SPEC.md §13
template <class Rows>
double surface_integral(const constants& c, const norm_rows& n, const Rows& rows) {
  std::int64_t next = 0;
  const auto two_planes = [&](std::int64_t rows_of_plane) {
    double both = 0;
    for (int plane = 0; plane < 2; ++plane) {
      double sum = 0;
      for (std::int64_t row = 0; row < rows_of_plane; ++row) sum += rows.xci(next++);
      both += sum;
    }
    return both;
  };
  const double over_z = two_planes(n.xci_z);
  const double over_y = two_planes(n.shape.nz - 4);
  const double over_x = two_planes(n.shape.nz - 4);
  const double hx = c.d[0].h, hy = c.d[1].h, hz = c.d[2].h;
  return 0.25 * (hx * hy * over_z + hx * hz * over_y + hy * hz * over_x);
}

component_sums root_mean(component_sums sums, const zone_shape& shape) {
  for (double& sum : sums) sum = std::sqrt(sum / static_cast<double>(shape.interior_points()));
  return sums;
}

template <class Rows>
component_sums xcr_from(const norm_rows& n, const Rows& rows) {
  return root_mean(sum_of_rows(n.xcr, n.shape.ny - 2, [&](std::int64_t row) { return rows.xcr(row); }),
                   n.shape);
}

template <class Rows>
zone_norms norms_from(const constants& c, const norm_rows& n, const Rows& rows) {
  zone_norms norms;
  norms.xcr = xcr_from(n, rows);
  norms.xce = root_mean(
      sum_of_rows(n.xce, n.shape.ny - 2 * n.margin, [&](std::int64_t row) { return rows.xce(row); }),
      n.shape);
  if (n.xci > 0) norms.xci = surface_integral(c, n, rows);
  return norms;
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

zone_norms norms_of(benchmark_kind kind, const constants& c, const norm_fields& zone) {
  return norms_from(c, {kind, zone.shape}, computed_rows{kind, c, zone});
}

component_sums xcr_of(benchmark_kind kind, const constants& c, const norm_fields& zone) {
  return xcr_from({kind, zone.shape}, computed_rows{kind, c, zone});
}

zone_norms norms_of_sums(const constants& c, const norm_rows& rows, const double* sums) {
  return norms_from(c, rows, stored_rows{rows, sums});
}

component_sums xcr_of_sums(const norm_rows& rows, const double* sums) {
  return xcr_from(rows, stored_rows{rows, sums});
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
