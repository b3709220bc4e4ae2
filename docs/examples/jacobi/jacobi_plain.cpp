/// Jacobi's method with relaxation in plain OpenMP, beside jacobi.cpp.
///
///   OMP_NUM_THREADS=2 ./jacobi-plain [n [m [iterations]]]
#include "numbers.hpp"

#include <cstdio>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  const jacobi::arguments given = jacobi::read_arguments(argc, argv);
  const std::int64_t n = given.n, m = given.m;
  const jacobi::coefficients c = jacobi::make_coefficients(n, m);
  std::vector<double> u(n * m), old(n * m), f = jacobi::right_hand_side(n, m);
  double error = 1;
  int k = 0;
#pragma omp parallel for
  for (std::int64_t at = 0; at < n * m; ++at) old[at] = u[at];
  const jacobi::stopwatch watch;
  for (; k < given.iterations && error > jacobi::tolerance; ++k) {
    std::swap(u, old);
    error = 0;
#pragma omp parallel for reduction(+ : error)
    for (std::int64_t i = 1; i < n - 1; ++i) {
      for (std::int64_t j = 1; j < m - 1; ++j) {
        const std::int64_t at = i * m + j;
        const double resid = (c.ax * (old[at - m] + old[at + m]) + c.ay * (old[at - 1] + old[at + 1]) +
                              c.b * old[at] - f[at]) /
                             c.b;
        u[at] = old[at] - c.omega * resid;
        error += resid * resid;
      }
    }
    error = jacobi::norm(error, n, m);
  }
  jacobi::report(n, m, k, error, watch, u);
}
