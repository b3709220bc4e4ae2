#pragma once
/// One time step of SP on a CPU for packs of W lanes, SPEC.md §9.
///
/// Included by exactly one file for each instruction set, hence the unnamed namespace (see pack.hpp).

#include "../common/pack.hpp"
#include "sp_functions.hpp"
#include "sp_lines.hpp"
#include "sp_planes.hpp"

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
