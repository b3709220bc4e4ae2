#pragma once
/// One time step of LU, one phase at a time and one point at a time, from the same physics as the solvers.

#include "common/field.hpp"
#include "common/solver.hpp"
#include "lu/lu_physics.hpp"

#include <vector>

namespace support {

class lu_phases {
 public:
  lu_phases(const npb::constants& c, const npb::zone_shape& s) : v(s.field_size()), c_{c}, k_{c}, s_{s} {}

  std::vector<double> v;  ///< [5][nz][ny][nx], 0 on the boundary

  void scale(const double* rsd) {
    for (std::size_t n = 0; n < v.size(); ++n) v[n] = c_.dt * rsd[n];
  }
  void lower(const double* u) {
    npb::for_each_interior_point(s_, [&](int, int, int, std::size_t at) {
      const auto value = npb::load(u, s_, at);
      put(at, npb::lu::lower_value(k_, value, npb::lu::make_block_point(k_, value), get(at), 1.0,
                                   sum<npb::lu::sweep::lower>(u, at)));
    });
  }
  void upper(const double* u) {
    std::vector<std::size_t> points;
    npb::for_each_interior_point(s_, [&](int, int, int, std::size_t at) { points.push_back(at); });
    for (auto at = points.rbegin(); at != points.rend(); ++at) {
      const auto value = npb::load(u, s_, *at);
      put(*at, npb::lu::upper_value(k_, value, npb::lu::make_block_point(k_, value), get(*at),
                                    sum<npb::lu::sweep::upper>(u, *at)));
    }
  }
  void update(double* u) const {
    npb::for_each_interior_point(s_, [&](int, int, int, std::size_t at) {
      npb::store(u, s_, at, npb::lu::updated(npb::load(u, s_, at), get(at)));
    });
  }
  void residual(const npb::host_zone& z) const {
    npb::for_each_interior_point(s_, [&](int i, int j, int k, std::size_t at) {
      const npb::array_field w{z.u, s_.nx, s_.ny, s_.nz, i, j, k};
      const auto r = w.apply(c_, npb::make_point(w.centre()));
      npb::store(z.residual, s_, at, npb::lu::residual(r, npb::load(z.forcing, s_, at)));
    });
  }
  /// All of the above, as a host_solver would.
  void advance(const npb::host_zone& z) {
    scale(z.residual);
    lower(z.u);
    upper(z.u);
    update(z.u);
    residual(z);
  }

 private:
  npb::five<double> get(std::size_t at) const { return npb::load(v.data(), s_, at); }
  void put(std::size_t at, const npb::five<double>& value) { npb::store(v.data(), s_, at, value); }

  /// What the neighbour contributes; v is 0 on the boundary, and so is that.
  template <npb::lu::sweep S, int D>
  npb::five<double> contribution(const double* u, std::size_t at) const {
    const auto p = npb::lu::make_block_point(k_, npb::load(u, s_, at));
    return npb::lu::block_times<S, D>(k_, p, npb::lu::make_disturbance(p, get(at)), get(at));
  }
  template <npb::lu::sweep S>
  npb::five<double> sum(const double* u, std::size_t at) const {
    const std::size_t row = s_.nx, plane = row * s_.ny;
    const auto beside = [&](std::size_t n) { return S == npb::lu::sweep::lower ? at - n : at + n; };
    return npb::lu::sum_of(contribution<S, 0>(u, beside(1)), contribution<S, 1>(u, beside(row)),
                           contribution<S, 2>(u, beside(plane)));
  }

  npb::constants c_;
  npb::lu::sweep_constants k_;
  npb::zone_shape s_;
};

}  // namespace support
