#include "sp_kernels.hpp"

#include "../common/zone_kernels.hpp"
#include "sp_chip_plane.hpp"
#include "sp_line_solve.hpp"
#include "sp_tiles.hpp"

#include <algorithm>
#include <type_traits>

namespace npb::sp {
namespace {

struct rhs_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x >= z.interior) return;
    const rhs_value here = compute_rhs(z, c, at.x);
    z.store_r(at.x, txinvr(here.p, sound_speed(here.p), here.r));
  }
};

/// Right-hand side, x and y sweeps with their transformations, a plane at a time on chip.
template <int Threads, int Blocks>
struct planes_kernel {
  static constexpr int block = Threads;
  static constexpr int min_blocks = Blocks;

  YOKE_HD void operator()(const yoke::block& b, zone_table zones, constants c) const {
    const zone_view z{zones[b.y]};
    const int k = 1 + static_cast<int>(b.x);
    if (k > z.nz - 2) return;
    const chip_plane plane{b, z, c, k};
    plane.load();
    plane.make_right_hand_side();
    plane.solve_x();
    plane.turn();
    plane.solve_y();
    plane.store();
  }
};

// The right-hand side takes a hundred registers.
using small_planes = planes_kernel<256, yoke::large_blocks_spill ? 1 : 2>;
using large_planes = std::conditional_t<yoke::large_blocks_spill, small_planes, planes_kernel<640, 1>>;

/// A sweep with its transformation, tile by tile on chip.
template <int D>
struct sweep_kernel {
  static constexpr int block = 256;
  static constexpr int min_blocks = 2;
  static_assert(block >= line_tile<D>::least_threads);

  YOKE_HD void operator()(const yoke::block& b, zone_table zones, constants c, int lines) const {
    const zone_view z{zones[b.y]};
    const line_tile<D> tile{z, b.x * lines, lines, b.shared<void>()};
    if (tile.is_empty() || !fits_on_chip(tile.n())) return;
    b.for_each(tile.lines(), [&](int line) { tile.find(line); });
    tile.load(b, c.d[D]);
    b.for_each_thread([&](int t) { tile.solve(c, t); });
    tile.finish(b);
    if constexpr (D == 2) tile.send(b, zones[b.y]);
  }
};

/// A line too long for that: keeps the eliminated rows beside r in global memory.
template <int D>
struct long_line {
  using number = double;
  line_place place;

  YOKE_HD wave<double> wave_at(int l) const {
    const point<double> p = place.state(l);
    return {p.rho_i, p.v[D], sound_speed(p)};
  }
  YOKE_HD five<double> right_hand_side(int l) const { return place.load_r(l); }
  YOKE_HD void keep(int l, const eliminated<double>& e, const five<double>& x) const {
    place.store_r(l, x);
    for (int n = 0; n < 3; ++n) {
      place.value(n, l) = e.d[n];
      place.value(3 + n, l) = e.e[n];
    }
  }
  YOKE_HD eliminated<double> kept_rows(int l) const {
    return {{place.value(0, l), place.value(1, l), place.value(2, l)},
            {place.value(3, l), place.value(4, l), place.value(5, l)}};
  }
  YOKE_HD five<double> kept_values(int l) const { return place.load_r(l); }
  YOKE_HD void finish(int l, const five<double>& x) const {
    if constexpr (D == 0) place.store_r(l, ninvr(x));
    if constexpr (D == 1) place.store_r(l, pinvr(x));
    if constexpr (D == 2) {
      const point<double> p = place.state(l);
      place.add_to_state(l, tzetar(p, sound_speed(p), x));
    }
  }
};

template <int D>
struct long_sweep_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x >= lines_of(z, D)) return;
    const long_line<D> of_this_item{find_line<D>(z, at.x)};
    if (fits_on_chip(of_this_item.place.n)) return;
    solve_line<D>(c, of_this_item.place.n, of_this_item);
    const int line = static_cast<int>(at.x);
    if constexpr (D == 2) face_sender{zones[at.y], z}.send(line, line + 1, 0, 1);
  }
};

