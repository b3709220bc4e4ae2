#include <cmath>
#include <cstdint>

#include <yoke/zone_grid.hpp>

namespace yoke {

std::vector<int> zone_widths(int points, int parts, double ratio) {
  const bool even = std::abs(ratio - 1) <= 1e-10 || parts == 1;
  const double r = even ? 1 : std::exp(std::log(ratio) / (parts - 1));
  const double s = even ? 0 : points * (r - 1) / (std::pow(r, parts) - 1);
  const auto end_of = [&](int t) {
    if (even) return static_cast<int>(static_cast<std::int64_t>(t) * points / parts);
    return static_cast<int>(s * (std::pow(r, t) - 1) / (r - 1) + 0.45);
  };
  std::vector<int> sizes(static_cast<std::size_t>(parts));
  for (int t = 0; t < parts; ++t)
    sizes[static_cast<std::size_t>(t)] = end_of(t + 1) - (t == 0 ? 0 : end_of(t));
  return sizes;
}

workload zones_of(const zone_grid& grid, std::size_t bytes_of_point, std::size_t bytes_of_face_point) {
  const std::vector<int> widths = zone_widths(grid.gx, grid.x_zones, grid.ratio);
  const std::vector<int> heights = zone_widths(grid.gy, grid.y_zones, grid.ratio);
  const auto id = [&](int ix, int iy) {
    return task_id{(ix + grid.x_zones) % grid.x_zones + grid.x_zones * ((iy + grid.y_zones) % grid.y_zones)};
  };
  workload work{.n_tasks = grid.x_zones * grid.y_zones};
  for (int iy = 0; iy < grid.y_zones; ++iy)
    for (int ix = 0; ix < grid.x_zones; ++ix) {
      const auto nx = static_cast<std::size_t>(widths[static_cast<std::size_t>(ix)]);
      const auto ny = static_cast<std::size_t>(heights[static_cast<std::size_t>(iy)]);
      const auto nz = static_cast<std::size_t>(grid.gz);
      work.weights.push_back(static_cast<double>((nx - 2) * (ny - 2) * (nz - 2)));
      work.bytes.push_back(nx * ny * nz * bytes_of_point);
      const std::size_t along_y = (ny - 2) * (nz - 2) * bytes_of_face_point;
      const std::size_t along_x = (nx - 2) * (nz - 2) * bytes_of_face_point;
      const task_id own = id(ix, iy);
      for (const int step : {-1, 1}) {
        work.edges.push_back({own, id(ix + step, iy), along_y});
        work.edges.push_back({own, id(ix, iy + step), along_x});
      }
    }
  return work;
}

}  // namespace yoke
