#pragma once
/// Matrices by OpenBLAS, where it was found.

#include <cstdint>

namespace apps::blas {

/// c = a b of n x of and of x m elements, rows of which lie `in_a`, `in_b` and `in_c` apart: some rows by
/// each of so many threads of the calling one's team. Errors: config_error where there is none.
void multiply(int threads, std::int64_t n, std::int64_t m, std::int64_t of, const double* a,
              std::int64_t in_a, const double* b, std::int64_t in_b, double* c, std::int64_t in_c);

}  // namespace apps::blas
