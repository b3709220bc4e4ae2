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

/// 0, 1, …, n-1.
inline std::vector<double> from_zero(std::int64_t n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}