constexpr std::size_t reserved_on_chip = 1024;  ///< by the GPU, for each block

/// As many lines of n points as leave room for two blocks on a processor, of which one loads while the other
/// solves; more blocks with fewer lines each are not faster.
int lines_of_tile(const yoke::device_info& device, int n) {
  constexpr int enough = 16;
  const auto fitting = [n](std::size_t bytes) {
    int lines = most_lines_of_tile;
    while (lines > 1 && bytes_of_tile(n, lines) > bytes) --lines;
    return lines;
  };
  const std::size_t half = device.shared_memory_of_processor / 2 - reserved_on_chip;
  const int lines = fitting(std::min(half, device.shared_memory));
  return lines >= enough ? lines : fitting(device.shared_memory);
}

class sp_device_solver final : public device_solver {
 public:
  explicit sp_device_solver(const constants& c) : c_{c} {}

  bool sends_faces() const override { return true; }
  std::size_t scratch_bytes(const zone_shape& shape) const override {
    const bool on_chip = fits_on_chip(shape.nx) && fits_on_chip(shape.ny) && fits_on_chip(shape.nz);
    return (on_chip ? 5 : 11) * shape.interior_points() * sizeof(double);
  }

  void begin(const zones_on_device& zones) override {
    if (run_planes(zones)) return;
    const batch_extents most{zones.shapes};
    yoke::launch<rhs_kernel>(zones.device, zones.stream, {most.points, zones.n()}, "sp: compute_rhs",
                             zones.table, c_);
    sweep<0>(zones, most.x_lines, "sp: x_solve");
    sweep<1>(zones, most.y_lines, "sp: y_solve");
  }
  void finish(const zones_on_device& zones) override {
    sweep<2>(zones, batch_extents{zones.shapes}.z_lines, "sp: z_solve");
  }

 private:
  /// False where a plane does not fit the memory on chip.
  bool run_planes(const zones_on_device& of) const {
    std::size_t bytes = 0;
    int most_planes = 0;
    for (const zone_shape& s : of.shapes) {
      bytes = std::max(bytes, chip_plane::bytes_of(s.nx, s.ny));
      most_planes = std::max(most_planes, s.nz - 2);
    }
    const yoke::device_info& device = of.device.info();
    if (bytes > device.shared_memory) return false;
    const auto blocks_fit = device.shared_memory_of_processor / (bytes + reserved_on_chip);
    const auto launch = blocks_fit > 1 ? &launch_planes<small_planes> : &launch_planes<large_planes>;
    launch(of, c_, {most_planes, of.n()}, bytes);
    return true;
  }
  template <class Kernel>
  static void launch_planes(const zones_on_device& of, const constants& c, yoke::extent blocks,
                            std::size_t bytes) {
    yoke::launch_blocks<Kernel>(of.device, of.stream, blocks, bytes, "sp: planes", of.table, c);
  }

  template <int D>
  void sweep(const zones_on_device& of, std::int64_t most_lines, const char* name) const {
    int longest = 0, longest_here = 0;
    for (const zone_shape& s : of.shapes) {
      const int n = D == 0 ? s.nx : D == 1 ? s.ny : s.nz;
      longest = std::max(longest, n);
      if (fits_on_chip(n)) longest_here = std::max(longest_here, n);
    }
    if (longest_here > 0) {
      const int lines = lines_of_tile(of.device.info(), longest_here);
      yoke::launch_blocks<sweep_kernel<D>>(of.device, of.stream, {(most_lines + lines - 1) / lines, of.n()},
                                           bytes_of_tile(longest_here, lines), name, of.table, c_, lines);
    }
    if (longest > longest_here)
      yoke::launch<long_sweep_kernel<D>>(of.device, of.stream, {most_lines, of.n()}, name, of.table, c_);
  }

  constants c_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<sp_device_solver>(c);
}

}  // namespace npb::sp
