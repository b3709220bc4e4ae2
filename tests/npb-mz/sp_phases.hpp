#pragma once
/// One time step of SP, one phase at a time and one point at a time, from the same physics as the solvers.

#include "common/field.hpp"
#include "common/solver.hpp"
#include "sp/sp_physics.hpp"

#include <vector>

namespace support {

class sp_phases {
 public:
  sp_phases(const npb::constants& c, const npb::zone_shape& s)
      : r(s.field_size()), c_{c}, s_{s}, rows_(6 * s.points()) {}

  std::vector<double> r;  ///< [5][nz][ny][nx], 0 on the boundary

  void compute_rhs(const double* u, const double* forcing) {
    each([&](int i, int j, int k, std::size_t at) {
      const npb::array_field w{u, s_.nx, s_.ny, s_.nz, i, j, k};
      const npb::five<double> value = w.apply(c_, npb::make_point(w.centre()));
      put(at, npb::sp::right_hand_side(c_, npb::load(forcing, s_, at), value));
    });
  }
  void txinvr(const double* u) {
    each([&](int, int, int, std::size_t at) {
      const auto p = npb::make_point(npb::load(u, s_, at));
      put(at, npb::sp::txinvr(p, npb::sp::sound_speed(p), get(at)));
    });
  }
  template <int D>
  void sweep(const double* u) {
    each([&](int i, int j, int k, std::size_t at) {
      if ((D == 0 ? i : D == 1 ? j : k) == 1)
        npb::sp::solve_line<D>(c_, D == 0 ? s_.nx : D == 1 ? s_.ny : s_.nz, line<D>{*this, u, at});
    });
  }
  void ninvr() {
    each([&](int, int, int, std::size_t at) { put(at, npb::sp::ninvr(get(at))); });
  }
  void pinvr() {
    each([&](int, int, int, std::size_t at) { put(at, npb::sp::pinvr(get(at))); });
  }
  void tzetar(const double* u) {
    each([&](int, int, int, std::size_t at) {
      const auto p = npb::make_point(npb::load(u, s_, at));
      put(at, npb::sp::tzetar(p, npb::sp::sound_speed(p), get(at)));
    });
  }
  void add(double* u) {
    each([&](int, int, int, std::size_t at) {
      npb::five<double> value = npb::load(u, s_, at);
      for (int m = 0; m < 5; ++m) value[m] += get(at)[m];
      npb::store(u, s_, at, value);
    });
  }
  /// All of the above, as a host_solver would.
  void advance(const npb::host_zone& z) {
    compute_rhs(z.u, z.forcing);
    txinvr(z.u);
    sweep<0>(z.u);
    ninvr();
    sweep<1>(z.u);
    pinvr();
    sweep<2>(z.u);
    tzetar(z.u);
    add(z.u);
  }

 private:
  template <class F>
  void each(F&& f) {
    npb::for_each_interior_point(s_, f);
  }
  npb::five<double> get(std::size_t at) const { return npb::load(r.data(), s_, at); }
  void put(std::size_t at, const npb::five<double>& value) { npb::store(r.data(), s_, at, value); }

  template <int D>
  struct line {
    using number = double;
    sp_phases& of;
    const double* u;
    std::size_t first;  ///< l = 1

    std::size_t at(int l) const {
      const std::size_t nx = of.s_.nx, ny = of.s_.ny;
      return first + static_cast<std::size_t>(l - 1) * (D == 0 ? 1 : D == 1 ? nx : nx * ny);
    }
    npb::sp::wave<double> wave_at(int l) const {
      const auto p = npb::make_point(npb::load(u, of.s_, at(l)));
      return {p.rho_i, p.v[D], npb::sp::sound_speed(p)};
    }
    npb::five<double> right_hand_side(int l) const { return of.get(at(l)); }
    void keep(int l, const npb::sp::eliminated<double>& e, const npb::five<double>& x) const {
      of.put(at(l), x);
      for (int n = 0; n < 3; ++n) {
        of.rows_[6 * at(l) + n] = e.d[n];
        of.rows_[6 * at(l) + 3 + n] = e.e[n];
      }
    }
    npb::sp::eliminated<double> kept_rows(int l) const {
      const double* p = &of.rows_[6 * at(l)];
      return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
    }
    npb::five<double> kept_values(int l) const { return of.get(at(l)); }
    void finish(int l, const npb::five<double>& x) const { of.put(at(l), x); }
  };

  npb::constants c_;
  npb::zone_shape s_;
  std::vector<double> rows_;
};

}  // namespace support
