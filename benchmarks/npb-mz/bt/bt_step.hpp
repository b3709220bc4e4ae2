#pragma once
/// One time step of BT on a CPU for packs of W lanes, SPEC.md §10.
///
/// Included by exactly one file for each instruction set, hence the unnamed namespace (see pack.hpp).

#include "../common/pack.hpp"
#include "bt_functions.hpp"
#include "bt_lines.hpp"
#include "bt_planes.hpp"

namespace npb::bt {
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
}  // namespace npb::bt
