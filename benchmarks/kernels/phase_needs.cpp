#include "phase_needs.hpp"

namespace kernels {

std::vector<phase_needs> needs_of(npb::benchmark_kind kind) {
  switch (kind) {
    case npb::benchmark_kind::bt:
      return {{"planes", 1667.25, 11, 15}, {"lines", 687.78125, 6, 15}};
    case npb::benchmark_kind::sp:
      return {{"planes", 556.375, 9, 15}, {"lines", 149.6875, 6, 15}};
    case npb::benchmark_kind::lu:
      return {{"lower", 252, 1, 15}, {"upper", 257, 1, 15}, {"residual", 311, 1, 15}};
  }
  return {};
}

}  // namespace kernels
