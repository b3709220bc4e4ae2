#include "../common/sp_bt_benchmark.hpp"
#include "sp_host.hpp"
#include "sp_kernels.hpp"

namespace npb::sp {
namespace {

class sp_benchmark final : public sp_bt_benchmark {
 public:
  using sp_bt_benchmark::sp_bt_benchmark;

  std::unique_ptr<host_solver> make_host_solver(int n_threads, const zone_shape& largest) const override {
    return sp::make_host_solver(coefficients(), n_threads, largest);
  }
  std::unique_ptr<device_solver> make_device_solver() const override {
    return sp::make_device_solver(coefficients());
  }
};

}  // namespace

std::unique_ptr<benchmark> make_benchmark(problem what) {
  return std::make_unique<sp_benchmark>(std::move(what));
}

}  // namespace npb::sp
