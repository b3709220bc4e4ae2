#pragma once
/// Verification, SPEC.md §13. Sums go by row, then by k-plane, then in order of k, then of zones, so that the
/// norms have the same bits in every configuration.

#include "constants.hpp"
#include "problem.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace npb {

/// Norms of one zone, or of all zones.
struct zone_norms {
  std::array<double, n_components> xcr{};
  std::array<double, n_components> xce{};
  double xci = 0;  ///< LU only
};

/// Adds up in order of zones.
zone_norms total_norms(std::span<const zone_norms> zones);

/// xcr and xce of a zone of SP or BT from its final state; u and forcing are [5][nz][ny][nx].
zone_norms sp_bt_norms(const constants& c, const zone_shape& shape, const double* u, const double* forcing);

/// Sums of squares of the residual over the interior rows of a zone, [nz-2][ny-2][5]; wherever they are made,
/// each goes from i = 1 to nx - 2.
std::vector<double> residual_row_sums(const zone_shape& shape, const double* residual);
/// xcr of a zone of LU from these sums.
std::array<double, n_components> lu_xcr(const zone_shape& shape, std::span<const double> row_sums);

/// xcr, xce and xci of a zone of LU from its final state and the residual that the last step left.
zone_norms lu_norms(const constants& c, const zone_shape& shape, const double* u, const double* residual);

enum class verification { successful, unsuccessful, not_performed };
/// "SUCCESSFUL", "UNSUCCESSFUL", "NOT PERFORMED"
std::string to_string(verification status);

/// Not performed when the problem has no reference for so many steps. NaN fails.
verification verify(const problem& what, int steps, const zone_norms& totals);

/// Largest relative deviation from a reference, for reports; NaN when a norm is.
double largest_deviation(const reference_norms& reference, const zone_norms& totals);

}  // namespace npb
