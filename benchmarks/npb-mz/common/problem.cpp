#include "problem.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include <yoke/error.hpp>
#include <yoke/zone_grid.hpp>

namespace npb {

/// classes.json, put into the binary by CMake.
extern const char* const classes_json;

namespace {

using nlohmann::json;

const json& class_table() {
  static const json table = json::parse(classes_json);
  return table;
}

const json& entry_of(benchmark_kind kind) { return class_table().at("benchmarks").at(short_name(kind)); }

const json& class_of(benchmark_kind kind, char letter) {
  const json& classes = entry_of(kind).at("classes");
  const auto found = classes.find(std::string(1, letter));
  if (found == classes.end())
    throw yoke::config_error{fmt::format("class '{}': no such class; one of S, W, A, B, C, D, E, F", letter)};
  return *found;
}

reference_norms read_reference(const json& from, int steps) {
  reference_norms reference;
  reference.steps = steps;
  from.at("xcrref").get_to(reference.xcr);
  from.at("xceref").get_to(reference.xce);
  if (from.contains("xciref")) reference.xci = from.at("xciref").get<double>();
  return reference;
}

std::vector<zone> make_zones(const problem& p) {
  const int columns = static_cast<int>(p.x_sizes.size());
  const int rows = static_cast<int>(p.y_sizes.size());
  const auto id = [&](int ix, int iy) { return (ix + columns) % columns + columns * ((iy + rows) % rows); };
  std::vector<zone> zones;
  zones.reserve(static_cast<std::size_t>(columns) * rows);
  for (int iy = 0; iy < rows; ++iy)
    for (int ix = 0; ix < columns; ++ix)
      zones.push_back({.shape = {p.x_sizes[ix], p.y_sizes[iy], p.gz},
                       .west = id(ix - 1, iy),
                       .east = id(ix + 1, iy),
                       .south = id(ix, iy - 1),
                       .north = id(ix, iy + 1)});
  return zones;
}

/// Everything but references, for a grid that need not be the class's own.
problem make_on_grid(benchmark_kind kind, const json& from, const custom_grid& grid) {
  problem p;
  p.kind = kind;
  p.gx = grid.gx;
  p.gy = grid.gy;
  p.gz = grid.gz;
  const json& entry = entry_of(kind);
  entry.at("name").get_to(p.name);
  const json& mop = entry.at("mop_coefficients");
  p.coefficients = {mop.at("points"), mop.at("surface"), mop.at("average"), mop.at("constant")};
  p.x_sizes = yoke::zone_widths(grid.gx, grid.x_zones, from.at("ratio"));
  p.y_sizes = yoke::zone_widths(grid.gy, grid.y_zones, from.at("ratio"));
  from.at("niter").get_to(p.niter);
  from.at("dt").get_to(p.dt);
  p.zones = make_zones(p);
  return p;
}

void check_grid(const custom_grid& g) {
  const auto refuse = [&](const std::string& why) {
    throw yoke::config_error{
        fmt::format("grid {}x{}x{} in {}x{} zones: {}", g.gx, g.gy, g.gz, g.x_zones, g.y_zones, why)};
  };
  if (g.x_zones < 1 || g.y_zones < 1) refuse("at least one zone is needed in each direction");
  if (g.gx < smallest_extent || g.gy < smallest_extent || g.gz < smallest_extent)
    refuse(fmt::format("at least {} points are needed in each direction", smallest_extent));
  if (g.x_zones > g.gx / smallest_extent || g.y_zones > g.gy / smallest_extent)
    refuse(fmt::format("zones would be about {}x{}x{}; each needs at least {} points in each direction",
                       g.gx / g.x_zones, g.gy / g.y_zones, g.gz, smallest_extent));
}

void check_zones(const problem& p) {
  for (const zone& z : p.zones) {
    const auto [nx, ny, nz] = z.shape;
    if (std::min({nx, ny, nz}) < smallest_extent)
      throw yoke::config_error{fmt::format(
          "grid {}x{}x{} in {}x{} zones: a zone would be {}x{}x{}; each needs at least {} points in "
          "each direction",
          p.gx, p.gy, p.gz, p.x_sizes.size(), p.y_sizes.size(), nx, ny, nz, smallest_extent)};
    if (z.shape.points() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw yoke::config_error{fmt::format("zone {}x{}x{}: more than 2^31 points", nx, ny, nz)};
  }
}

}  // namespace

std::string short_name(benchmark_kind kind) {
  constexpr std::array names{"bt", "sp", "lu"};
  return names[static_cast<std::size_t>(kind)];
}

problem make_problem(benchmark_kind kind, char class_letter) {
  const json& from = class_of(kind, class_letter);
  problem p = make_on_grid(
      kind, from, {from.at("gx"), from.at("gy"), from.at("gz"), from.at("x_zones"), from.at("y_zones")});
  p.class_name = class_letter;
  p.references.push_back(read_reference(from, p.niter));
  if (from.contains("reduced_run")) {
    const json& reduced = from.at("reduced_run");
    p.references.push_back(read_reference(reduced, reduced.at("niter")));
  }
  return p;
}

problem make_custom_problem(benchmark_kind kind, char class_letter, const custom_grid& grid) {
  const json& from = class_of(kind, class_letter);
  check_grid(grid);
  problem p = make_on_grid(kind, from, grid);
  p.class_name = "custom";
  check_zones(p);
  return p;
}

std::vector<double> problem::weights() const {
  std::vector<double> all;
  for (const zone& z : zones) all.push_back(static_cast<double>(z.shape.interior_points()));
  return all;
}

double problem::nominal_mop(int steps) const {
  double sum = 0;
  for (const zone& z : zones) {
    const double nx = z.shape.nx, ny = z.shape.ny, nz = z.shape.nz;
    sum += coefficients.points * (nx * ny * nz) + coefficients.surface * ((nx * ny + nx * nz + ny * nz) / 3) +
           coefficients.average * ((nx + ny + nz) / 3) + coefficients.constant;
  }
  return steps * 1e-6 * sum;
}

const reference_norms* problem::reference_for(int steps) const {
  const auto found = std::ranges::find(references, steps, &reference_norms::steps);
  return found == references.end() ? nullptr : &*found;
}

zone_shape problem::largest_zone() const {
  return {*std::ranges::max_element(x_sizes), *std::ranges::max_element(y_sizes), gz};
}

}  // namespace npb
