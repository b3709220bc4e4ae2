#pragma once
/// What all benchmarks have in common beside the spatial operator: set-up and norms.

#include "initial.hpp"
#include "norm_rows.hpp"
#include "solver.hpp"

namespace npb {

class zone_benchmark : public benchmark {
 public:
  using benchmark::benchmark;

  void make_forcing(int zone, double* forcing, int n_threads) const override {
    npb::make_forcing(what().kind, coefficients(), shape_of(zone), forcing, n_threads);
  }
  void initialize(int zone, const host_zone& fields, int n_threads) const override {
    make_initial_state(what().kind, coefficients(), shape_of(zone), fields.u, n_threads);
  }
  zone_norms norms(int zone, const host_zone& fields) const override {
    return norms_of(what().kind, coefficients(), {shape_of(zone), fields.u, fields.forcing, fields.residual});
  }

 private:
  const zone_shape& shape_of(int zone) const { return what().zones[static_cast<std::size_t>(zone)].shape; }
};

}  // namespace npb
