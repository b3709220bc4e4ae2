#pragma once
/// A host step in two phases, as SP and BT have it:
///   planes  for each k: right-hand side, x sweep, y sweep; reads u, writes r
///   lines   for each j: z sweep and update; reads r, writes u
/// All threads of a team finish `planes` before any starts `lines`. SPEC.md §16.2.
///
/// Files of different instruction sets include this: what they call is always inlined.

#include "constants.hpp"
#include "ring_layout.hpp"
#include "solver.hpp"

#include <cstdint>
#include <memory>

namespace npb {

/// What all threads of a team share in one step. r is [k][j][5][i], interior points only, i padded.
struct step_arguments {
  const constants& c;
  zone_shape shape;
  double* u;
  const double* forcing;
  double* r;
};

/// Where a row of r lies.
struct r_layout {
  int width;             ///< interior points of a row, padded
  std::int64_t r_plane;  ///< all j of one k
  std::int64_t size;

  __attribute__((always_inline)) explicit r_layout(const zone_shape& s)
      : width{ring_layout{s}.width},
        r_plane{std::int64_t{5} * width * (s.ny - 2)},
        size{r_plane * (s.nz - 2)} {}

  /// Of component 0 at i = 1.
  __attribute__((always_inline)) std::int64_t offset(int j, int k) const {
    return (k - 1) * r_plane + std::int64_t{5} * width * (j - 1);
  }
};

/// What each thread has for itself. The numbers of values are those of scratch_needs.
struct thread_scratch {
  ring_memory ring;
  double* plane;   ///< [ny-2][width]
  double* tile;    ///< [8 rows][tile_values][width]
  double* line;    ///< [longest line][line_packs] packs
  double* states;  ///< [nz-2][state_values][width]
};

/// Numbers of a point that a step keeps; functions_of (z_lines.hpp) takes them from its types of lines.
struct scratch_needs {
  int plane_values;  ///< of an interior point of a plane, kept for its y sweep: 0 or 1
  int tile_values;   ///< of a point, moved from rows to lines along x
  int line_packs;    ///< of a point on the line being solved
  int state_values;  ///< of a point, staged for the z sweep
};

/// A step of one benchmark for one instruction set.
struct step_functions {
  void (*planes)(const step_arguments&, const thread_scratch&, int first_k, int last_k);
  void (*lines)(const step_arguments&, const thread_scratch&, int first_j, int last_j);
  scratch_needs needs;
};

/// The solver that runs `step`, which must live as long, with an inner team of n_threads.
std::unique_ptr<phased_solver> make_two_phase_solver(const constants& c, int n_threads,
                                                     const zone_shape& largest, const step_functions& step);
/// Bytes of its arrays.
std::size_t two_phase_scratch_bytes(int n_threads, const zone_shape& largest, const step_functions& step);

}  // namespace npb
