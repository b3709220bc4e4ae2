#pragma once
/// A plane of a zone on chip: a block of threads makes its right-hand side and solves its x and y lines
/// there, so that the three phases read u and the forcing and write r, once. SPEC.md §9.1 to §9.7.

#include "../common/zone_kernels.hpp"
#include "sp_chip_line.hpp"
#include "sp_line_solve.hpp"

namespace npb::sp {

/// All points of a plane, those of the boundary included: [j][i][slot]. The slots behind r are in turn
///   u and 1 / u1              while the right-hand side is made
///   the terms of the lines    before they are solved
///   D* and E*                 after.
class chip_plane {
  static constexpr int u_slot = 5, rho_i_slot = 10;

 public:
  /// Odd, as n_slots is: then neither neighbours nor points above each other meet in a memory bank.
  YOKE_HD static constexpr int pitch_of(int nx) { return nx | 1; }
  static constexpr std::size_t bytes_of(int nx, int ny) {
    return static_cast<std::size_t>(pitch_of(nx)) * static_cast<std::size_t>(ny) * n_slots * sizeof(double);
  }

  YOKE_HD chip_plane(const yoke::block& b, const zone_view& z, const constants& c, int k)
      : b_{b},
        z_{z},
        c_{c},
        k_{k},
        pitch_{pitch_of(z.nx)},
        plane_{z.nx * z.ny},
        points_{(z.nx - 2) * (z.ny - 2)},
        by_row_{z.nx - 2},
        values_{b.shared<double>()},
        u_{z.u + static_cast<std::int64_t>(plane_) * k},
        forcing_{z.forcing + static_cast<std::int64_t>(plane_) * k},
        r_{z.work + static_cast<std::int64_t>(points_) * (k - 1)} {}

  /// u of the whole plane.
  YOKE_HD void load() const {
    const small_divider by_row{z_.nx};
    const auto cell_of = [&](int x) {
      const int j = by_row.quotient(x);
      return cell(x - j * z_.nx, j);
    };
    b_.for_each_thread([&](int t) {
      for (int x = t; x < plane_; x += b_.n_threads) start_state(cell_of(x), x);
      wait_for_copies();
      for (int x = t; x < plane_; x += b_.n_threads) {
        double* const here = cell_of(x);
        here[rho_i_slot] = reciprocal(here[u_slot]);
      }
    });
  }

  /// r, transformed for the x lines.
  YOKE_HD void make_right_hand_side() const {
    b_.for_each(points_, [&](int x) {
      const place at = place_of(x);
      five<double> forcing{};
      for (int m = 0; m < 5; ++m) forcing[m] = forcing_[m * z_.component + at.grid];
      const field w{*this, at};
      const point<double> p = point_at(at.values);
      const five<double> r =
          right_hand_side(c_, forcing, spatial_operator(c_, {at.i, at.j, k_}, {z_.nx, z_.ny, z_.nz}, p, w));
      put_r(at, txinvr(p, sound_speed(p), r));
    });
    b_.for_each(points_, [&](int x) {
      double* const here = place_of(x).values;
      put_terms<0>(here, point_at(here));
    });
  }

  YOKE_HD void solve_x() const { solve<0>(z_.nx, z_.ny - 2, n_slots, pitch_ * n_slots); }
  YOKE_HD void solve_y() const { solve<1>(z_.ny, z_.nx - 2, pitch_ * n_slots, n_slots); }

  /// From the solution of the x lines to r and terms of the y lines.
  YOKE_HD void turn() const {
    b_.for_each_thread([&](int t) {
      for (int x = t; x < points_; x += b_.n_threads) {
        const place at = place_of(x);
        start_state(at.values, at.grid);
        put_r(at, ninvr(five_at(at.values)));
      }
      wait_for_copies();
      for (int x = t; x < points_; x += b_.n_threads) {
        double* const here = place_of(x).values;
        put_terms<1>(here, make_point(five_at(here + u_slot)));
      }
    });
  }

