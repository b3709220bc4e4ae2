#pragma once
/// A schedule of one's own: the GPU CUs take the heaviest tasks that are left, the CPU CUs the lightest.

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include <yoke/schedule.hpp>

class heavy_to_gpus final : public yoke::schedule {
 public:
  heavy_to_gpus(const yoke::workload& work, std::vector<yoke::unit> units) : units_{std::move(units)} {
    for (int task = 0; task < work.n_tasks; ++task) by_weight_.push_back(yoke::task_id{task});
    if (!work.weights.empty())
      std::sort(by_weight_.begin(), by_weight_.end(),
                [&](yoke::task_id a, yoke::task_id b) { return work.weights[a] < work.weights[b]; });
  }

  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    const std::lock_guard guard{lock_};
    if (pass > pass_) {  // the first to ask for a new pass: nothing of the old one is left
      pass_ = pass;
      lightest_ = 0;
      heaviest_ = by_weight_.size();
    }
    if (pass < pass_ || lightest_ == heaviest_) return {};
    const bool gpu = units_[unit].kind == yoke::unit_kind::gpu;
    return {&by_weight_[gpu ? --heaviest_ : lightest_++], 1};
  }

  std::string describe() const override { return "heavy-to-gpus: anew in every pass"; }

 private:
  std::vector<yoke::unit> units_;
  std::vector<yoke::task_id> by_weight_;
  std::mutex lock_;
  yoke::pass_id pass_ = -1;
  std::size_t lightest_ = 0;  // tasks [lightest_, heaviest_) of by_weight_ are left
  std::size_t heaviest_ = 0;
};
