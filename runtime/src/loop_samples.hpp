#pragma once
/// Every execution of every task, where somebody asked for that.

#include <memory>
#include <vector>

#include <yoke/task_loop.hpp>

namespace yoke::detail {

/// Each CU's thread adds its own; everything else is for outside of runs.
class loop_samples {
 public:
  explicit loop_samples(int n_units)
      : n_units_{n_units}, units_{std::make_unique<kept[]>(static_cast<std::size_t>(n_units))} {}

  bool is_on() const { return on_; }
  void set(bool on);
  void add(const task_sample& sample) {
    units_[static_cast<std::size_t>(int{sample.unit})].samples.push_back(sample);
  }
  /// By task, then by pass.
  std::vector<task_sample> all() const;

 private:
  /// Padded to two cache lines, because neighbouring lines are fetched in pairs.
  struct alignas(128) kept {
    std::vector<task_sample> samples;
  };

  int n_units_;
  std::unique_ptr<kept[]> units_;
  bool on_ = false;
};

}  // namespace yoke::detail
