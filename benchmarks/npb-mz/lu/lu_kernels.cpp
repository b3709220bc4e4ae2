#include "lu_kernels.hpp"

#include "../common/plane_march.hpp"
#include "lu_tile_sweep.hpp"

#include <algorithm>
#include <span>

namespace npb::lu {
namespace {

/// The widest tile that a device has room for is used.
using wide_tile = tile_size<16, 8, 16>;
using narrow_tile = tile_size<8, 8, 4>;

/// Makes the counters of a zone ready for both sweeps.
template <class Tile>
struct reset_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones) const {
    const device_zone zone = zones[at.y];
    const tile_grid<Tile> grid{zone.nx, zone.ny, zone.nz};
    if (at.x < grid.counters()) grid.counters(zone)[at.x] = 0;
  }
};

/// The tiles of a batch, each block the next one: those that must wait come after those they wait for.
template <sweep S, class Tile>
struct sweep_kernel {
  static constexpr int block = Tile::threads;
  using tile = tile_sweep<S, Tile>;
  static constexpr std::size_t shared_bytes = (tile::shared_doubles + 2) * sizeof(double);

  YOKE_HD void operator()(const yoke::block& b, zone_table zones, int n_zones, int z_tiles,
                          sweep_constants k) const {
    const device_zone first = zones[0];
    const tile_grid<Tile> first_grid{first.nx, first.ny, first.nz};
    int* const number = b.shared<int>();
    b.for_each(1, [&](int) {
      *number =
          yoke::take_number(first_grid.counters(first) + (S == sweep::lower ? 0 : first_grid.tiles() + 1));
    });
    const int n = *number / n_zones;
    const tile_place at{n / z_tiles, n % z_tiles};
    const device_zone zone = zones[*number % n_zones];
    const tile_grid<Tile> grid{zone.nx, zone.ny, zone.nz};
    if (at.y < grid.y_tiles && at.z < grid.z_tiles) tile{b, b.shared<double>() + 2, zone, at, k}.run();
  }
};

/// A zone's indices and its residual.
struct lu_zone : zone_view {
  double* rsd;

  YOKE_HD explicit lu_zone(const device_zone& z) : zone_view{z}, rsd{z.residual.get()} {}
};

using march = plane_march<32, 4>;

struct residual_kernel {
  static constexpr int block = march::threads;
  static constexpr int min_blocks = 3;
  YOKE_HD void operator()(const yoke::block& b, zone_table zones, constants c) const {
    const lu_zone z{zones[b.y]};
    march{b, z, c, b.x, b.shared<double>()}.run(
        [&](int i, int j, int k, const point<double>&, const five<double>& r) {
          const std::int64_t here = z.grid_index(i, j, k);
          five<double> forcing{};
          for (int m = 0; m < 5; ++m) forcing[m] = z.forcing[m * z.component + here];
          const five<double> value = residual(r, forcing);
          for (int m = 0; m < 5; ++m) z.rsd[m * z.component + here] = value[m];
        });
  }
};

/// The most tiles in each direction that any zone of a batch has.
template <class Tile>
struct batch_tiles {
  int y = 0, z = 0, counters = 0;

  explicit batch_tiles(std::span<const zone_shape> shapes) {
    for (const zone_shape& s : shapes) {
      const tile_grid<Tile> grid{s.nx, s.ny, s.nz};
      y = std::max(y, grid.y_tiles);
      z = std::max(z, grid.z_tiles);
      counters = std::max(counters, grid.counters());
    }
  }
};

class lu_device_solver final : public device_solver {
 public:
  explicit lu_device_solver(const constants& c) : c_{c}, k_{c} {}

  std::size_t scratch_bytes(const zone_shape& s) const override {
    const tile_grid<wide_tile> wide{s.nx, s.ny, s.nz};
    const tile_grid<narrow_tile> narrow{s.nx, s.ny, s.nz};
    return static_cast<std::size_t>(std::max(wide.doubles(), narrow.doubles())) * sizeof(double);
  }

  /// With the lower sweep: sweeps read inside of zones only, and u changes in the upper one.
  bool begins_before_faces() const override { return true; }
  void begin(const zones_on_device& zones) override {
    if (takes_wide_tiles(zones.device))
      lower_sweep<wide_tile>(zones);
    else
      lower_sweep<narrow_tile>(zones);
  }
  void finish(const zones_on_device& zones) override {
    if (takes_wide_tiles(zones.device))
      launch_sweep<sweep::upper, wide_tile>(zones, "lu: upper sweep");
    else
      launch_sweep<sweep::upper, narrow_tile>(zones, "lu: upper sweep");
    make_residual(zones);
  }

  void make_residual(const zones_on_device& zones) override {
    std::int64_t blocks = 0;
    for (const zone_shape& s : zones.shapes) blocks = std::max(blocks, march::blocks(s.nx, s.ny));
    yoke::launch_blocks<residual_kernel>(zones.device, zones.stream, {blocks, zones.n()}, march::shared_bytes,
                                         "lu: residual", zones.table, c_);
  }

 private:
  static bool takes_wide_tiles(const yoke::device& device) {
    return sweep_kernel<sweep::lower, wide_tile>::shared_bytes <= device.info().shared_memory;
  }
  template <class Tile>
  void lower_sweep(const zones_on_device& zones) const {
    const batch_tiles<Tile> most{zones.shapes};
    yoke::launch<reset_kernel<Tile>>(zones.device, zones.stream, {most.counters, zones.n()}, "lu: reset",
                                     zones.table);
    launch_sweep<sweep::lower, Tile>(zones, "lu: lower sweep");
  }
  template <sweep S, class Tile>
  void launch_sweep(const zones_on_device& zones, const char* name) const {
    using kernel = sweep_kernel<S, Tile>;
    const batch_tiles<Tile> most{zones.shapes};
    yoke::launch_blocks<kernel>(zones.device, zones.stream, {.x = zones.n() * most.y * most.z},
                                kernel::shared_bytes, name, zones.table, static_cast<int>(zones.n()), most.z,
                                k_);
  }

  constants c_;
  sweep_constants k_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<lu_device_solver>(c);
}

}  // namespace npb::lu
