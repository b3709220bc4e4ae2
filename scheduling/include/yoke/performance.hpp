// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Distribution of divisible work by performance functions: how long a unit takes against how much it has.
/// Source: OpenH (Farrelly et al.), section VI.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <yoke/ids.hpp>

namespace yoke::scheduling {

/// Repeated measurements of one time, under Student's t distribution. Pure.
class measured_time {
 public:
  void add(seconds sample);
  int samples() const { return n_; }
  seconds mean() const { return mean_; }
  /// Half of the interval that has the true mean with 95%, as a share of the mean; infinite below two
  /// samples.
  double relative_error() const;

 private:
  int n_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< of the distances from the mean
};

/// One measurement: so much took so long.
struct performance_point {
  std::int64_t amount = 0;
  seconds time = 0;
};

/// Through measured points, of any shape. Nothing takes no time, less than the first point as long as that,
/// what lies between is on straight lines. Beyond the last point the line through the last two goes on, or
/// through 0 and the only one, and does not fall. A unit that works in steps takes as long for each amount as
/// for the next multiple of its step.
class performance_function {
 public:
  /// Errors: usage_error for no points, amounts that do not grow from 1 up, times that are neither 0
  /// nor from 1e-200 to 1e200, and a step below 1.
  explicit performance_function(std::vector<performance_point> points, std::int64_t step = 1);

  seconds time(std::int64_t amount) const;
  std::span<const performance_point> points() const { return points_; }
  std::int64_t step() const { return step_; }

 private:
  std::vector<performance_point> points_;
  std::int64_t step_;
};

/// Of a unit that does so much in the time in which the fastest does `most`; of 0 as if it did as much, for
/// it gets nothing. Beyond 1e200 times it is no slower: it gets nothing either way.
performance_function by_weight(double weight, double most);

/// The least multiple of `step` that is no less; the largest number where int64 does not hold it. Requires:
/// amount >= 0, step > 0.
constexpr std::int64_t next_multiple(std::int64_t amount, std::int64_t step) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t missing = amount % step == 0 ? 0 : step - amount % step;
  return amount > largest - missing ? largest : amount + missing;
}

/// What a unit can have: nothing, or from `least` to `most`.
struct amount_limits {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

/// Shares of `n`, one for each function, such that the longest time of all is the least that can be had.
/// Shares are multiples of `granularity`, but for one. `limits`: one for each function, or none.
/// Pure. Cost: 0.1 ms for n / granularity = 10^4 on 16 units, 0.5 ms where times fall as amounts grow (a CPU
/// of an EPYC); it grows with n * log n then.
/// Errors: usage_error for n < 0 or above 2^62, granularity < 1 or of more than 2^32 in n, no functions, and
/// limits that n does not fit.
std::vector<std::int64_t> distribute(std::int64_t n, std::span<const performance_function> functions,
                                     std::span<const amount_limits> limits = {},
                                     std::int64_t granularity = 1);

}  // namespace yoke::scheduling
