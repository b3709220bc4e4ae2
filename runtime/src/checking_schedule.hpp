#pragma once
/// A schedule whose every pass is checked, for those of one's own.

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::detail {

/// Asks `inner` and keeps account of what it gives: a task that is given twice in a pass is a usage_error at
/// the second time, one that nobody was given where the last unit has had the pass. Each names task, pass and
/// schedule. Tasks that do not exist are left to the loop. A lock and a look at each task for each batch.
class checking_schedule final : public schedule {
 public:
  /// `loop`: what messages call it.
  checking_schedule(schedule& inner, int n_tasks, int n_units, std::string loop = "the loop")
      : inner_{inner}, n_tasks_{n_tasks}, n_units_{n_units}, loop_{std::move(loop)} {}

  std::span<const task_id> next(unit_id unit, pass_id pass) override;
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override {
    inner_.done(unit, pass, batch, time);
  }
  void prepare(pass_id pass) override { inner_.prepare(pass); }
  pass_plan plan_of(pass_id pass) const override { return inner_.plan_of(pass); }
  std::vector<unit_id> homes() const override { return inner_.homes(); }
  std::string describe() const override { return inner_.describe(); }
  learner* learning() override { return inner_.learning(); }

 private:
  /// A pass that some unit has begun and not every unit has had.
  struct open_pass {
    std::vector<unit_id> given;  ///< unit of each task; -1: not given
    int units_through = 0;
  };
  /// Where a unit does not take part, passes stay open; the oldest are then looked at no more.
  static constexpr std::size_t most_open = 64;

  /// nullptr for a pass that is looked at no more. Requires the lock, as all below.
  open_pass* find(pass_id pass);
  void give(open_pass& to, unit_id unit, pass_id pass, std::span<const task_id> batch) const;
  void check_complete(const open_pass& of, pass_id pass) const;
  [[noreturn]] void refuse(const std::string& what) const;

  schedule& inner_;
  int n_tasks_;
  int n_units_;
  std::string loop_;
  std::mutex lock_;
  std::map<pass_id, open_pass> open_;
  pass_id forgotten_ = -1;  ///< the newest pass that is looked at no more
};

}  // namespace yoke::detail
