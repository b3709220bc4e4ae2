#pragma once
/// Sizes of a ring of planes (plane_ring.hpp).

#include "problem.hpp"

#include <cstdint>

namespace npb {

/// Rows are whole packs of the widest kind, whatever width runs. Always inlined, so that no file's
/// instruction set gets into another's code.
struct ring_layout {
  static constexpr int widest_pack = 8;

  int width;  ///< interior points of a row, padded
  int row;    ///< a row with both neighbours
  int plane;  ///< ny rows and what the last pack reaches beyond

  __attribute__((always_inline)) explicit ring_layout(const zone_shape& s)
      : width{(s.nx - 2 + widest_pack - 1) / widest_pack * widest_pack},
        row{width + widest_pack},
        plane{row * s.ny + 2 * widest_pack} {}

  __attribute__((always_inline)) std::int64_t state_size() const { return std::int64_t{25} * plane; }
  __attribute__((always_inline)) std::int64_t derived_size() const { return std::int64_t{18} * plane; }
  __attribute__((always_inline)) std::int64_t weights_size() const { return std::int64_t{5} * width; }
};

/// Memory of one thread's ring, zeroed and aligned to cache lines by whoever makes it.
struct ring_memory {
  double* state;      ///< [5 planes][5][ny][row]: u
  double* derived;    ///< [3 planes][6][ny][row]: 1/u1, velocities, pressure, heat
  double* x_weights;  ///< [5][width]
};

}  // namespace npb
