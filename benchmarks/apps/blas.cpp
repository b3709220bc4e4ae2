#include "blas.hpp"

extern "C" {  // of cblas.h, which comes with the development packages only
void cblas_dgemm(int order, int a_is, int b_is, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
void openblas_set_num_threads(int threads);
}

namespace apps::blas {

// Threads of the library's own are one pool for all units, so each thread of a unit's team makes a call.
void multiply(int threads, std::int64_t n, std::int64_t m, std::int64_t of, const double* a,
              std::int64_t in_a, const double* b, std::int64_t in_b, double* c, std::int64_t in_c) {
  constexpr int by_rows = 101, as_it_is = 111;
  static const bool is_set = (openblas_set_num_threads(1), true);
  static_cast<void>(is_set);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; ++t) {
    const std::int64_t first = n * t / threads, last = n * (t + 1) / threads;
    if (first == last || m == 0) continue;
    cblas_dgemm(by_rows, as_it_is, as_it_is, static_cast<int>(last - first), static_cast<int>(m),
                static_cast<int>(of), 1, a + first * in_a, static_cast<int>(in_a), b, static_cast<int>(in_b),
                0, c + first * in_c, static_cast<int>(in_c));
  }
}

}  // namespace apps::blas
