#pragma once
/// The applications as loops of plain OpenMP, on as many threads as it is told.

#include <cstdint>

namespace apps::plain {

void axpy(int threads, std::int64_t n, double a, const double* x, double* y);
/// y = A x, A of n rows and m columns.
void multiply(int threads, std::int64_t n, std::int64_t m, const double* a, const double* x, double* y);
/// c = a b, of n x n.
void multiply_matrices(int threads, std::int64_t n, const double* a, const double* b, double* c);
/// A sweep over the inner points of n x m; returns the sum of squared changes.
double jacobi_2d(int threads, std::int64_t n, std::int64_t m, const double* old, double* u);
/// The same of n x n x n.
double jacobi_3d(int threads, std::int64_t n, const double* old, double* u);
/// Both without the sum.
void relax_2d(int threads, std::int64_t n, std::int64_t m, const double* old, double* u);
void relax_3d(int threads, std::int64_t n, const double* old, double* u);
void heat_3d(int threads, std::int64_t n, double rate, const double* old, double* u);
void copy(int threads, std::int64_t n, const double* a, double* c);
void scale(int threads, std::int64_t n, double factor, const double* c, double* b);
void add(int threads, std::int64_t n, const double* a, const double* b, double* c);
/// a = b + factor * c
void triad(int threads, std::int64_t n, double factor, const double* b, const double* c, double* a);
/// A loop whose iterations do nothing.
void nothing(int threads, std::int64_t n, const double* a);
double sum(int threads, std::int64_t n, const double* x);
double dot(int threads, std::int64_t n, const double* x, const double* y);
/// y[i] = x[0] + … + x[i], each thread's elements twice: their sum, then what they come to behind those
/// before.
void running_sum(int threads, std::int64_t n, const double* x, double* y);
/// b(j, i) = a(i, j), a of n rows and m columns, by tiles that fit the cache.
void transpose(int threads, std::int64_t n, std::int64_t m, const double* a, double* b);

}  // namespace apps::plain
