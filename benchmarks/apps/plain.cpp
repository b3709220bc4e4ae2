#include "plain.hpp"

#include "points.hpp"

namespace apps::plain {

void axpy(int threads, std::int64_t n, double a, const double* x, double* y) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) y[i] += a * x[i];
}

void multiply(int threads, std::int64_t n, std::int64_t m, const double* a, const double* x, double* y) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < m; ++j) sum += a[i * m + j] * x[j];
    y[i] = sum;
  }
}

double jacobi_2d(int threads, std::int64_t n, std::int64_t m, const double* old, double* u) {
  double changed = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : changed)
  for (std::int64_t i = 1; i < n - 1; ++i) {
    for (std::int64_t j = 1; j < m - 1; ++j) {
      const std::int64_t at = i * m + j;
      const double value = relaxed(old[at - m], old[at + m], old[at - 1], old[at + 1]);
      const double change = value - old[at];
      u[at] = value;
      changed += change * change;
    }
  }
  return changed;
}

double jacobi_3d(int threads, std::int64_t n, const double* old, double* u) {
  double changed = 0;
  const std::int64_t plane = n * n;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : changed)
  for (std::int64_t i = 1; i < n - 1; ++i) {
    for (std::int64_t j = 1; j < n - 1; ++j) {
      for (std::int64_t k = 1; k < n - 1; ++k) {
        const std::int64_t at = i * plane + j * n + k;
        const double value =
            relaxed(old[at - plane], old[at + plane], old[at - n], old[at + n], old[at - 1], old[at + 1]);
        const double change = value - old[at];
        u[at] = value;
        changed += change * change;
      }
    }
  }
  return changed;
}

double dot(int threads, std::int64_t n, const double* x, const double* y) {
  double sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace apps::plain
