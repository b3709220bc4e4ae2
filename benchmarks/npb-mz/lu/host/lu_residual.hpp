#pragma once
/// The residual of a host step. SPEC.md §11.1. In an unnamed namespace: see lu_step.hpp.

#include "../../common/plane_ring.hpp"
#include "lu_scratch.hpp"

namespace npb::lu {
namespace {

/// Rows go through a buffer: the components of the zone's fields often differ by a power of two, and rows of
/// five of them at a time evict each other from the cache.
template <class T>
void residual_of_planes(const step_arguments& a, const thread_scratch& s, int first_k, int last_k) {
  const auto [nx, ny, nz] = a.shape;
  const std::int64_t component = static_cast<std::int64_t>(nx) * ny * nz;
  const int width = ring_layout{a.shape}.width;
  plane_ring<T> ring{a.c, a.shape, a.u, s.ring};
  ring.start(first_k);
  for (int k = first_k; k < last_k; ++k) {
    ring.advance(k);
    for (int j = 1; j < ny - 1; ++j) {
      ring.for_row(j, k, [&](int i, std::int64_t at, const point<T>&, const five<T>& r) {
        // The last pack of forcing reaches beyond the row, where there is more of the field.
        store_five(s.row + i, width, residual(r, load_five<T>(a.forcing + at, component)));
      });
      double* to = a.residual + 1 + nx * (j + static_cast<std::int64_t>(ny) * k);
      for (int m = 0; m < 5; ++m, to += component)
        for (int i = 0; i < nx - 2; i += T::width)
          T::load(s.row + m * width + i).store(to + i, smaller(T::width, nx - 2 - i));
    }
  }
}

}  // namespace
}  // namespace npb::lu
