#pragma once
/// Verification, SPEC.md §13. Sums go by row, then by k-plane, then in order of k, then of zones, so that the
/// norms have the same bits in every configuration.

#include "constants.hpp"
#include "problem.hpp"

#include <array>
#include <span>
#include <string>

namespace npb {

struct norm_fields;  // norm_rows.hpp
struct norm_rows;

/// Norms of one zone, or of all zones.
struct zone_norms {
  std::array<double, n_components> xcr{};
  std::array<double, n_components> xce{};
  double xci = 0;  ///< LU only

  bool operator==(const zone_norms&) const = default;
};

/// Adds up in order of zones.
zone_norms total_norms(std::span<const zone_norms> zones);

/// xcr and xce of a zone in host memory, and in LU xci; xcr of LU is that of the residual that the last step
/// left.
zone_norms norms_of(benchmark_kind kind, const constants& c, const norm_fields& zone);
/// xcr alone.
std::array<double, n_components> xcr_of(benchmark_kind kind, const constants& c, const norm_fields& zone);

/// The same of a zone whose row sums a device has made; `sums` as norm_rows says.
zone_norms norms_of_sums(const constants& c, const norm_rows& rows, const double* sums);
std::array<double, n_components> xcr_of_sums(const norm_rows& rows, const double* sums);

enum class verification { successful, unsuccessful, not_performed };
/// "SUCCESSFUL", "UNSUCCESSFUL", "NOT PERFORMED"
std::string to_string(verification status);

/// Not performed when the problem has no reference for so many steps. NaN fails.
verification verify(const problem& what, int steps, const zone_norms& totals);

/// Largest relative deviation from a reference, for reports; NaN when a norm is.
double largest_deviation(const reference_norms& reference, const zone_norms& totals);

}  // namespace npb
