#include "sp_kernels.hpp"

#include "../common/zone_kernels.hpp"
#include "sp_physics.hpp"

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

/// Keeps the eliminated rows of a line beside r.
template <int D>
struct line {
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
struct solve_kernel {
  YOKE_HD void operator()(yoke::item at, zone_table zones, constants c) const {
    const zone_view z{zones[at.y]};
    if (at.x >= lines_of(z, D)) return;
    const line<D> of_this_item{find_line<D>(z, at.x)};
    solve_line<D>(c, of_this_item.place.n, of_this_item);
  }
};

class sp_device_solver final : public device_solver {
 public:
  explicit sp_device_solver(const constants& c) : c_{c} {}

  std::size_t scratch_bytes(const zone_shape& shape) const override {
    return 11 * shape.interior_points() * sizeof(double);
  }

  void advance(yoke::device& device, yoke::stream_handle stream, yoke::device_ptr<const device_zone> table,
               std::span<const zone_shape> shapes) override {
    const batch_extents most{shapes};
    const auto zones = static_cast<std::int64_t>(shapes.size());
    yoke::launch<rhs_kernel>(device, stream, {most.points, zones}, "sp: compute_rhs", table, c_);
    yoke::launch<solve_kernel<0>>(device, stream, {most.x_lines, zones}, "sp: x_solve", table, c_);
    yoke::launch<solve_kernel<1>>(device, stream, {most.y_lines, zones}, "sp: y_solve", table, c_);
    yoke::launch<solve_kernel<2>>(device, stream, {most.z_lines, zones}, "sp: z_solve", table, c_);
  }

 private:
  constants c_;
};

}  // namespace

std::unique_ptr<device_solver> make_device_solver(const constants& c) {
  return std::make_unique<sp_device_solver>(c);
}

}  // namespace npb::sp
