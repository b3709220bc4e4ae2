#include "../common/initial.hpp"
#include "../common/solver.hpp"
#include "sp_host.hpp"
#include "sp_kernels.hpp"

namespace npb::sp {
namespace {

class sp_benchmark final : public benchmark {
 public:
  using benchmark::benchmark;

  void make_forcing(int zone, double* forcing) const override {
    npb::make_forcing(benchmark_kind::sp, coefficients(), shape_of(zone), forcing);
  }
  void initialize(int zone, const host_zone& fields) const override {
    sp_bt_initial_state(coefficients(), shape_of(zone), fields.u);
  }
  std::unique_ptr<host_solver> make_host_solver(int n_threads, const zone_shape& largest) const override {
    return sp::make_host_solver(coefficients(), n_threads, largest);
  }
  std::unique_ptr<device_solver> make_device_solver() const override {
    return sp::make_device_solver(coefficients());
  }
  zone_norms norms(int zone, const host_zone& fields) const override {
    return sp_bt_norms(coefficients(), shape_of(zone), fields.u, fields.forcing);
  }

 private:
  const zone_shape& shape_of(int zone) const { return what().zones[static_cast<std::size_t>(zone)].shape; }
};

}  // namespace

std::unique_ptr<benchmark> make_benchmark(problem what) {
  return std::make_unique<sp_benchmark>(std::move(what));
}

}  // namespace npb::sp
