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
  /// `most`: warm ones, that are kept.
  explicit unit_record(std::size_t most = 64) : warm_{most}, cold_{most} {}
  using batches = std::vector<std::pair<double, seconds>>;

  /// `is_warm`: neither of the first pass nor of the first one with another map, in which memory is touched,
  /// data moved and kernels laid out. Ignored unless both are > 0.
  void add(double weight, seconds time, bool is_warm);
  bool is_warm() const { return !warm_.kept.empty(); }
  bool is_empty() const { return warm_.kept.empty() && cold_.kept.empty(); }
  /// The warm ones, or cold ones while there are no others.
  const batches& samples() const { return is_warm() ? warm_.kept : cold_.kept; }
  /// Cold ones beside warm ones.
  batches doubtful() const { return is_warm() ? cold_.kept : batches{}; }
  /// Of a unit's batches, beside which others are delayed.
  static constexpr double quickest = 0.1;
  /// Of the samples, beside the quickest of them: see delays_of.
  std::vector<double> delays(double most_of_launch) const;
  /// Of warm batches, those with greater delays.
  void forget_delayed(double most_of_launch, double most);
  void forget();
  /// How often it may have changed: who concludes from it need not do so again while that is the same.
  std::size_t changes() const { return changes_; }

 private:
  struct newest {
    explicit newest(std::size_t of) : most{of} {}
    void add(double weight, seconds time);

    std::size_t most;
    batches kept{};
    std::size_t oldest = 0;
  };

  newest warm_, cold_;
  std::size_t changes_ = 0;
};

}  // namespace yoke::scheduling
