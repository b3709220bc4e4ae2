#pragma once
/// What is computed: grid, zones, time steps and reference values of a class. SPEC.md §1, §2, §14, §15.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace npb {

enum class benchmark_kind { bt, sp, lu };
inline constexpr std::array<benchmark_kind, 3> all_benchmarks{benchmark_kind::bt, benchmark_kind::sp,
                                                              benchmark_kind::lu};
/// Classes in order of size.
inline constexpr std::array<char, 8> all_classes{'S', 'W', 'A', 'B', 'C', 'D', 'E', 'F'};

inline constexpr int n_components = 5;
/// The stencils are defined for at least this many points in every direction.
inline constexpr int smallest_extent = 6;

/// Number of grid points of a zone in each direction. Fields are [5][nz][ny][nx], x fastest.
struct zone_shape {
  int nx = 0;
  int ny = 0;
  int nz = 0;

  constexpr std::size_t points() const { return static_cast<std::size_t>(nx) * ny * nz; }
  constexpr std::size_t interior_points() const {
    return static_cast<std::size_t>(nx - 2) * (ny - 2) * (nz - 2);
  }
  /// Doubles of one field with five components.
  constexpr std::size_t field_size() const { return n_components * points(); }
  friend constexpr bool operator==(const zone_shape&, const zone_shape&) = default;
};

/// One zone and the numbers of its neighbours, periodic in x and y.
struct zone {
  zone_shape shape;
  int west = 0;
  int east = 0;
  int south = 0;
  int north = 0;
};

/// Published norms after `steps` time steps; xci in LU only.
struct reference_norms {
  int steps = 0;
  std::array<double, n_components> xcr{};
  std::array<double, n_components> xce{};
  std::optional<double> xci;
};

/// Coefficients of the nominal operation count W(nx,ny,nz) of a zone and step, SPEC.md §15.
struct mop_coefficients {
  double points = 0;
  double surface = 0;
  double average = 0;
  double constant = 0;
};

struct problem {
  benchmark_kind kind = benchmark_kind::sp;
  std::string name;        ///< "SP-MZ"
  std::string class_name;  ///< "A", or "custom"
  int gx = 0;
  int gy = 0;
  int gz = 0;
  std::vector<int> x_sizes;  ///< widths of the columns of zones
  std::vector<int> y_sizes;
  std::vector<zone> zones;  ///< id = ix + x_sizes.size() * iy
  int niter = 0;
  double dt = 0;
  std::vector<reference_norms> references;  ///< empty for a custom grid; class F has two
  mop_coefficients coefficients;

  /// Nominal 10^6 operations of `steps` time steps of all zones.
  double nominal_mop(int steps) const;
  /// The reference that verifies a run of `steps` time steps.
  const reference_norms* reference_for(int steps) const;
  zone_shape largest_zone() const;
  /// Of each zone: its interior points.
  std::vector<double> weights() const;
};

/// Errors: yoke::config_error for a letter that is no class, with those that are.
problem make_problem(benchmark_kind kind, char class_letter);

/// A grid of the user's own; time step, step count and width ratio are those of `class_letter`.
struct custom_grid {
  int gx = 0;
  int gy = 0;
  int gz = 0;
  int x_zones = 0;
  int y_zones = 0;
};
/// Errors: yoke::config_error when a zone would have fewer than 6 points in a direction, or more than 2^31
/// points in all, naming the zone's size.
problem make_custom_problem(benchmark_kind kind, char class_letter, const custom_grid& grid);

/// "sp", "SP-MZ" and the like.
std::string short_name(benchmark_kind kind);

}  // namespace npb
