#include "../common/sp_bt_benchmark.hpp"
#include "bt_host.hpp"
#include "bt_kernels.hpp"

namespace npb::bt {
namespace {

class bt_benchmark final : public sp_bt_benchmark {
 public:
  using sp_bt_benchmark::sp_bt_benchmark;

  std::unique_ptr<host_solver> make_host_solver(int n_threads, const zone_shape& largest) const override {
    return bt::make_host_solver(coefficients(), n_threads, largest);
  }
  std::unique_ptr<device_solver> make_device_solver() const override {
    return bt::make_device_solver(coefficients());
  }
};

}  // namespace

std::unique_ptr<benchmark> make_benchmark(problem what) {
  return std::make_unique<bt_benchmark>(std::move(what));
}

}  // namespace npb::bt
