#pragma once
/// A schedule of one's own: half of what is left is dealt out by the speeds that were seen, again and again,
/// the heaviest tasks first.

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <yoke/schedule.hpp>

class weighted_factoring final : public yoke::schedule {
 public:
  weighted_factoring(const yoke::workload& work, std::span<const yoke::unit> units)
      : weights_{work.weights}, speeds_(units.size(), 1) {
    weights_.resize(static_cast<std::size_t>(work.n_tasks), 1);
    for (int task = 0; task < work.n_tasks; ++task) order_.push_back(yoke::task_id{task});
    std::ranges::sort(order_, std::greater{}, [&](int task) { return std::pair{weights_[task], -task}; });
  }

  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    const std::lock_guard guard{lock_};
    if (pass > pass_) begin(pass);
    if (pass < pass_ || given_ == order_.size()) return {};
    const double share = speeds_[unit] / std::reduce(speeds_.begin(), speeds_.end());
    const double wanted = share * left_ / 2;
    const std::size_t first = given_;
    double taken = 0;
    do taken += weights_[order_[given_++]];
    while (taken < wanted && given_ < order_.size());
    left_ -= taken;
    return {&order_[first], given_ - first};
  }

  void done(yoke::unit_id unit, yoke::pass_id, std::span<const yoke::task_id> batch,
            yoke::seconds time) override {
    const std::lock_guard guard{lock_};
    double weight = 0;
    for (const int task : batch) weight += weights_[task];
    if (time > 0) speeds_[unit] = weight / time;
  }

  std::string describe() const override { return "weighted-factoring: anew in every pass"; }

 private:
  void begin(yoke::pass_id pass) {  // the first to ask for a new pass: nothing of the old one is left
    pass_ = pass;
    given_ = 0;
    left_ = std::reduce(weights_.begin(), weights_.end());
  }

  std::vector<double> weights_, speeds_;
  std::vector<yoke::task_id> order_;
  std::mutex lock_;
  yoke::pass_id pass_ = -1;
  std::size_t given_ = 0;  // tasks before this one are dealt out
  double left_ = 0;        // weight of the others
};
