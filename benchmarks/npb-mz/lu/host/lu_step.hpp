#pragma once
/// One time step of LU on a CPU, for packs of W lanes: lower sweep, upper sweep with update, residual. All
/// threads of a team finish one before any starts the next.
///
/// Included by exactly one file for each instruction set, hence the unnamed namespace (see pack.hpp).

#include "lu_residual.hpp"
#include "lu_sweeps.hpp"

namespace npb::lu {
namespace {

template <int W>
constexpr step_functions functions_of_width() {
  using step = sweep_step<pack<W>>;
  return {
      W, [](const step_arguments& a, const thread_scratch& s) { step{a, s}.make_masks(); },
      [](const step_arguments& a, const thread_scratch& s, int block, int k) { step{a, s}.lower(block, k); },
      [](const step_arguments& a, const thread_scratch& s, int block, int k) { step{a, s}.upper(block, k); },
      [](const step_arguments& a, const thread_scratch& s, int first_k, int last_k) {
        residual_of_planes<pack<W>>(a, s, first_k, last_k);
      }};
}

}  // namespace
}  // namespace npb::lu
