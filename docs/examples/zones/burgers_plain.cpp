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

class problem {
 public:
  explicit problem(const burgers::grid& of) : grid_{of} {
    for (int z = 0; z < of.zones(); ++z) {
      const auto size = static_cast<std::size_t>(of.nz * (of.ny(z) + 2) * (of.nx(z) + 2));
      blocks_.push_back({of.nz, of.ny(z), of.nx(z), std::vector<double>(size), std::vector<double>(size)});
      of.start(z, [&](std::int64_t k, std::int64_t j, std::int64_t i) -> double& {
        return at(z).row(at(z).u, k, j)[i];
      });
    }
  }

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
#pragma omp parallel
      {
#pragma omp for schedule(dynamic)
        for (int z = 0; z < grid_.zones(); ++z) exchange(at(z), at(grid_.east(z)), at(grid_.north(z)));
#pragma omp for schedule(dynamic)
        for (int z = 0; z < grid_.zones(); ++z) advance(at(z));
      }
    }
  }
  double sum() {
    double all = 0;
    for (int z = 0; z < grid_.zones(); ++z)
      all += grid_.sum(
          z, [&](std::int64_t k, std::int64_t j, std::int64_t i) { return at(z).row(at(z).u, k, j)[i]; });
    return all;
  }

 private:
  block& at(int z) { return blocks_[static_cast<std::size_t>(z)]; }
  static void exchange(block& a, block& east, block& north) {
    for (std::int64_t k = 0; k < a.nz; ++k) {
      for (std::int64_t j = 0; j < a.ny; ++j) {
        a.row(a.u, k, j)[a.nx] = east.row(east.u, k, j)[0];
        east.row(east.u, k, j)[-1] = a.row(a.u, k, j)[a.nx - 1];
      }
      for (std::int64_t i = 0; i < a.nx; ++i) {
        a.row(a.u, k, a.ny)[i] = north.row(north.u, k, 0)[i];
        north.row(north.u, k, -1)[i] = a.row(a.u, k, a.ny - 1)[i];
      }
    }
  }
  static void advance(block& b) {
    for (std::int64_t k = 0; k < b.nz; ++k)
      for (std::int64_t j = 0; j < b.ny; ++j) {
        const double *u = b.row(b.u, k, j), *south = b.row(b.u, k, j - 1), *north = b.row(b.u, k, j + 1);
        double* v = b.row(b.v, k, j);
        for (std::int64_t i = 0; i < b.nx; ++i)
          v[i] = burgers::next(u[i], u[i - 1], u[i + 1], south[i], north[i]);
      }
    b.u.swap(b.v);
  }

  const burgers::grid& grid_;
  std::vector<block> blocks_;
};

}  // namespace

int main(int argc, char** argv) {
  const burgers::grid grid = burgers::grid_of(argc, argv);
  problem all{grid};
  all.run(20);
  const double begin = burgers::seconds();
  all.run(grid.steps);
  const double took = burgers::seconds() - begin;
  std::printf("%d zones, %.0f points: sum %.17g, %.6f s a step\n", grid.zones(), grid.points(), all.sum(),
              took / grid.steps);
}
