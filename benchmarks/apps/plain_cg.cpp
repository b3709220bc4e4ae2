#include "plain_cg.hpp"

namespace apps::plain {

double multiply_rows(int threads, std::int64_t n, const std::int64_t* offsets, const std::int32_t* columns,
                     const double* values, const double* p, double* q) {
  double product = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : product)
  for (std::int64_t row = 0; row < n; ++row) {
    double sum = 0;
    for (std::int64_t at = offsets[row]; at < offsets[row + 1]; ++at) sum += values[at] * p[columns[at]];
    q[row] = sum;
    product += p[row] * sum;
  }
  return product;
}

double multiply_padded(int threads, std::int64_t n, std::int64_t width, const std::int32_t* columns,
                       const double* values, const double* p, double* q) {
  double product = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : product)
  for (std::int64_t row = 0; row < n; ++row) {
    double sum = 0;
    for (std::int64_t at = row * width; at < (row + 1) * width; ++at) sum += values[at] * p[columns[at]];
    q[row] = sum;
    product += p[row] * sum;
  }
  return product;
}

double step(int threads, std::int64_t n, double alpha, const double* p, const double* q, double* x,
            double* r) {
  double product = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : product)
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    product += r[i] * r[i];
  }
  return product;
}

void turn(int threads, std::int64_t n, double beta, const double* r, double* p) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) p[i] = r[i] + beta * p[i];
}

}  // namespace apps::plain
