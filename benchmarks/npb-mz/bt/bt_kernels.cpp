#include "bt_kernels.hpp"

#include "../common/zone_kernels.hpp"
#include "bt_physics.hpp"

namespace npb::bt {
namespace {

struct rhs_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x < z.interior) z.store_r(at.x, compute_rhs(z, c, at.x).r);
  }
};

/// Keeps C* of a line beside r.
template <int D>
struct line {
  using number = double;
  line_place place;

  YOKE_HD point<double> state(int l) const { return place.state(l); }
  YOKE_HD five<double> right_hand_side(int l) const { return place.load_r(l); }
  YOKE_HD void keep_column(int l, int column, const five<double>& x) const {
    for (int row = 0; row < 5; ++row) place.value(5 * column + row, l) = x[row];
  }
  YOKE_HD void keep_values(int l, const five<double>& x) const { place.store_r(l, x); }
  YOKE_HD five<double> kept_column(int l, int column) const {
    five<double> x{};
    for (int row = 0; row < 5; ++row) x[row] = place.value(5 * column + row, l);
    return x;
  }
  YOKE_HD five<double> kept_values(int l) const { return place.load_r(l); }
  YOKE_HD void finish(int l, const five<double>& x) const {
    if constexpr (D == 2)
      place.add_to_state(l, x);
    else
      place.store_r(l, x);
  }
};

template <int D>
struct solve_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x >= lines_of(z, D)) return;
    const line<D> of_this_item{find_line<D>(z, at.x)};
    solve_line<D>(c, of_this_item.place.n, of_this_item);
  }
};

class bt_device_solver final : public device_solver {
 public:
  explicit bt_device_solver(const constants& c) : c_{c} {}

  std::size_t scratch_bytes(const zone_shape& shape) const override {
    return 30 * shape.interior_points() * sizeof(double);
  }

  void advance(yoke::device& device, yoke::stream_handle stream, yoke::device_ptr<const device_zone> table,
               std::span<const zone_shape> shapes) override {
    const batch_extents most{shapes};
    const auto zones = static_cast<std::int64_t>(shapes.size());
    yoke::launch<rhs_kernel>(device, stream, {most.points, zones}, "bt: compute_rhs", table, c_);
    yoke::launch<solve_kernel<0>>(device, stream, {most.x_lines, zones}, "bt: x_solve", table, c_);
    yoke::launch<solve_kernel<1>>(device, stream, {most.y_lines, zones}, "bt: y_solve", table, c_);
    yoke::launch<solve_kernel<2>>(device, stream, {most.z_lines, zones}, "bt: z_solve", table, c_);
  }

 private:
  constants c_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<bt_device_solver>(c);
}

}  // namespace npb::bt
