#pragma once
/// A schedule with a map given from outside: for setting up, measuring one kind of CU alone, and the norms.

#include <span>
#include <string>
#include <vector>

#include <yoke/schedule.hpp>

namespace npb {

/// Every unit gets all of its tasks of `map` as one batch in each pass.
class assigned_schedule final : public yoke::schedule {
 public:
  assigned_schedule(std::vector<yoke::unit_id> map, int n_units);

  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override;
  yoke::pass_plan plan_of(yoke::pass_id) const override {
    return {.map = map_, .until = yoke::pass_plan::for_good};
  }
  std::string describe() const override { return "assigned by the program"; }

 private:
  struct alignas(64) share {
    std::vector<yoke::task_id> tasks;
    yoke::pass_id next_pass = 0;  ///< written by the unit's own thread
  };
  std::vector<yoke::unit_id> map_;
  std::vector<share> shares_;
};

/// Consecutive tasks, weights as even as whole tasks allow, over `units`.
std::vector<yoke::unit_id> spread(std::span<const double> weights, std::span<const yoke::unit_id> units);

}  // namespace npb
