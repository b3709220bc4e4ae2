#pragma once
/// The factorization of yoke-blas-cholesky, and whether it is right.

#include <cblas.h>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include <yoke/tasks.hpp>

// NOLINTNEXTLINE(readability-identifier-naming): LAPACK's name
extern "C" void dpotrf_(const char* triangle, const int* n, double* a, const int* stride, int* info);

/// The lower triangle of a positive definite matrix in square tiles becomes L, A = L L^T.
inline void factorize(yoke::task_group& g, yoke::tiles<double, 2>& a) {
  const std::vector<yoke::unit_id> on = g.cpus();
  const auto size = [&](std::int64_t tile) { return static_cast<int>(a.rows_of(tile)); };
  const auto read = [&](std::int64_t i, std::int64_t j) { return in(std::as_const(a).tile(i, j)); };
  for (std::int64_t k = 0; k < a.n_rows(); ++k) {
    const int n = size(k);
    g.run("potrf", {.on = on, .priority = 3}, inout(a.tile(k, k)), [n](yoke::task_context&, auto t) {
      int info = 0;
      dpotrf_("U", &n, t.get(), &n, &info);  // of columns; a tile has rows
      if (info != 0) throw yoke::usage_error{"A is not positive definite"};
    });
    for (std::int64_t i = k + 1; i < a.n_rows(); ++i)
      g.run("trsm", {.on = on, .priority = 2}, read(k, k), inout(a.tile(i, k)),
            [n, m = size(i)](yoke::task_context&, auto l, auto t) {
              cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1, l.get(),
                          n, t.get(), n);
            });
    for (std::int64_t j = k + 1; j < a.n_rows(); ++j) {
      const yoke::task_options options{.on = on, .priority = j == k + 1 ? 1 : 0};
      g.run("syrk", options, read(j, k), inout(a.tile(j, j)),
            [n, m = size(j)](yoke::task_context&, auto l, auto t) {
              cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, m, n, -1, l.get(), n, 1, t.get(), m);
            });
      for (std::int64_t i = j + 1; i < a.n_rows(); ++i)
        g.run("gemm", options, read(i, k), read(j, k), inout(a.tile(i, j)),
              [n, rows = size(i), columns = size(j)](yoke::task_context&, auto left, auto above, auto t) {
                cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, n, -1, left.get(), n,
                            above.get(), n, 1, t.get(), columns);
              });
    }
  }
}

inline std::vector<double> positive_matrix(int n) {
  std::vector<double> a(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto row = static_cast<int>(i / static_cast<std::size_t>(n)),
               column = static_cast<int>(i % static_cast<std::size_t>(n));
    a[i] = 1.0 / (1 + std::abs(row - column)) + (row == column ? 2 : 0);
  }
  return a;
}

/// Of A x = L (L^T x) for one x, relative; L by rows, what is above its diagonal does not count.
inline double cholesky_error(const std::vector<double>& a, const std::vector<double>& l, int n) {
  std::vector<double> x(static_cast<std::size_t>(n)), found(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, a.data(), n, x.data(), 1, 0, found.data(), 1);
  const double size = cblas_dnrm2(n, found.data(), 1);
  cblas_dtrmv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, l.data(), n, x.data(), 1);
  cblas_dtrmv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, l.data(), n, x.data(), 1);
  cblas_daxpy(n, -1, x.data(), 1, found.data(), 1);
  return cblas_dnrm2(n, found.data(), 1) / size;
}
