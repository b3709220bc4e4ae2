#pragma once
/// One time step of SP, one phase at a time and one point at a time.

#include "sp/sp_host.hpp"
#include "sp/sp_kernels.hpp"
#include "sp/sp_physics.hpp"
#include "zone_phases.hpp"

#include <string>

namespace support {

class sp_phases : public zone_phases {
 public:
  sp_phases(const npb::constants& c, const npb::zone_shape& s) : zone_phases{c, s}, rows_(6 * s.points()) {}

  void advance(const npb::host_zone& z) {
    for (const char* name :
         {"rhs", "txinvr", "x_sweep", "x_solve", "y_sweep", "y_solve", "z_sweep", "z_solve", "add"})
      run(name, z);
  }
  /// A phase by its name in the traces.
  void run(const std::string& name, const npb::host_zone& z) {
    if (name == "rhs") return compute_rhs(z.u, z.forcing);
    if (name == "x_sweep") return sweep<0>(z.u);
    if (name == "y_sweep") return sweep<1>(z.u);
    if (name == "z_sweep") return sweep<2>(z.u);
    if (name == "add") return add(z.u);
    each([&](int, int, int, std::size_t at) { put(at, transformed(name, npb::load(z.u, s_, at), get(at))); });
  }

 private:
  static npb::five<double> transformed(const std::string& name, const npb::five<double>& u,
                                       const npb::five<double>& x) {
    const auto p = npb::make_point(u);
    if (name == "txinvr") return npb::sp::txinvr(p, npb::sp::sound_speed(p), x);
    if (name == "x_solve") return npb::sp::ninvr(x);
    if (name == "y_solve") return npb::sp::pinvr(x);
    if (name == "z_solve") return npb::sp::tzetar(p, npb::sp::sound_speed(p), x);
    throw std::invalid_argument{name};
  }
  template <int D>
  void sweep(const double* u) {
    each_line<D>([&](int n, std::size_t first, std::size_t step) {
      npb::sp::solve_line<D>(c_, n, line<D>{*this, u, first, step});
    });
  }

  template <int D>
  struct line {
    using number = double;
    sp_phases& of;
    const double* u;
    std::size_t first;  ///< l = 1
    std::size_t step;

    std::size_t at(int l) const { return first + static_cast<std::size_t>(l - 1) * step; }
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

  std::vector<double> rows_;
};

/// What tests of all benchmarks need of SP.
struct sp {
  using phases = sp_phases;
  static constexpr npb::benchmark_kind kind = npb::benchmark_kind::sp;
  static std::unique_ptr<npb::benchmark> make_benchmark(npb::problem what) {
    return npb::sp::make_benchmark(std::move(what));
  }
  static auto make_host_solver(const npb::constants& c, int n_threads, const npb::zone_shape& largest,
                               npb::pack_width width) {
    return npb::sp::make_host_solver(c, n_threads, largest, width);
  }
  static auto make_device_solver(const npb::constants& c) { return npb::sp::make_device_solver(c); }
};

}  // namespace support
