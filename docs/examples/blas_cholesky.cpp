/// A Cholesky factorization by OpenBLAS: each call for tiles of the matrix is a task of a CPU CU. Called as
/// `yoke-blas-cholesky [N [TILE]]`.
#include "blas_cholesky.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) try {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024, tile = argc > 2 ? std::atoi(argv[2]) : 128;
  yoke::runtime rt{yoke::runtime_options{.devices = "none"}};
  openblas_set_num_threads(1);  // for each call, of which there are as many at once as CUs
  yoke::tiles<double, 2> a{rt, {.rows = n, .columns = n, .tile_rows = tile, .tile_columns = tile}, "A"};
  const std::vector<double> whole = positive_matrix(n);
  a.scatter(whole);
  {
    yoke::task_group g{rt};
    factorize(g, a);
    g.wait();
  }
  std::vector<double> l(whole.size());
  a.gather(l);
  const double error = cholesky_error(whole, l, n);
  std::printf("yoke-blas-cholesky: %d x %d in tiles of %d on %s: the error is %.1e\n", n, n, tile,
              rt.units().shape().text().c_str(), error);
  return error < 1e-13 ? 0 : 1;
} catch (const yoke::error& problem) {
  std::fprintf(stderr, "yoke-blas-cholesky: %s\n", problem.what());
  return 1;
}
