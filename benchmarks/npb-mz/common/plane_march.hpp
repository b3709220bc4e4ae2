#pragma once
/// The spatial operator on a device, SPEC.md §5: a block has a rectangle of points in x and y and goes
/// through the planes of a zone, so that u is read once and the values derived from it are made once.

#include "zone_kernels.hpp"

#include <yoke/async_copy.hpp>
#include <yoke/block.hpp>

namespace npb {

/// Planes k to k + 2 of u lie on chip, with two more points on each side; k + 3 is on its way. The points
/// below stay in registers. Points beyond the zone, which only zero weights meet, are those of its boundary.
template <int I, int J>
class plane_march {
  static constexpr int pitch = I + 4;
  static constexpr int cells = pitch * (J + 4);
  static constexpr int n_planes = 4;

 public:
  static constexpr int threads = I * J;
  static constexpr std::size_t shared_bytes = (n_planes * 5 + 2) * cells * sizeof(double);

  /// Rectangle number `x` of the zone, x fastest; `memory`: shared_bytes on chip.
  NPB_HD plane_march(const yoke::block& b, const zone_view& z, const constants& c, std::int64_t x,
                     void* memory)
      : b_{b},
        z_{z},
        c_{c},
        first_i_{1 + I * static_cast<int>(x % columns(z.nx))},
        first_j_{1 + J * static_cast<int>(x / columns(z.nx))},
        u_{static_cast<double*>(memory)},
        rho_i_{u_ + n_planes * 5 * cells} {}

  /// Rectangles of a zone.
  NPB_HD static std::int64_t blocks(int nx, int ny) {
    return columns(nx) * static_cast<std::int64_t>((ny - 2 + J - 1) / J);
  }

  /// Calls body(i, j, k, centre, R(u)) for the interior points, in order of k.
  template <class Body>
  NPB_HD void run(const Body& body) {
    if (first_j_ > z_.ny - 2) return;
    b_.for_each_thread([&](int t) { begin(t); });
    b_.for_each_thread([&](int t) {
      make_reciprocals(t, 1);
      kept_[t].centre = make_point(own(t, 1));
    });
    for (int k = 1; k < z_.nz - 1; ++k) b_.for_each_thread([&](int t) { advance(t, k, kept_[t], body); });
  }

 private:
  /// What a thread knows of its column of points.
  struct kept {
    five<double> far_below;
    point<double> below, centre;
  };

  /// The state around the point of thread `cell` of plane k.
  struct field {
    const plane_march& m;
    const kept& column;
    const point<double>& above;
    int cell, k;

    template <int D>
    NPB_HD five<double> at(int offset) const {
      if constexpr (D == 2) return offset < 0 ? column.far_below : m.state(cell, k + 2);
      return m.state(cell + (D == 0 ? offset : offset * pitch), k);
    }
    template <int D>
    NPB_HD point<double> beside(int offset) const {
      if constexpr (D == 2) return offset < 0 ? column.below : above;
      const int there = cell + (D == 0 ? offset : offset * pitch);
      return make_point(m.state(there, k), m.reciprocal(there, k));
    }
  };

  NPB_HD static int columns(int nx) { return (nx - 2 + I - 1) / I; }
  NPB_HD static int within(int index, int n) { return index < 0 ? 0 : index >= n ? n - 1 : index; }
  NPB_HD static int cell_of(int t) { return t % I + 2 + (t / I + 2) * pitch; }

  NPB_HD double* plane(int k) const { return u_ + k % n_planes * (5 * cells); }
  NPB_HD five<double> state(int cell, int k) const {
    five<double> u{};
    for (int m = 0; m < 5; ++m) u[m] = plane(k)[m * cells + cell];
    return u;
  }
  NPB_HD five<double> own(int t, int k) const { return state(cell_of(t), k); }
  NPB_HD double& reciprocal(int cell, int k) const { return rho_i_[(k & 1) * cells + cell]; }

  NPB_HD void begin(int t) {
    for (int k = 1; k < n_planes; ++k) bring(t, k);
    const int i = within(first_i_ + t % I, z_.nx), j = within(first_j_ + t / I, z_.ny);
    kept_[t].far_below = z_.components(z_.grid_index(i, j, 0));
    kept_[t].below = make_point(kept_[t].far_below);
    yoke::wait_for_groups<0>();
  }
  NPB_HD void bring(int t, int k) const {
    for (int cell = t; cell < cells; cell += threads) {
      const int i = within(first_i_ - 2 + cell % pitch, z_.nx),
                j = within(first_j_ - 2 + cell / pitch, z_.ny);
      const double* const from = z_.u + z_.grid_index(i, j, within(k, z_.nz));
      for (int m = 0; m < 5; ++m) yoke::start_copy(plane(k) + m * cells + cell, from + m * z_.component);
    }
    yoke::close_group();
  }
  NPB_HD void make_reciprocals(int t, int k) const {
    for (int cell = t; cell < cells; cell += threads) reciprocal(cell, k) = npb::reciprocal(plane(k)[cell]);
  }

  template <class Body>
  NPB_HD void advance(int t, int k, kept& mine, const Body& body) const {
    if (k + 3 <= z_.nz) bring(t, k + 3);
    make_reciprocals(t, k + 1);
    const int i = first_i_ + t % I, j = first_j_ + t / I;
    const point<double> above = make_point(own(t, k + 1));
    if (i < z_.nx - 1 && j < z_.ny - 1) {
      const line_stencil<double> s[3] = {linear_stencil(c_.d[0], i, z_.nx), linear_stencil(c_.d[1], j, z_.ny),
                                         linear_stencil(c_.d[2], k, z_.nz)};
      const field w{*this, mine, above, cell_of(t), k};
      body(i, j, k, mine.centre, spatial_operator(c_, s, mine.centre, w));
    }
    mine.far_below = mine.below.u;
    mine.below = mine.centre;
    mine.centre = above;
    yoke::wait_for_groups<0>();
  }

  const yoke::block& b_;
  const zone_view& z_;
  const constants& c_;
  int first_i_;
  int first_j_;
  double* u_;
  double* rho_i_;
  yoke::per_thread<kept, threads> kept_;
};

}  // namespace npb
