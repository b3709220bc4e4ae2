#include "../src/dealing/map_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/maps/hybrid_split.hpp"
#include "../src/maps/memory_limits.hpp"
#include "../src/speeds/speeds.hpp"

#include <atomic>
#include <fmt/format.h>

#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

/// Source: STATIC-hybrid, González & Morancho: as many for each CPU CU. The cut by weight is ours.
int tasks_for_cpus(const workload& work, std::span<const unit> units, double pcf) {
  const double part = part_of_cpus(units, pcf);
  if (!is_hybrid(units) || !has_equal_weights(work)) return tasks_within(work, part);
  const int n_cpus = static_cast<int>(units_of(unit_kind::cpu, units).size());
  return tasks_within(work, part) / n_cpus * n_cpus;
}

assignment split_by(const workload& work, std::span<const unit> units, double pcf) {
  return hybrid_split(work, units, tasks_for_cpus(work, units, pcf));
}

/// Source: STATIC-hybrid, González & Morancho; the fit while running and the respect for memory are ours.
class static_hybrid_schedule final : public map_schedule {
 public:
  static constexpr std::string_view name = "static-hybrid";

  static_hybrid_schedule(const workload& work, std::span<const unit> units, std::optional<double> pcf)
      : map_schedule{work, units}, given_{pcf} {
    plan();
  }

  std::string describe() const override;

 private:
  void plan();
  std::optional<assignment> decide(speed_fits fits);
  std::string describe_factor() const;

  std::optional<double> given_;
  std::atomic<double> fitted_{0};  ///< 0 until it is
};

void static_hybrid_schedule::plan() {
  if (given_ || !is_hybrid(units()))
    return follow(fit_into_memory(split_by(work(), units(), given_.value_or(1)), work(), units(), name));
  assignment provisional = split_by(work(), units(), provisional_pcf(units()));
  give_each_kind_a_task(provisional, units());
  follow(fit_into_memory(std::move(provisional), work(), units(), name),
         [this](speed_fits fits) { return decide(fits); });
}

std::optional<assignment> static_hybrid_schedule::decide(speed_fits fits) {
  const std::optional<speed> cpu = median_speed(unit_kind::cpu, units(), fits);
  const std::optional<speed> gpu = median_speed(unit_kind::gpu, units(), fits);
  if (!cpu || !gpu) return std::nullopt;
  const double pcf = cpu->per_weight / gpu->per_weight;
  if (!detail::amounts.has(pcf)) return std::nullopt;
  std::optional<assignment> fitting = try_fit(split_by(work(), units(), pcf), work(), units());
  if (fitting) fitted_ = pcf;
  return fitting;
}

std::string static_hybrid_schedule::describe_factor() const {
  if (!is_hybrid(units())) return "pcf not needed: one kind of CU";
  if (given_) return fmt::format("pcf={:.4g} (given)", *given_);
  const double fitted = fitted_;
  if (fitted > 0) return fmt::format("pcf={:.4g} (fitted)", fitted);
  return fmt::format(
      "pcf=auto, not fitted: needs {} timed passes of both kinds of CU; meanwhile half for each kind",
      map_plan::profiling_passes);
}

std::string static_hybrid_schedule::describe() const {
  const std::string factor = describe_factor();
  const assignment& now = shares();
  return fmt::format("{}: {}, {} tasks on GPUs, {} on CPUs", name, factor,
                     tasks_on(unit_kind::gpu, now, units()), tasks_on(unit_kind::cpu, now, units()));
}

}  // namespace

extern const schedule_kind static_hybrid_kind;
constinit const schedule_kind static_hybrid_kind{
    .info = {.name = static_hybrid_schedule::name,
             .options = "pcf=x|auto",
             .rule = "a GPU CU gets pcf times the tasks of a CPU CU, consecutive and even inside each kind; "
                     "auto fits pcf while running"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      const std::optional<double> pcf = options.is("pcf", "auto") ? std::nullopt : options.positive("pcf");
      return std::make_unique<static_hybrid_schedule>(work, units, pcf);
    }};

}  // namespace yoke::scheduling
