// The same in plain OpenMP, with a barrier between faces and zones.
#include "burgers.hpp"

#include <cstdio>

namespace {

/// With a halo of one point in x and y.
struct block {
  std::int64_t nz, ny, nx;
  std::vector<double> u, v;

  double* row(std::vector<double>& of, std::int64_t k, std::int64_t j) const {
    return of.data() + (k * (ny + 2) + j + 1) * (nx + 2) + 1;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const burgers::grid grid = burgers::grid_of(argc, argv);
  std::vector<block> blocks;
  for (int z = 0; z < grid.zones(); ++z) {
    const auto size = static_cast<std::size_t>(grid.nz * (grid.ny(z) + 2) * (grid.nx(z) + 2));
    blocks.push_back({grid.nz, grid.ny(z), grid.nx(z), std::vector<double>(size), std::vector<double>(size)});
    block& b = blocks.back();
    grid.start(
        z, [&](std::int64_t k, std::int64_t j, std::int64_t i) -> double& { return b.row(b.u, k, j)[i]; });
  }
  const auto at = [&](int z) -> block& { return blocks[static_cast<std::size_t>(z)]; };
  const auto run = [&](int steps) {
    for (int step = 0; step < steps; ++step) {
#pragma omp parallel
      {
#pragma omp for schedule(dynamic)
        for (int z = 0; z < grid.zones(); ++z) {
          block &a = at(z), &e = at(grid.east(z)), &n = at(grid.north(z));
          for (std::int64_t k = 0; k < a.nz; ++k) {
            for (std::int64_t j = 0; j < a.ny; ++j) {
              a.row(a.u, k, j)[a.nx] = e.row(e.u, k, j)[0];
              e.row(e.u, k, j)[-1] = a.row(a.u, k, j)[a.nx - 1];
            }
            for (std::int64_t i = 0; i < a.nx; ++i) {
              a.row(a.u, k, a.ny)[i] = n.row(n.u, k, 0)[i];
              n.row(n.u, k, -1)[i] = a.row(a.u, k, a.ny - 1)[i];
            }
          }
        }
#pragma omp for schedule(dynamic)
        for (int z = 0; z < grid.zones(); ++z) {
          block& b = at(z);
          for (std::int64_t k = 0; k < b.nz; ++k)
            for (std::int64_t j = 0; j < b.ny; ++j) {
              const double *u = b.row(b.u, k, j), *south = b.row(b.u, k, j - 1),
                           *north = b.row(b.u, k, j + 1);
              double* v = b.row(b.v, k, j);
              for (std::int64_t i = 0; i < b.nx; ++i)
                v[i] = burgers::next(u[i], u[i - 1], u[i + 1], south[i], north[i]);
            }
          b.u.swap(b.v);
        }
      }
    }
  };
  run(4);
  const double begin = burgers::seconds();
  run(grid.steps);
  const double took = burgers::seconds() - begin;
  double sum = 0;
  for (int z = 0; z < grid.zones(); ++z)
    sum += grid.sum(
        z, [&](std::int64_t k, std::int64_t j, std::int64_t i) { return at(z).row(at(z).u, k, j)[i]; });
  std::printf("%d zones, %.0f points: sum %.17g, %.6f s a step\n", grid.zones(), grid.points(), sum,
              took / grid.steps);
}
