#include "../src/kinds.hpp"
#include "../src/longest_first.hpp"
#include "../src/map_plan.hpp"
#include "../src/memory_limits.hpp"
#include "../src/speeds.hpp"

#include <fmt/format.h>
#include <mutex>

namespace yoke::scheduling {

namespace {

/// Longest first by the speeds that were measured, with slack for CPU CUs; until then as if each kind could
/// do half.
class cost_schedule final : public schedule {
 public:
  static constexpr std::string_view name = "cost";

  cost_schedule(const workload& work, std::span<const unit> units)
      : work_{work}, units_{units.begin(), units.end()}, plan_{make_plan()} {}

  std::span<const task_id> next(unit_id unit, pass_id pass) override { return plan_.next(unit, pass); }
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override {
    plan_.done(unit, pass, batch, time);
  }
  bool is_dynamic() const override { return false; }
  pass_id fixed_from() const override { return plan_.fixed_from(); }
  std::vector<unit_id> map() const override { return plan_.map(); }
  std::vector<unit_id> map_of(pass_id pass) override { return plan_.map_of(pass); }
  std::string describe() const override;

 private:
  map_plan make_plan();
  std::optional<assignment> decide(speed_fits fits);

  workload work_;
  std::vector<unit> units_;
  mutable std::mutex lock_;
  std::string fitted_;  ///< guarded by the lock; empty until the speeds are
  map_plan plan_;
};

map_plan cost_schedule::make_plan() {
  std::vector<speed> assumed(units_.size(), speed{.launch = 0, .per_weight = 1});
  for (const std::size_t gpu : units_of(unit_kind::gpu, units_))
    assumed[gpu].per_weight = 1 / provisional_pcf(units_);
  assignment shares = plan_longest_first(work_, units_, assumed).shares;
  give_each_kind_a_task(shares, units_);
  put_neighbours_together(shares, work_);
  return {fit_into_memory(std::move(shares), work_, units_, name), work_, units_,
          [this](speed_fits fits) { return decide(fits); }};
}

std::string describe_speed(unit_kind kind, std::span<const unit> units, speed_fits fits) {
  const std::optional<speed> usual = median_speed(kind, units, fits);
  if (!usual) return "";
  return fmt::format("; {} CU: {:.3g} s + {:.3g} s per weight", kind == unit_kind::cpu ? "CPU" : "GPU",
                     usual->launch, usual->per_weight);
}

std::optional<assignment> cost_schedule::decide(speed_fits fits) {
  const std::optional<std::vector<speed>> speeds = fitted_speeds(units_, fits);
  if (!speeds) return std::nullopt;
  plan_with_makespan best = plan_longest_first(work_, units_, *speeds);
  leave_slack(best, work_, units_, *speeds);
  put_neighbours_together(best.shares, work_);
  std::optional<assignment> fitting = try_fit(std::move(best.shares), work_, units_);
  if (fitting) {
    const std::lock_guard guard{lock_};
    fitted_ = fmt::format("fitted speeds, predicted makespan {:.3g} s{}{}", best.makespan,
                          describe_speed(unit_kind::cpu, units_, fits),
                          describe_speed(unit_kind::gpu, units_, fits));
  }
  return fitting;
}

std::string cost_schedule::describe() const {
  std::string speeds;
  {
    const std::lock_guard guard{lock_};
    speeds = fitted_;
  }
  if (speeds.empty())
    speeds = fmt::format("assumed speeds, not fitted: needs {} timed passes of every kind of CU",
                         map_plan::profiling_passes);
  const assignment& shares = plan_.shares();
  return fmt::format("{}: {} tasks on GPUs, {} on CPUs, longest first by {}", name,
                     tasks_on(unit_kind::gpu, shares, units_), tasks_on(unit_kind::cpu, shares, units_),
                     speeds);
}

}  // namespace

extern const schedule_kind cost_kind;
constinit const schedule_kind cost_kind{
    .info = {.name = cost_schedule::name,
             .options = "",
             .rule = "longest first, by weight and the fitted speed of each CU"},
    .make = [](const spec&, const workload& work, std::span<const unit> units) -> std::unique_ptr<schedule> {
      return std::make_unique<cost_schedule>(work, units);
    }};

}  // namespace yoke::scheduling
