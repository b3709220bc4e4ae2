#pragma once
/// What one compute unit was seen to need, kept short so that it follows a unit that changes.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// The newest batches of a unit. Not thread-safe.
class unit_record {
 public:
  /// `is_warm`: neither of the first pass nor of the first one with another map, in which memory is touched,
  /// data moved and kernels laid out. Cold ones count until there are others. Ignored unless both are > 0.
  void add(double weight, seconds time, bool is_warm);
  bool is_warm() const { return is_warm_; }
  bool is_empty() const { return samples_.empty(); }
  /// Adds the samples to a fit of several units.
  void contribute(speed_fit& to) const;
  /// A line of this form, as much higher or lower as this unit is slower or faster; nullopt without samples.
  std::optional<speed> usual(const speed& form) const;
  /// What nine batches of ten keep to; with few samples at least a tenth more than usual.
  std::optional<speed> careful(const speed& form) const;
  void forget();

  static constexpr std::size_t most_samples = 32;

 private:
  std::vector<double> ratios_to(const speed& line) const;

  std::vector<std::pair<double, seconds>> samples_;
  std::size_t oldest_ = 0;
  bool is_warm_ = false;
};

}  // namespace yoke::scheduling
