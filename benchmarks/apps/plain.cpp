#include "plain.hpp"

#include "points.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <omp.h>
#include <vector>

namespace apps::plain {

void axpy(int threads, std::int64_t n, double a, const double* x, double* y) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) y[i] += a * x[i];
}

void multiply(int threads, std::int64_t n, std::int64_t m, const double* a, const double* x, double* y) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) y[i] = std::inner_product(a + i * m, a + (i + 1) * m, x, 0.0);
}

void multiply_matrices(int threads, std::int64_t n, const double* a, const double* b, double* c) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    double* const row = c + i * n;
    for (std::int64_t j = 0; j < n; ++j) row[j] = 0;
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t j = 0; j < n; ++j) row[j] += a[i * n + k] * b[k * n + j];
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

void relax_2d(int threads, std::int64_t n, std::int64_t m, const double* old, double* u) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 1; i < n - 1; ++i) {
    for (std::int64_t j = 1; j < m - 1; ++j) {
      const std::int64_t at = i * m + j;
      u[at] = relaxed(old[at - m], old[at + m], old[at - 1], old[at + 1]);
    }
  }
}

void relax_3d(int threads, std::int64_t n, const double* old, double* u) {
  const std::int64_t plane = n * n;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 1; i < n - 1; ++i) {
    for (std::int64_t j = 1; j < n - 1; ++j) {
      for (std::int64_t k = 1; k < n - 1; ++k) {
        const std::int64_t at = i * plane + j * n + k;
        u[at] = relaxed(old[at - plane], old[at + plane], old[at - n], old[at + n], old[at - 1], old[at + 1]);
      }
    }
  }
}

void heat_3d(int threads, std::int64_t n, double rate, const double* old, double* u) {
  const std::int64_t plane = n * n;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 1; i < n - 1; ++i) {
    for (std::int64_t j = 1; j < n - 1; ++j) {
      for (std::int64_t k = 1; k < n - 1; ++k) {
        const std::int64_t at = i * plane + j * n + k;
        u[at] = warmer(old[at], old[at - plane], old[at + plane], old[at - n], old[at + n], old[at - 1],
                       old[at + 1], rate);
      }
    }
  }
}

void copy(int threads, std::int64_t n, const double* a, double* c) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i];
}

void scale(int threads, std::int64_t n, double factor, const double* c, double* b) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) b[i] = factor * c[i];
}

void add(int threads, std::int64_t n, const double* a, const double* b, double* c) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void triad(int threads, std::int64_t n, double factor, const double* b, const double* c, double* a) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) a[i] = b[i] + factor * c[i];
}

void nothing(int threads, std::int64_t n, const double* a) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) asm volatile("" : : "r"(a));
}

double sum(int threads, std::int64_t n, const double* x) {
  double all = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : all)
  for (std::int64_t i = 0; i < n; ++i) all += x[i];
  return all;
}

double dot(int threads, std::int64_t n, const double* x, const double* y) {
  double sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

void running_sum(int threads, std::int64_t n, const double* x, double* y) {
  std::vector<double> before(static_cast<std::size_t>(threads) + 1);
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    const std::int64_t begin = n * me / all, end = n * (me + 1) / all;
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) sum += x[i];
    before[static_cast<std::size_t>(me) + 1] = sum;
#pragma omp barrier
#pragma omp single
    std::partial_sum(before.begin(), before.end(), before.begin());
    sum = before[static_cast<std::size_t>(me)];
    for (std::int64_t i = begin; i < end; ++i) y[i] = sum += x[i];
  }
}

void transpose(int threads, std::int64_t n, std::int64_t m, const double* a, double* b) {
  constexpr std::int64_t side = 32;
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
  for (std::int64_t j0 = 0; j0 < m; j0 += side)
    for (std::int64_t i0 = 0; i0 < n; i0 += side)
      for (std::int64_t j = j0; j < std::min(j0 + side, m); ++j)
        for (std::int64_t i = i0; i < std::min(i0 + side, n); ++i) b[j * n + i] = a[i * m + j];
}

}  // namespace apps::plain
