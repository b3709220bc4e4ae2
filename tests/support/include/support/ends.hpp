#pragma once
/// Numbers at the ends of what a double holds, and of what weights, speeds and rates may be.

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace support {

/// One that every reader of weights, speeds and rates accepts; often at an end.
inline double accepted_amount(std::mt19937& rng) {
  constexpr std::array ends{1e-200, 1e-199, 1e-170, 1e-155, 1e-9, 1.0, 3.0, 1e9, 1e155, 1e170, 1e199, 1e200};
  if (std::bernoulli_distribution{0.6}(rng))
    return ends[std::uniform_int_distribution<std::size_t>{0, ends.size() - 1}(rng)];
  return std::pow(10, std::uniform_real_distribution{-200.0, 200.0}(rng));
}

/// Any number: mostly one of those, else 0, below 0, denormal, too small or large, infinite or none.
inline double near_the_ends(std::mt19937& rng) {
  using limits = std::numeric_limits<double>;
  const std::array others{0.0,
                          -0.0,
                          -1.0,
                          limits::denorm_min(),
                          1e-320,
                          limits::min(),
                          1e-308,
                          1e-300,
                          1e-201,
                          1.0000001e200,
                          1e201,
                          1e300,
                          1e308,
                          limits::max(),
                          -limits::max(),
                          limits::infinity(),
                          -limits::infinity(),
                          limits::quiet_NaN()};
  if (std::bernoulli_distribution{0.5}(rng)) return accepted_amount(rng);
  return others[std::uniform_int_distribution<std::size_t>{0, others.size() - 1}(rng)];
}

}  // namespace support
