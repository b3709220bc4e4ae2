#include "sp_kernels.hpp"

#include "../common/zone_kernels.hpp"
#include "sp_physics.hpp"
#include "sp_tiles.hpp"

#include <algorithm>

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
    if (!fits_on_chip(of_this_item.place.n)) solve_line<D>(c, of_this_item.place.n, of_this_item);
  }
};

/// As many lines of n points as leave room for two blocks on a processor, of which one loads while the other
/// solves; more blocks with fewer lines each are not faster.
int lines_of_tile(const yoke::device_info& device, int n) {
  constexpr std::size_t reserved = 1024;  // by the GPU, for each block
  constexpr int enough = 16;
  const auto fitting = [n](std::size_t bytes) {
    int lines = most_lines_of_tile;
    while (lines > 1 && bytes_of_tile(n, lines) > bytes) --lines;
    return lines;
  };
  const std::size_t half = device.shared_memory_of_processor / 2 - reserved;
  const int lines = fitting(std::min(half, device.shared_memory));
  return lines >= enough ? lines : fitting(device.shared_memory);
}

class sp_device_solver final : public device_solver {
 public:
  explicit sp_device_solver(const constants& c) : c_{c} {}

  std::size_t scratch_bytes(const zone_shape& shape) const override {
    const bool on_chip = fits_on_chip(shape.nx) && fits_on_chip(shape.ny) && fits_on_chip(shape.nz);
    return (on_chip ? 5 : 11) * shape.interior_points() * sizeof(double);
  }

  void advance(yoke::device& device, yoke::stream_handle stream, yoke::device_ptr<const device_zone> table,
               std::span<const zone_shape> shapes) override {
    const batch_extents most{shapes};
    const batch zones{device, stream, table, shapes};
    yoke::launch<rhs_kernel>(device, stream, {most.points, static_cast<std::int64_t>(shapes.size())},
                             "sp: compute_rhs", table, c_);
    sweep<0>(zones, most.x_lines, "sp: x_solve");
    sweep<1>(zones, most.y_lines, "sp: y_solve");
    sweep<2>(zones, most.z_lines, "sp: z_solve");
  }

 private:
  struct batch {
    yoke::device& device;
    yoke::stream_handle stream;
    zone_table table;
    std::span<const zone_shape> shapes;
  };

  template <int D>
  void sweep(const batch& of, std::int64_t most_lines, const char* name) const {
    int longest = 0, longest_here = 0;
    for (const zone_shape& s : of.shapes) {
      const int n = D == 0 ? s.nx : D == 1 ? s.ny : s.nz;
      longest = std::max(longest, n);
      if (fits_on_chip(n)) longest_here = std::max(longest_here, n);
    }
    const auto zones = static_cast<std::int64_t>(of.shapes.size());
    if (longest_here > 0) {
      const int lines = lines_of_tile(of.device.info(), longest_here);
      yoke::launch_blocks<sweep_kernel<D>>(of.device, of.stream, {(most_lines + lines - 1) / lines, zones},
                                           bytes_of_tile(longest_here, lines), name, of.table, c_, lines);
    }
    if (longest > longest_here)
      yoke::launch<long_sweep_kernel<D>>(of.device, of.stream, {most_lines, zones}, name, of.table, c_);
  }

  constants c_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<sp_device_solver>(c);
}

}  // namespace npb::sp
