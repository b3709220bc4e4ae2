#include "../src/hybrid_split.hpp"
#include "../src/kinds.hpp"
#include "../src/map_plan.hpp"
#include "../src/memory_limits.hpp"
#include "../src/speeds.hpp"

#include <atomic>
#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// Source: STATIC-hybrid, González & Morancho: as many for each CPU CU. The cut by weight is ours.
int cpu_tasks(const workload& work, std::span<const unit> units, double pcf) {
  const double part = part_of_cpus(units, pcf);
  if (!is_hybrid(units) || !has_equal_weights(work)) return tasks_within(work, part);
  const int n_cpus = static_cast<int>(units_of(unit_kind::cpu, units).size());
  return tasks_within(work, part) / n_cpus * n_cpus;
}

assignment split_by(const workload& work, std::span<const unit> units, double pcf) {
  return hybrid_split(work, units, cpu_tasks(work, units, pcf));
}

/// Source: STATIC-hybrid, González & Morancho; the fit while running and the respect for memory are ours.
class static_hybrid_schedule final : public schedule {
 public:
  static constexpr std::string_view name = "static-hybrid";

  static_hybrid_schedule(const workload& work, std::span<const unit> units, std::optional<double> pcf)
      : work_{work}, units_{units.begin(), units.end()}, given_{pcf}, plan_{make_plan()} {}

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
  std::string describe_factor() const;

  workload work_;
  std::vector<unit> units_;
  std::optional<double> given_;
  std::atomic<double> fitted_{0};  ///< 0 until it is
  map_plan plan_;
};

map_plan static_hybrid_schedule::make_plan() {
  if (given_ || !is_hybrid(units_))
    return {fit_into_memory(split_by(work_, units_, given_.value_or(1)), work_, units_, name), work_, units_};
  assignment provisional = split_by(work_, units_, provisional_pcf(units_));
  give_each_kind_a_task(provisional, units_);
  return {fit_into_memory(std::move(provisional), work_, units_, name), work_, units_,
          [this](speed_fits fits) { return decide(fits); }};
}

std::optional<assignment> static_hybrid_schedule::decide(speed_fits fits) {
  const std::optional<speed> cpu = median_speed(unit_kind::cpu, units_, fits);
  const std::optional<speed> gpu = median_speed(unit_kind::gpu, units_, fits);
  if (!cpu || !gpu) return std::nullopt;
  const double pcf = cpu->per_weight / gpu->per_weight;
  std::optional<assignment> fitting = try_fit(split_by(work_, units_, pcf), work_, units_);
  if (fitting) fitted_ = pcf;
  return fitting;
}

std::string static_hybrid_schedule::describe_factor() const {
  if (!is_hybrid(units_)) return "pcf not needed: one kind of CU";
  if (given_) return fmt::format("pcf={:.4g} (given)", *given_);
  const double fitted = fitted_;
  if (fitted > 0) return fmt::format("pcf={:.4g} (fitted)", fitted);
  return fmt::format(
      "pcf=auto, not fitted: needs {} timed passes of both kinds of CU; meanwhile half for each kind",
      map_plan::profiling_passes);
}

std::string static_hybrid_schedule::describe() const {
  const std::string factor = describe_factor();
  const assignment& shares = plan_.shares();
  return fmt::format("{}: {}, {} tasks on GPUs, {} on CPUs", name, factor,
                     tasks_on(unit_kind::gpu, shares, units_), tasks_on(unit_kind::cpu, shares, units_));
}

}  // namespace

extern const schedule_kind static_hybrid_kind;
constinit const schedule_kind static_hybrid_kind{
    .info = {.name = static_hybrid_schedule::name,
             .options = "pcf=x|auto",
             .rule = "a GPU CU gets pcf times the tasks of a CPU CU, consecutive and even inside each kind; "
                     "auto fits pcf while running"},
    .make = [](const spec& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      const std::optional<double> pcf = options.is("pcf", "auto") ? std::nullopt : options.positive("pcf");
      return std::make_unique<static_hybrid_schedule>(work, units, pcf);
    }};

}  // namespace yoke::scheduling
