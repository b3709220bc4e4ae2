#pragma once
/// One time step of BT, one phase at a time and one point at a time.

#include "bt/bt_host.hpp"
#include "bt/bt_kernels.hpp"
#include "bt/bt_physics.hpp"
#include "zone_phases.hpp"

#include <string>

namespace support {

class bt_phases : public zone_phases {
 public:
  using zone_phases::zone_phases;

  void advance(const npb::host_zone& z) {
    for (const char* name : {"rhs", "x_solve", "y_solve", "z_solve", "add"}) run(name, z);
  }
  /// A phase by its name in the traces.
  void run(const std::string& name, const npb::host_zone& z) {
    if (name == "rhs") return compute_rhs(z.u, z.forcing);
    if (name == "x_solve") return sweep<0>(z.u);
    if (name == "y_solve") return sweep<1>(z.u);
    if (name == "z_solve") return sweep<2>(z.u);
    if (name == "add") return add(z.u);
    throw std::invalid_argument{name};
  }

 private:
  template <int D>
  void sweep(const double* u) {
    each_line<D>([&](int n, std::size_t first, std::size_t step) {
      columns_.resize(static_cast<std::size_t>(n));
      npb::bt::solve_line<D>(c_, n, line{*this, u, first, step});
    });
  }

  struct line {
    using number = double;
    bt_phases& of;
    const double* u;
    std::size_t first;  ///< l = 1
    std::size_t step;

    std::size_t at(int l) const { return first + static_cast<std::size_t>(l - 1) * step; }
    npb::point<double> state(int l) const { return npb::make_point(npb::load(u, of.s_, at(l))); }
    npb::five<double> right_hand_side(int l) const { return of.get(at(l)); }
    void keep_column(int l, int column, const npb::five<double>& x) const {
      for (int row = 0; row < 5; ++row) of.columns_[l].a[row][column] = x[row];
    }
    void keep_values(int l, const npb::five<double>& x) const { of.put(at(l), x); }
    npb::five<double> kept_column(int l, int column) const {
      npb::five<double> x{};
      for (int row = 0; row < 5; ++row) x[row] = of.columns_[l].a[row][column];
      return x;
    }
    npb::five<double> kept_values(int l) const { return of.get(at(l)); }
    void finish(int l, const npb::five<double>& x) const { of.put(at(l), x); }
  };

  std::vector<npb::block<double>> columns_;  ///< C* of the line being solved
};

/// What tests of all benchmarks need of BT.
struct bt {
  using phases = bt_phases;
  static constexpr npb::benchmark_kind kind = npb::benchmark_kind::bt;
  static std::unique_ptr<npb::benchmark> make_benchmark(npb::problem what) {
    return npb::bt::make_benchmark(std::move(what));
  }
  static auto make_host_solver(const npb::constants& c, int n_threads, const npb::zone_shape& largest,
                               npb::pack_width width) {
    return npb::bt::make_host_solver(c, n_threads, largest, width);
  }
  static auto make_device_solver(const npb::constants& c) { return npb::bt::make_device_solver(c); }
};

}  // namespace support
