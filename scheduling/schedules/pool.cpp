#include "../src/dealing/map_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/maps/cuts.hpp"
#include "../src/maps/first_pool.hpp"
#include "../src/maps/hybrid_split.hpp"
#include "../src/maps/memory_limits.hpp"
#include "../src/speeds/speeds.hpp"

#include <atomic>
#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// GPU CUs keep their shares, whose data are in their memories. CPU CUs have one memory: a task is as well
/// run by one as by another, so one that is slower or disturbed simply takes fewer.
class pool_schedule final : public map_schedule {
 public:
  static constexpr std::string_view name = "pool";

  pool_schedule(const workload& work, std::span<const unit> units, std::optional<double> pcf)
      : map_schedule{work, units}, given_{pcf} {
    plan();
  }

  std::string describe() const override;

 private:
  void plan();
  assignment split_by(double part) const { return hybrid_split(work(), units(), tasks_within(work(), part)); }
  std::optional<assignment> decide(speed_fits fits);
  std::string describe_cut() const;

  std::optional<double> given_;
  std::atomic<bool> fitted_{false};
};

void pool_schedule::plan() {
  constexpr auto shared = cpu_tasks::shared;
  const double pcf = given_.value_or(is_hybrid(units()) ? provisional_pcf(units()) : 1);
  assignment shares = split_by(part_of_cpus(units(), pcf));
  const bool is_hopeless = !given_ && is_hopeless_for_cpus(work(), units());
  const bool measures = !given_ && is_hybrid(units()) && !is_hopeless;
  if (is_hopeless) shares = split_by(0);
  if (measures) give_each_kind_a_task(shares, units());
  shares = fit_into_memory(std::move(shares), work(), units(), name);
  if (!measures) return follow(std::move(shares), shared);
  follow(std::move(shares), [this](speed_fits fits) { return decide(fits); }, shared);
}

std::optional<assignment> pool_schedule::decide(speed_fits fits) {
  const std::optional<std::vector<speed>> speeds = fitted_speeds(units(), fits);
  if (!speeds) return std::nullopt;
  const forecast model{work(), units(), {.usual = *speeds, .cpu_spread = least_spread_of_cpus}};
  std::optional<shared_map> best = best_or_gpus(work(), units(), model, map_family::pools);
  if (!best) return std::nullopt;
  fitted_ = true;
  return std::move(best->shares);
}

std::string pool_schedule::describe_cut() const {
  if (!is_hybrid(units())) return "one kind of CU";
  if (given_) return fmt::format("pcf={:.4g} (given)", *given_);
  if (fitted_) return "by fitted speeds";
  if (is_hopeless_for_cpus(work(), units())) return "a task takes a CPU CU longer than all take the GPUs";
  return fmt::format("not fitted: needs {} timed passes of both kinds of CU", map_plan::profiling_passes);
}

std::string pool_schedule::describe() const {
  const assignment& now = shares();
  return fmt::format("{}: {}, {} tasks on GPUs, {} for whichever CPU CU asks", name, describe_cut(),
                     tasks_on(unit_kind::gpu, now, units()), tasks_on(unit_kind::cpu, now, units()));
}

}  // namespace

extern const schedule_kind pool_kind;
constinit const schedule_kind pool_kind{
    .info = {.name = pool_schedule::name,
             .options = "pcf=x|auto",
             .rule = "a GPU CU gets pcf times the tasks of a CPU CU and keeps them, CPU CUs take theirs as "
                     "they ask; auto finds the cut while running"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      const std::optional<double> pcf = options.is("pcf", "auto") ? std::nullopt : options.positive("pcf");
      return std::make_unique<pool_schedule>(work, units, pcf);
    }};

}  // namespace yoke::scheduling