  /// Stores r, transformed for the z lines.
  YOKE_HD void store() const {
    b_.for_each(points_, [&](int x) {
      const five<double> r = pinvr(five_at(place_of(x).values));
      for (int m = 0; m < 5; ++m) r_[m * z_.interior + x] = r[m];
    });
  }

 private:
  /// An interior point: its place on chip and in u's plane.
  struct place {
    int i, j, grid;
    double* values;
  };

  /// The state around a point: in the plane from the chip, above and below from memory.
  struct field {
    const chip_plane& plane;
    const place& here;

    template <int D>
    NPB_HD five<double> at(int offset) const {
      const int l = D == 0 ? here.i : D == 1 ? here.j : plane.k_;
      const int n = D == 0 ? plane.z_.nx : D == 1 ? plane.z_.ny : plane.z_.nz;
      const int there = l + offset < 0 || l + offset >= n ? 0 : offset;
      if constexpr (D == 2) return load(there);
      return five_at(beside_on_chip<D>(there) + u_slot);
    }
    template <int D>
    NPB_HD point<double> beside(int offset) const {
      if constexpr (D == 2) return make_point(load(offset));
      return point_at(beside_on_chip<D>(offset));
    }

   private:
    template <int D>
    NPB_HD const double* beside_on_chip(int offset) const {
      return here.values + offset * (D == 0 ? n_slots : n_slots * plane.pitch_);
    }
    NPB_HD five<double> load(int planes) const {
      const double* const there = plane.u_ + (planes * plane.plane_ + here.grid);
      five<double> u{};
      for (int m = 0; m < 5; ++m) u[m] = there[m * plane.z_.component];
      return u;
    }
  };

  NPB_HD static point<double> point_at(const double* here) {
    return make_point(five_at(here + u_slot), here[rho_i_slot]);
  }
  NPB_HD static void put_r(const place& at, const five<double>& r) {
    for (int m = 0; m < 5; ++m) at.values[m] = r[m];
  }
  template <int D>
  NPB_HD void put_terms(double* here, const point<double>& p) const {
    put_line_terms(here, terms_of(c_.d[D], wave<double>{p.rho_i, p.v[D], sound_speed(p)}));
  }
  NPB_HD void start_state(double* here, int grid) const {
    for (int m = 0; m < 5; ++m) yoke::start_copy(here + u_slot + m, u_ + (m * z_.component + grid));
  }

  NPB_HD double* cell(int i, int j) const { return values_ + n_slots * (j * pitch_ + i); }
  /// Of interior point number x of the plane.
  NPB_HD place place_of(int x) const {
    const int row = by_row_.quotient(x), i = 1 + x - row * by_row_.divisor, j = 1 + row;
    return {i, j, i + z_.nx * j, cell(i, j)};
  }

  /// `lines` lines of n points, on chip `step` from point to point and `next` from line to line. Three
  /// systems of a line share the base matrix; whole groups of threads that go one way have them.
  template <int D>
  NPB_HD void solve(int n, int lines, int step, int next) const {
    const int first_sound = (lines + 31) / 32 * 32;
    double* const first = cell(1, 1);
    b_.for_each(first_sound + 2 * lines, [&](int s) {
      if (s < lines) {
        solve_systems<D>(c_, n, chip_line<base_systems>{first + next * s, 0, 0, step, n});
      } else if (s >= first_sound) {
        const int sound = s - first_sound, matrix = sound < lines ? 1 : 2;
        double* const line = first + next * (matrix == 1 ? sound : sound - lines);
        solve_systems<D>(c_, n, chip_line<sound_system>{line, 2 + matrix, matrix, step, n});
      }
    });
  }

  const yoke::block& b_;
  const zone_view& z_;
  const constants& c_;
  int k_;
  int pitch_;
  int plane_;   ///< points of a plane of u
  int points_;  ///< its interior points
  small_divider by_row_;
  double* values_;
  const double* u_;
  const double* forcing_;
  double* r_;
};

}  // namespace npb::sp
