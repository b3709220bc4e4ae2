#pragma once
/// What one compute unit was seen to need, kept short so that it follows a unit that changes.

#include <cstddef>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>

namespace yoke::scheduling {

/// The newest batches of a unit. Not thread-safe.
class unit_record {
 public:
  /// `is_warm`: neither of the first pass nor of the first one with another map, in which memory is touched,
  /// data moved and kernels laid out. Cold ones count until there are others. Ignored unless both are > 0.
  void add(double weight, seconds time, bool is_warm);
  bool is_warm() const { return is_warm_; }
  bool is_empty() const { return samples_.empty(); }
  const std::vector<std::pair<double, seconds>>& samples() const { return samples_; }
  void forget();

  static constexpr std::size_t most_samples = 64;

 private:
  std::vector<std::pair<double, seconds>> samples_;
  std::size_t oldest_ = 0;
  bool is_warm_ = false;
};

}  // namespace yoke::scheduling
