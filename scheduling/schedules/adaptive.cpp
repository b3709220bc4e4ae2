#include "../src/dealing/remapping_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/maps/fewest_moves.hpp"
#include "../src/maps/finish.hpp"
#include "../src/maps/memory_limits.hpp"
#include "../src/speeds/pass_speeds.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace yoke::scheduling {

namespace {

/// Tasks move only where a pass gets so much shorter; then until it is within half of that of the best.
constexpr double least_gain = 0.05;
/// Passes between two looks: the first is cold; a look costs a meeting of all units.
constexpr pass_id first_period = 2, longest_period = 4;

/// Any map, mended by moving the fewest tasks wherever units are seen to finish at different times.
class adaptive_schedule final : public remapping_schedule {
 public:
  static constexpr std::string_view name = "adaptive";

  adaptive_schedule(const workload& work, std::span<const unit> units)
      : remapping_schedule{work, units}, told_{this->units()} {
    const int n_units = static_cast<int>(units.size());
    begin(fit_into_memory(even_split(work.n_tasks, n_units), work, units, name), 0);
  }

  void done(unit_id unit, pass_id, std::span<const task_id> batch, seconds time) override {
    told_.add(unit, weight_of(work(), batch), time);
  }
  std::string describe() const override;

 private:
  void decide(pass_id pass) override;
  void finished(unit_id unit, pass_id earlier) override { told_.finished(unit, earlier > 0); }
  void begin(assignment shares, pass_id from);
  bool mend(pass_id pass);

  pass_speeds told_;
  pass_id period_ = first_period;  ///< guarded by the lock, as is `moved_`
  int moved_ = 0;
};

void adaptive_schedule::begin(assignment shares, pass_id from) {
  remap(from, std::move(shares));
  period_ = first_period;
  keep_until(from + period_);
}

void adaptive_schedule::decide(pass_id pass) {
  if (mend(pass)) return;
  period_ = std::min(period_ + 1, longest_period);
  keep_until(pass + period_);
}

/// Whether tasks have moved.
bool adaptive_schedule::mend(pass_id pass) {
  const std::optional<std::vector<speed>> speeds = told_.get();
  told_.begin();
  if (!speeds) return false;
  const seconds now = makespan_of(shares(), work(), units(), *speeds);
  mended_map better = move_few(shares(), work(), units(), *speeds, least_gain / 2);
  if (better.moved == 0 || better.makespan > (1 - least_gain) * now) return false;
  moved_ += better.moved;
  begin(std::move(better.shares), pass);
  return true;
}

std::string adaptive_schedule::describe() const {
  const std::lock_guard guard{lock()};
  const assignment& now = shares();
  return fmt::format("{}: {} tasks on GPUs, {} on CPUs, {} moved in {} changes of the map", name,
                     tasks_on(unit_kind::gpu, now, units()), tasks_on(unit_kind::cpu, now, units()), moved_,
                     changes());
}

}  // namespace

extern const schedule_kind adaptive_kind;
constinit const schedule_kind adaptive_kind{
    .info = {.name = adaptive_schedule::name,
             .options = "",
             .rule =
                 "begins as static, and moves the fewest tasks that even out what units were seen to need"},
    .make = [](const schedule_options&, const workload& work, std::span<const unit> units)
        -> std::unique_ptr<schedule> { return std::make_unique<adaptive_schedule>(work, units); }};

}  // namespace yoke::scheduling
