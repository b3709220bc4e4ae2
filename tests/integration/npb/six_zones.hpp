#pragma once
/// A small problem of every benchmark: six zones, of different sizes, in a torus of 3x2.

#include "common/solver.hpp"

#include <memory>
#include <utility>

inline std::unique_ptr<npb::benchmark> six_zones(npb::benchmark_kind kind) {
  const bool is_bt = kind == npb::benchmark_kind::bt;  // whose smallest zone must have six points too
  npb::problem what = npb::make_custom_problem(kind, 'S', {is_bt ? 48 : 29, is_bt ? 32 : 23, 9, 3, 2});
  switch (kind) {
    case npb::benchmark_kind::bt:
      return npb::bt::make_benchmark(std::move(what));
    case npb::benchmark_kind::lu:
      return npb::lu::make_benchmark(std::move(what));
    case npb::benchmark_kind::sp:
      break;
  }
  return npb::sp::make_benchmark(std::move(what));
}
