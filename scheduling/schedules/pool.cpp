#include "../src/hybrid_split.hpp"
#include "../src/kinds.hpp"
#include "../src/longest_first.hpp"
#include "../src/map_schedule.hpp"
#include "../src/memory_limits.hpp"
#include "../src/speeds.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// How much of what the CPU CUs can do is asked of them. SP-MZ and BT-MZ class D beside an H200, 15 CPU CUs:
/// with 91% and more of it the GPU waited in some runs, up to 5% of the time; with 89% and less, next to
/// never.
constexpr double most_used = 0.8;

/// Weight that a unit does in a second, of tasks with `mean` weight; a GPU CU launches once for many.
double rate_of(const unit& u, const speed& of, double mean) {
  const double batch = mean * u.cpus;
  const seconds launch = u.kind == unit_kind::gpu ? 0 : of.launch;
  return batch / (launch + of.per_weight * batch);
}

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
  constexpr auto shared = map_plan::cpu_tasks::shared;
  const double pcf = given_.value_or(is_hybrid(units()) ? provisional_pcf(units()) : 1);
  assignment shares = split_by(part_of_cpus(units(), pcf));
  const bool measures = !given_ && is_hybrid(units());
  if (measures) give_each_kind_a_task(shares, units());
  shares = fit_into_memory(std::move(shares), work(), units(), name);
  if (!measures) return follow(std::move(shares), shared);
  follow(std::move(shares), [this](speed_fits fits) { return decide(fits); }, shared);
}

/// As much for the pool as longest-first would give the CPU CUs one by one, which is for passes that do not
/// overlap, and not too much for passes that do.
std::optional<assignment> pool_schedule::decide(speed_fits fits) {
  const std::optional<std::vector<speed>> speeds = fitted_speeds(units(), fits);
  if (!speeds) return std::nullopt;
  const assignment one_by_one = plan_longest_first(work(), units(), *speeds).shares;
  const double all = weight_of(work(), all_tasks(work().n_tasks));
  double weight = 0, cpu_rate = 0, gpu_rate = 0;
  for (std::size_t u = 0; u < units().size(); ++u) {
    const double rate = rate_of(units()[u], (*speeds)[u], all / work().n_tasks);
    const bool is_cpu = units()[u].kind == unit_kind::cpu;
    weight += is_cpu ? weight_of(work(), one_by_one[u]) : 0;
    cpu_rate += is_cpu ? most_used * rate : 0;
    gpu_rate += is_cpu ? 0 : rate;
  }
  const double part = std::min(weight / all, cpu_rate / (cpu_rate + gpu_rate));
  std::optional<assignment> fitting = try_fit(split_by(part), work(), units());
  fitted_ = fitting.has_value();
  return fitting;
}

std::string pool_schedule::describe_cut() const {
  if (!is_hybrid(units())) return "one kind of CU";
  if (given_) return fmt::format("pcf={:.4g} (given)", *given_);
  if (fitted_) return "by fitted speeds";
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
