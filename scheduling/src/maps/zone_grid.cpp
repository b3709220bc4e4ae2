#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <new>

#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>
#include <yoke/zone_grid.hpp>

namespace yoke {

namespace {

/// One to each side.
constexpr std::size_t edges_of_zone = 4;

[[noreturn]] void refuse(const zone_grid& grid, const char* why) {
  throw usage_error{fmt::format("zones_of: {} x {} zones of {} x {} x {} points with ratio {}: {}",
                                grid.x_zones, grid.y_zones, grid.gx, grid.gy, grid.gz, grid.ratio, why)};
}

void check_grid(const zone_grid& grid) {
  if (grid.x_zones < 1 || grid.y_zones < 1) refuse(grid, "there is one zone in each direction, or more");
  if (std::int64_t{grid.x_zones} * grid.y_zones > std::numeric_limits<int>::max())
    refuse(grid, "they are more than an int counts");
  if (!(grid.ratio > 0) || !std::isfinite(grid.ratio)) refuse(grid, "the ratio is finite and above 0");
  if (grid.gx < grid.x_zones || grid.gy < grid.y_zones || grid.gz < 2)
    refuse(grid, "there are too few points");
}

/// All of it at once, so that what does not fit is found before anything is computed.
workload room_for(const zone_grid& grid) {
  workload work{.n_tasks = grid.x_zones * grid.y_zones};
  const auto n = static_cast<std::size_t>(work.n_tasks);
  try {
    work.bytes.reserve(n);
    work.weights.reserve(n);
    work.edges.reserve(edges_of_zone * n);
  } catch (const std::bad_alloc&) {
    refuse(grid, "there is no memory for so many zones");
  }
  return work;
}

/// Points of a zone that are not on its rim.
std::size_t inner(std::size_t points) { return std::max<std::size_t>(points, 2) - 2; }

std::size_t bytes_of_zone(std::size_t nx, std::size_t ny, std::size_t nz, std::size_t each) {
  return detail::bytes_of_elements("zones_of: a zone", std::array{nx, ny, nz}, each);
}

}  // namespace

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
  check_grid(grid);
  const std::vector<int> widths = zone_widths(grid.gx, grid.x_zones, grid.ratio);
  const std::vector<int> heights = zone_widths(grid.gy, grid.y_zones, grid.ratio);
  const auto id = [&](int ix, int iy) {
    return task_id{(ix + grid.x_zones) % grid.x_zones + grid.x_zones * ((iy + grid.y_zones) % grid.y_zones)};
  };
  workload work = room_for(grid);
  for (int iy = 0; iy < grid.y_zones; ++iy)
    for (int ix = 0; ix < grid.x_zones; ++ix) {
      const auto nx = static_cast<std::size_t>(widths[static_cast<std::size_t>(ix)]);
      const auto ny = static_cast<std::size_t>(heights[static_cast<std::size_t>(iy)]);
      const auto nz = static_cast<std::size_t>(grid.gz);
      work.bytes.push_back(bytes_of_zone(nx, ny, nz, bytes_of_point));
      work.weights.push_back(static_cast<double>(inner(nx)) * static_cast<double>(inner(ny)) *
                             static_cast<double>(inner(nz)));
      const std::size_t along_y = bytes_of_zone(1, inner(ny), inner(nz), bytes_of_face_point);
      const std::size_t along_x = bytes_of_zone(inner(nx), 1, inner(nz), bytes_of_face_point);
      const task_id own = id(ix, iy);
      for (const int step : {-1, 1}) {
        work.edges.push_back({own, id(ix + step, iy), along_y});
        work.edges.push_back({own, id(ix, iy + step), along_x});
      }
    }
  return work;
}

}  // namespace yoke
