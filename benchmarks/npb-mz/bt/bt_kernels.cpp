#include "bt_kernels.hpp"

#include "bt_device_lines.hpp"

namespace npb::bt {
namespace {

struct rhs_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x < z.interior) z.store_r(at.x, compute_rhs(z, c, at.x).r);
  }
};

/// x: a block of lines goes through its segments together.
struct x_solve_kernel {
  static constexpr int block = 64;
  static constexpr int min_blocks = 3;
  static constexpr std::size_t shared_bytes = line_tile::bytes_of(block);

  YOKE_HD void operator()(const yoke::block& b, zone_table zones, constants c) const {
    const zone_view z{zones[b.y]};
    const line_tile tile{z, b};
    if (tile.lines <= 0) return;
    yoke::per_thread<detail::eliminated<double>, block> e;
    for (int number = 0; number <= 2 * top_of(z.nx); ++number) {
      const segment_visit v = visit_of(z.nx, number);
      b.for_each_thread([&](int t) {
        if (v.resumes) tile.request(b, t, v.first, v.last, v.buffer);
        yoke::wait_for_groups<0>();
      });
      b.for_each_thread([&](int t) {
        if (!v.goes_down) tile.request(b, t, v.last, v.last + segment_rows, 1 - v.buffer);
        if (t >= tile.lines) return;
        tile_line line = tile.line(t);
        if (v.goes_down)
          go_down<0>(c.d[0], line, v, e[t]);
        else
          go_up<0>(c.d[0], line, v, e[t]);
      });
      if (v.goes_down) b.for_each_thread([&](int t) { tile.store(b, t, v); });
    }
  }
};

/// y and z: every thread goes through its own line.
template <int D>
struct solve_kernel {
  static constexpr int block = 64;
  static constexpr int min_blocks = 3;
  static constexpr std::size_t shared_bytes = sizeof(double) * block * own_line<D>::kept_doubles;

  YOKE_HD void operator()(const yoke::block& b, zone_table zones, constants c) const {
    const zone_view z{zones[b.y]};
    b.for_each_thread([&](int t) {
      const std::int64_t number = block * b.x + t;
      if (number >= lines_of(z, D)) return;
      const line_place place = find_line<D>(z, number);
      own_line<D> line{place, {z, lines_of(z, D), number}, {b.shared<double>() + t, block}};
      detail::eliminated<double> e;
      const int top = top_of(place.n);
      for (int up = 0; up < top; ++up) go_up<D>(c.d[D], line, visit_of(place.n, up), e);
      for (int down = top; down <= 2 * top; ++down) {
        const segment_visit v = visit_of(place.n, down);
        go_down<D>(c.d[D], line, v, e);
        if constexpr (D == 2) line.update();
      }
    });
    if constexpr (D == 2) {
      const face_sender faces{zones[b.y], z};
      const std::int64_t first = block * b.x, lines = lines_of(z, D);
      const int last = static_cast<int>(first + block < lines ? first + block : lines);
      b.for_each_thread([&](int t) { faces.send(static_cast<int>(first), last, t, block); });
    }
  }
};

class bt_device_solver final : public device_solver {
 public:
  explicit bt_device_solver(const constants& c) : c_{c} {}

  bool sends_faces() const override { return true; }
  std::size_t scratch_bytes(const zone_shape& shape) const override {
    return (5 * shape.interior_points() + checkpoint_doubles(shape)) * sizeof(double);
  }

  void begin(const zones_on_device& zones) override {
    const batch_extents most{zones.shapes};
    yoke::launch<rhs_kernel>(zones.device, zones.stream, {most.points, zones.n()}, "bt: compute_rhs",
                             zones.table, c_);
    solve<x_solve_kernel>(zones, most.x_lines, "bt: x_solve");
    solve<solve_kernel<1>>(zones, most.y_lines, "bt: y_solve");
  }
  void finish(const zones_on_device& zones) override {
    solve<solve_kernel<2>>(zones, batch_extents{zones.shapes}.z_lines, "bt: z_solve");
  }

 private:
  template <class Kernel>
  void solve(const zones_on_device& zones, std::int64_t most_lines, const char* name) const {
    yoke::launch_blocks<Kernel>(zones.device, zones.stream,
                                {(most_lines + Kernel::block - 1) / Kernel::block, zones.n()},
                                Kernel::shared_bytes, name, zones.table, c_);
  }

  constants c_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<bt_device_solver>(c);
}

}  // namespace npb::bt
