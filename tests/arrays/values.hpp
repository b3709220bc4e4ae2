#pragma once
/// Values of elements that several tests use.

#include <cstdint>
#include <numeric>
#include <vector>

/// 1, 2, …, n.
inline std::vector<double> counting(std::int64_t n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}
