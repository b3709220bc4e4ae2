#include "../common/parallel_points.hpp"
#include "../common/zone_benchmark.hpp"
#include "host/lu_host.hpp"
#include "lu_kernels.hpp"
#include "lu_physics.hpp"

#include <algorithm>

namespace npb::lu {
namespace {

void make_residual(const constants& c, const host_zone& z, int n_threads) {
  std::fill_n(z.residual, z.shape.field_size(), 0.0);
  for_each_interior_point(z.shape, n_threads, [&](int i, int j, int k, std::size_t at) {
    const array_field w{z.u, z.shape.nx, z.shape.ny, z.shape.nz, i, j, k};
    store(z.residual, z.shape, at,
          residual(w.apply(c, make_point(w.centre())), load(z.forcing, z.shape, at)));
  });
}

class lu_benchmark final : public zone_benchmark {
 public:
  using zone_benchmark::zone_benchmark;

  bool has_residual() const override { return true; }

  void initialize(int zone, const host_zone& fields, int n_threads) const override {
    zone_benchmark::initialize(zone, fields, n_threads);
    make_residual(coefficients(), fields, n_threads);
  }
  std::unique_ptr<host_solver> make_host_solver(int n_threads, const zone_shape& largest) const override {
    return lu::make_host_solver(coefficients(), n_threads, largest);
  }
  std::size_t host_scratch_bytes(int n_threads, const zone_shape& largest) const override {
    return lu::host_scratch_bytes(n_threads, largest);
  }
  std::unique_ptr<device_solver> make_device_solver() const override {
    return lu::make_device_solver(coefficients());
  }
};

}  // namespace

std::unique_ptr<benchmark> make_benchmark(problem what) {
  return std::make_unique<lu_benchmark>(std::move(what));
}

}  // namespace npb::lu
