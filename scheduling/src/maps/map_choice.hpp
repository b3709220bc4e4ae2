#pragma once
/// The best of several maps, by the pass that is expected.

#include "assignment.hpp"
#include "cuts.hpp"
#include "forecast.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace yoke::scheduling {

/// The best of those that were offered: by the expected pass, and the most careful of nearly equal ones.
class map_choice {
 public:
  /// `careful`: by the pass with slack alone.
  map_choice(const forecast& model, cpu_tasks cpus, bool careful = false)
      : model_{model}, cpus_{cpus}, careful_{careful} {}
  void offer(std::optional<assignment> shares) {
    if (!shares) return;
    const seconds expected = careful_ ? model_.insured(*shares, cpus_) : model_.of(*shares, cpus_);
    least_ = offered_.empty() ? expected : std::min(least_, expected);
    offered_.push_back({*std::move(shares), expected});
  }
  seconds least() const { return offered_.empty() ? std::numeric_limits<seconds>::infinity() : least_; }
  std::optional<shared_map> take() const {
    const option* best = nullptr;
    seconds insured = 0;
    for (const option& one : offered_) {
      if (one.expected > model_.worth_of_slack(one.shares) * least_) continue;
      const seconds with_slack = model_.insured(one.shares, cpus_);
      if (best != nullptr && with_slack >= insured) continue;
      best = &one;
      insured = with_slack;
    }
    if (best == nullptr) return std::nullopt;
    return shared_map{best->shares, cpus_};
  }

 private:
  struct option {
    assignment shares;
    seconds expected;
  };
  const forecast& model_;
  cpu_tasks cpus_;
  bool careful_;
  std::vector<option> offered_;
  seconds least_ = 0;
};

}  // namespace yoke::scheduling
