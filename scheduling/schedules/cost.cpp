#include "../src/dealing/map_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/maps/cuts.hpp"
#include "../src/maps/first_pool.hpp"
#include "../src/maps/hybrid_split.hpp"
#include "../src/maps/longest_first.hpp"
#include "../src/maps/memory_limits.hpp"
#include "../src/speeds/speeds.hpp"

#include <fmt/format.h>
#include <mutex>

namespace yoke::scheduling {

namespace {

/// Longest first by the speeds that were measured, with slack for CPU CUs; until then by a first guess.
class cost_schedule final : public map_schedule {
 public:
  static constexpr std::string_view name = "cost";

  cost_schedule(const workload& work, std::span<const unit> units) : map_schedule{work, units} { plan(); }

  std::string describe() const override;

 private:
  void plan();
  void share_cpus();
  std::optional<assignment> decide(speed_fits fits);

  bool is_shared_ = false;  ///< CPU CUs alone
  mutable std::mutex lock_;
  std::string fitted_;  ///< guarded by the lock; empty until the speeds are
};

void cost_schedule::plan() {
  if (!is_hybrid(units()) && units().front().kind == unit_kind::cpu) return share_cpus();
  if (is_hopeless_for_cpus(work(), units())) {
    const std::vector<speed> alike(units().size(), speed{.launch = 0, .per_weight = 1});
    return follow(fit_into_memory(cut_at(0, work(), units(), alike), work(), units(), name));
  }
  std::vector<speed> assumed(units().size(), speed{.launch = 0, .per_weight = 1});
  for (const std::size_t gpu : units_of(unit_kind::gpu, units()))
    assumed[gpu].per_weight = 1 / provisional_pcf(units());
  assignment shares = plan_longest_first(work(), units(), assumed).shares;
  give_each_kind_a_task(shares, units());
  put_neighbours_together(shares, task_orders{work()});
  follow(fit_into_memory(std::move(shares), work(), units(), name),
         [this](speed_fits fits) { return decide(fits); });
}

/// CPU CUs alone have one memory: what one is late with another one takes, where tasks are many.
void cost_schedule::share_cpus() {
  const std::vector<speed> alike(units().size(), speed{.launch = 0, .per_weight = 1});
  const forecast model{work(), units(), {.usual = alike, .cpu_spread = least_spread_of_cpus}};
  shared_map best = best_shared(work(), units(), model).value_or(shared_map{assignment(units().size())});
  is_shared_ = best.cpus == cpu_tasks::shared;
  follow(fit_into_memory(std::move(best.shares), work(), units(), name), best.cpus);
}

std::string describe_speed(unit_kind kind, std::span<const unit> units, speed_fits fits) {
  const std::optional<speed> usual = median_speed(kind, units, fits);
  if (!usual) return "";
  return fmt::format("; {} CU: {:.3g} s + {:.3g} s per weight", kind == unit_kind::cpu ? "CPU" : "GPU",
                     usual->launch, usual->per_weight);
}

std::optional<assignment> cost_schedule::decide(speed_fits fits) {
  const std::optional<std::vector<speed>> speeds = fitted_speeds(units(), fits);
  if (!speeds) return std::nullopt;
  const forecast model{work(), units(), {.usual = *speeds, .cpu_spread = least_spread_of_cpus}};
  std::optional<shared_map> found = best_or_gpus(work(), units(), model, map_family::own_tasks);
  if (!found) return std::nullopt;
  assignment best = std::move(found->shares);
  const std::lock_guard guard{lock_};
  fitted_ = fmt::format("fitted speeds, expected pass {:.3g} s{}{}", model.of(best, cpu_tasks::own),
                        describe_speed(unit_kind::cpu, units(), fits),
                        describe_speed(unit_kind::gpu, units(), fits));
  return best;
}

std::string cost_schedule::describe() const {
  if (is_shared_)
    return fmt::format("{}: {} tasks, longest first, for whichever CPU CU asks", name, work().n_tasks);
  std::string speeds;
  {
    const std::lock_guard guard{lock_};
    speeds = fitted_;
  }
  if (speeds.empty())
    speeds = fmt::format("assumed speeds, not fitted: needs {} timed passes of every kind of CU",
                         map_plan::profiling_passes);
  const assignment& now = shares();
  return fmt::format("{}: {} tasks on GPUs, {} on CPUs, longest first by {}", name,
                     tasks_on(unit_kind::gpu, now, units()), tasks_on(unit_kind::cpu, now, units()), speeds);
}

}  // namespace

extern const schedule_kind cost_kind;
constinit const schedule_kind cost_kind{
    .info = {.name = cost_schedule::name,
             .options = "",
             .rule = "longest first, by weight and the fitted speed of each CU"},
    .make = [](const schedule_options&, const workload& work, std::span<const unit> units)
        -> std::unique_ptr<schedule> { return std::make_unique<cost_schedule>(work, units); }};

}  // namespace yoke::scheduling
