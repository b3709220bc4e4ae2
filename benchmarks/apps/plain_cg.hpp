#pragma once
/// Loops of the method of conjugate gradients in plain OpenMP, as those of plain.hpp.

#include <cstdint>

namespace apps::plain {

/// q = A p; returns p q. A by rows of all lengths, and by rows of `width`.
double multiply_rows(int threads, std::int64_t n, const std::int64_t* offsets, const std::int32_t* columns,
                     const double* values, const double* p, double* q);
double multiply_padded(int threads, std::int64_t n, std::int64_t width, const std::int32_t* columns,
                       const double* values, const double* p, double* q);
/// x += alpha p, r -= alpha q; returns r r.
double step(int threads, std::int64_t n, double alpha, const double* p, const double* q, double* x,
            double* r);
/// p = r + beta p
void turn(int threads, std::int64_t n, double beta, const double* r, double* p);

}  // namespace apps::plain
