#pragma once
/// What the time steps of SP and BT have in common, one phase at a time and one point at a time, from the
/// same physics as the solvers.

#include "common/field.hpp"
#include "common/physics.hpp"
#include "common/solver.hpp"

#include <vector>

namespace support {

class zone_phases {
 public:
  zone_phases(const npb::constants& c, const npb::zone_shape& s) : r(s.field_size()), c_{c}, s_{s} {}

  std::vector<double> r;  ///< [5][nz][ny][nx], 0 on the boundary

  void compute_rhs(const double* u, const double* forcing) {
    each([&](int i, int j, int k, std::size_t at) {
      const npb::array_field w{u, s_.nx, s_.ny, s_.nz, i, j, k};
      const npb::five<double> value = w.apply(c_, npb::make_point(w.centre()));
      put(at, npb::right_hand_side(c_, npb::load(forcing, s_, at), value));
    });
  }
  void add(double* u) {
    each([&](int, int, int, std::size_t at) {
      npb::five<double> value = npb::load(u, s_, at);
      for (int m = 0; m < 5; ++m) value[m] += get(at)[m];
      npb::store(u, s_, at, value);
    });
  }

 protected:
  template <class F>
  void each(F&& f) {
    npb::for_each_interior_point(s_, f);
  }
  npb::five<double> get(std::size_t at) const { return npb::load(r.data(), s_, at); }
  void put(std::size_t at, const npb::five<double>& value) { npb::store(r.data(), s_, at, value); }

  /// Calls f(n, first, step) for each line in direction D: its number of points, the index of l = 1, and the
  /// distance from l to l + 1.
  template <int D, class F>
  void each_line(F&& f) {
    const std::size_t nx = s_.nx, ny = s_.ny;
    each([&](int i, int j, int k, std::size_t at) {
      if ((D == 0 ? i : D == 1 ? j : k) == 1)
        f(D == 0 ? s_.nx : D == 1 ? s_.ny : s_.nz, at, D == 0 ? 1 : D == 1 ? nx : nx * ny);
    });
  }

  npb::constants c_;
  npb::zone_shape s_;
};

}  // namespace support
