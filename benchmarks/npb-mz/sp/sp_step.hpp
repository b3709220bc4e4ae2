#pragma once
/// One time step of SP on a CPU in two phases, for packs of W lanes:
///   planes  for each k: right-hand side + txinvr, x sweep + ninvr, y sweep + pinvr; reads u, writes r
///   lines   for each j: z sweep + tzetar + update; reads r, writes u
/// All threads of a team finish `planes` before any starts `lines`. SPEC.md §9, §16.2.
///
/// Included by exactly one file for each instruction set, hence the unnamed namespace (see pack.hpp).

#include "../common/pack.hpp"
#include "sp_lines.hpp"
#include "sp_planes.hpp"
#include "sp_scratch.hpp"

namespace npb::sp {
namespace {

template <int W>
constexpr step_functions functions_of_width() {
  return {[](const step_arguments& a, const thread_scratch& s, int first_k, int last_k) {
            plane_step<pack<W>>(a, s).run(first_k, last_k);
          },
          [](const step_arguments& a, const thread_scratch& s, int first_j, int last_j) {
            line_step<pack<W>>(a, s).run(first_j, last_j);
          }};
}

}  // namespace
}  // namespace npb::sp
