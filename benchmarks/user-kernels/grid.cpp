#include "grid.hpp"

#include <cmath>

namespace user_kernels {

namespace {

grid square(kernel what, const char* name, std::int64_t n, std::int64_t halo) {
  const std::int64_t width = n + 2 * halo;
  return {.what = what,
          .name = name,
          .nx = n,
          .ny = 1,
          .layers = n,
          .width = width,
          .layer = width,
          .halo = halo,
          .results_of_layer = what == kernel::row_sums ? 1 : width};
}

grid single(kernel what, const char* name, std::int64_t points) {
  return {.what = what,
          .name = name,
          .nx = 1,
          .ny = 1,
          .layers = points,
          .width = 1,
          .layer = 1,
          .halo = 0,
          .results_of_layer = 1};
}

}  // namespace

std::vector<grid> grids_of(std::int64_t points) {
  const auto side = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(points))));
  const auto edge = static_cast<std::int64_t>(std::lround(std::cbrt(static_cast<double>(points))));
  const std::int64_t width = edge + 2, plane = width * width;
  return {single(kernel::saxpy, "saxpy", points),
          square(kernel::five_points, "5-point stencil", side, 1),
          {.what = kernel::twenty_seven_points,
           .name = "27-point stencil",
           .nx = edge,
           .ny = edge,
           .layers = edge,
           .width = width,
           .layer = plane,
           .halo = 1,
           .results_of_layer = plane},
          square(kernel::row_sums, "sum of each row", side, 0),
          square(kernel::sixty_operations, "60 operations", side, 2),
          square(kernel::called_operations, "60, called", side, 2),
          single(kernel::look_up, "look-up", points)};
}

std::vector<double> table() {
  std::vector<double> all(2 * entries);
  for (std::size_t i = 0; i < entries; ++i) {
    all[i] = 1 + 2.0 * static_cast<double>(i) / entries;
    all[entries + i] = 1 / all[i];
  }
  return all;
}

}  // namespace user_kernels
