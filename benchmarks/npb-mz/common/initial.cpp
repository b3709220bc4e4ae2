#include "initial.hpp"

#include "field.hpp"
#include "initial_physics.hpp"
#include "parallel_points.hpp"

#include <algorithm>
#include <vector>

namespace npb {

void make_initial_state(benchmark_kind kind, const constants& c, const zone_shape& shape, double* u,
                        int n_threads) {
  const coordinate_steps h = steps_of(kind, c, shape);
  for_each_point(shape, n_threads, [&](int i, int j, int k, std::size_t at) {
    store(u, shape, at, start_at(kind, h, shape, i, j, k));
  });
}

/// Neighbouring points share the samples of the exact solution; a device, whose memory is better used
/// otherwise, computes them again.
void make_forcing(benchmark_kind kind, const constants& c, const zone_shape& shape, double* forcing,
                  int n_threads) {
  const coordinate_steps h = steps_of(kind, c, shape);
  std::vector<double> exact(shape.field_size());
  for_each_point(shape, n_threads, [&](int i, int j, int k, std::size_t at) {
    store(exact.data(), shape, at, exact_at(h, i, j, k));
  });
  std::fill_n(forcing, shape.field_size(), 0.0);
  for_each_interior_point(shape, n_threads, [&](int i, int j, int k, std::size_t at) {
    const array_field w{exact.data(), shape.nx, shape.ny, shape.nz, i, j, k};
    store(forcing, shape, at, forcing_at(kind, c, w));
  });
}

}  // namespace npb
