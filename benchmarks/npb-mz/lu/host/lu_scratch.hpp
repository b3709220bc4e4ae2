#pragma once
/// Memory that a host step works in, and the functions of a step, one set for each instruction set.

#include "../../common/ring_layout.hpp"
#include "../lu_physics.hpp"

#include <cstdint>

namespace npb::lu {

/// How packs of `lanes` go through a plane: lane l of a block is row j + l, and is l points behind the first
/// lane, so that the neighbours in x and y of all lanes come before them. `steps` packs make a block.
struct sweep_layout {
  int lanes;
  int blocks;  ///< of rows in a plane
  int steps;

  __attribute__((always_inline)) sweep_layout(const zone_shape& s, int n)
      : lanes{n}, blocks{(s.ny - 2 + n - 1) / n}, steps{s.nx - 2 + n - 1} {}

  __attribute__((always_inline)) std::int64_t block_size() const { return std::int64_t{5} * steps * lanes; }
  __attribute__((always_inline)) std::int64_t plane_size() const { return blocks * block_size(); }
  /// Of the row that goes from block to block, [i][5], and what packs reach beyond it.
  __attribute__((always_inline)) std::int64_t row_size() const {
    return std::int64_t{5} * (steps + 2 * lanes);
  }
  /// Of all blocks but the last, and of the last.
  __attribute__((always_inline)) std::int64_t masks_size() const { return std::int64_t{2} * steps * lanes; }
};

/// What all threads of a team share in one step.
struct step_arguments {
  const constants& c;
  const sweep_constants& k;
  zone_shape shape;
  double* u;
  const double* forcing;
  double* residual;
  double* v;     ///< [nz-2][block][step][5] packs
  double* from;  ///< contributions of the plane before, [block][step][5] packs
};

/// What each thread has for itself.
struct thread_scratch {
  ring_memory ring;
  double* row;    ///< contributions of the last row of the block before
  double* masks;  ///< [2][step] packs: 1 where a lane is a point; of all blocks but the last, of the last
};

struct step_functions {
  int lanes;
  /// The lanes that are points; before a thread's first block of a zone.
  void (*prepare)(const step_arguments&, const thread_scratch&);
  /// One block after the block before in y and the same block before in z. SPEC.md §11.2 (a), (b)
  void (*lower)(const step_arguments&, const thread_scratch&, int block, int k);
  /// One block after the blocks after it. (c), (d)
  void (*upper)(const step_arguments&, const thread_scratch&, int block, int k);
  /// (e)
  void (*residual)(const step_arguments&, const thread_scratch&, int first_k, int last_k);
};

/// Of packs of 4 (AVX2 and fma, which all host code needs) and of 8 (AVX-512, where the CPU has it).
extern const step_functions step_of_4;
extern const step_functions step_of_8;

}  // namespace npb::lu
