#pragma once
/// Memory that a host step works in, and the functions of a step, one set for each instruction set.

#include "../common/constants.hpp"
#include "../common/problem.hpp"

#include <cstdint>

namespace npb::sp {

/// What all threads of a team share in one step. r is [k][j][5][i], interior points only, i padded.
struct step_arguments {
  const constants& c;
  zone_shape shape;
  double* u;
  const double* forcing;
  double* r;
};

/// Doubles and strides of a zone's scratch. Rows are whole packs of the widest kind, whatever width runs.
/// Free functions with internal linkage only: files of different instruction sets include this.
struct scratch_layout {
  static constexpr int widest_pack = 8;

  int r_row;             ///< interior points of a row, padded
  int ring_row;          ///< a row with both neighbours
  int ring_plane;        ///< ny rows and what the last pack reaches beyond
  std::int64_t r_plane;  ///< all j of one k in r
  std::int64_t r_size;

  // Always inlined, so that no file's instruction set gets into another's code.
  __attribute__((always_inline)) explicit scratch_layout(const zone_shape& s)
      : r_row{(s.nx - 2 + widest_pack - 1) / widest_pack * widest_pack},
        ring_row{r_row + widest_pack},
        ring_plane{ring_row * s.ny + 2 * widest_pack},
        r_plane{std::int64_t{5} * r_row * (s.ny - 2)},
        r_size{r_plane * (s.nz - 2)} {}

  /// Of component 0 at i = 1.
  __attribute__((always_inline)) std::int64_t r_offset(int j, int k) const {
    return (k - 1) * r_plane + std::int64_t{5} * r_row * (j - 1);
  }
};

/// What each thread has for itself.
struct thread_scratch {
  double* ring;       ///< [5 planes][5][ny][ring_row]: u
  double* derived;    ///< [3 planes][6][ny][ring_row]: 1/u1, velocities, pressure, heat
  double* sound;      ///< [ny-2][r_row]
  double* tile;       ///< [8 rows][8][r_row]
  double* line;       ///< [longest line][14] packs
  double* states;     ///< [nz-2][7][r_row]
  double* x_weights;  ///< [5][r_row]
};

struct step_functions {
  void (*planes)(const step_arguments&, const thread_scratch&, int first_k, int last_k);
  void (*lines)(const step_arguments&, const thread_scratch&, int first_j, int last_j);
};

/// Of packs of 4 (AVX2 and fma, which all host code needs) and of 8 (AVX-512, where the CPU has it).
extern const step_functions step_of_4;
extern const step_functions step_of_8;

}  // namespace npb::sp
