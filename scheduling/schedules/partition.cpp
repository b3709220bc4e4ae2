#include "../src/maps/partition.hpp"

#include "../src/dealing/map_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/maps/longest_first.hpp"
#include "../src/maps/memory_limits.hpp"
#include "../src/speeds/speeds.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <utility>

namespace yoke::scheduling {

namespace {

constexpr double giga = 1e9;

/// Neighbours together in each memory, by the speeds that were measured; until then by a first guess.
class partition_schedule final : public map_schedule {
 public:
  static constexpr std::string_view name = "partition";

  partition_schedule(const workload& work, std::span<const unit> units, exchange_rates rates)
      : map_schedule{work, units}, rates_{std::move(rates)} {
    plan();
  }

  std::string describe() const override;

 private:
  void plan();
  partition_plan of_loads(const assignment& loads, std::span<const speed> speeds) const {
    return partition(loads, work(), units(), speeds, rates_);
  }
  std::vector<partition_plan> alternatives(std::span<const speed> speeds) const;
  std::optional<assignment> decide(speed_fits fits);

  exchange_rates rates_;
  mutable std::mutex lock_;
  std::string decided_;  ///< guarded by the lock; empty until it is
};

void partition_schedule::plan() {
  std::vector<speed> assumed(units().size(), speed{.launch = 0, .per_weight = 1});
  for (const std::size_t gpu : units_of(unit_kind::gpu, units()))
    assumed[gpu].per_weight = 1 / provisional_pcf(units());
  assignment shares = of_loads(plan_longest_first(work(), units(), assumed).shares, assumed).shares;
  give_each_kind_a_task(shares, units());
  follow(fit_into_memory(std::move(shares), work(), units(), name),
         [this](speed_fits fits) { return decide(fits); });
}

/// On all units, and where there are both kinds on the units of one kind alone: what is cut there may cost
/// more than the other kind gives.
std::vector<partition_plan> partition_schedule::alternatives(std::span<const speed> speeds) const {
  std::vector<partition_plan> plans{of_loads(plan_longest_first(work(), units(), speeds).shares, speeds)};
  std::vector<int> tasks;
  for (int task = 0; task < work().n_tasks; ++task) tasks.push_back(task);
  for (const unit_kind kind : {unit_kind::gpu, unit_kind::cpu}) {
    const std::vector<std::size_t> own = units_of(kind, units());
    if (own.empty() || own.size() == units().size()) continue;
    assignment loads(units().size());
    deal_out(tasks, own, work(), units(), speeds, loads);
    plans.push_back(of_loads(loads, speeds));
  }
  return plans;
}

std::optional<assignment> partition_schedule::decide(speed_fits fits) {
  const std::optional<std::vector<speed>> speeds = fitted_speeds(units(), fits);
  if (!speeds) return std::nullopt;
  std::vector<partition_plan> plans = alternatives(*speeds);
  std::ranges::sort(plans, {}, &partition_plan::makespan);
  for (partition_plan& plan : plans) {
    std::optional<assignment> fitting = try_fit(std::move(plan.shares), work(), units());
    if (!fitting) continue;
    const std::lock_guard guard{lock_};
    decided_ = fmt::format("by fitted speeds, {:.4g} MB between memories at {}, predicted makespan {:.3g} s",
                           plan.cut_bytes * 1e-6, rates_.text(), plan.makespan);
    return fitting;
  }
  return std::nullopt;
}

std::string partition_schedule::describe() const {
  std::string decided;
  {
    const std::lock_guard guard{lock_};
    decided = decided_;
  }
  if (decided.empty())
    decided = fmt::format("by assumed speeds, not fitted: needs {} timed passes of every kind of CU",
                          map_plan::profiling_passes);
  const assignment& now = shares();
  return fmt::format("{}: {} tasks on GPUs, {} on CPUs, neighbours together {}", name,
                     tasks_on(unit_kind::gpu, now, units()), tasks_on(unit_kind::cpu, now, units()), decided);
}

}  // namespace

extern const schedule_kind partition_kind;
constinit const schedule_kind partition_kind{
    .info =
        {.name = partition_schedule::name,
         .options = "bandwidth=x",
         .rule =
             "neighbours together in each memory, by weight and the fitted speed of each CU; bandwidth of an "
             "exchange in GB/s; where it is not given that of links between devices, and 12 through the "
             "host"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      const std::optional<double> given = options.positive("bandwidth");
      return std::make_unique<partition_schedule>(
          work, units, given ? exchange_rates{giga * *given, {}} : usual_rates(work));
    }};

}  // namespace yoke::scheduling
