#include "../src/fewest_moves.hpp"
#include "../src/finish.hpp"
#include "../src/kinds.hpp"
#include "../src/map_plan.hpp"
#include "../src/memory_limits.hpp"
#include "../src/pass_speeds.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <mutex>

namespace yoke::scheduling {

namespace {

/// Tasks move only where a pass gets so much shorter; then until it is within half of that of the best.
constexpr double least_gain = 0.05;
/// Passes between two looks: the first is cold; a look costs a meeting of all units.
constexpr pass_id first_period = 2, longest_period = 4;

/// Any map, mended by moving the fewest tasks wherever units are seen to finish at different times.
class adaptive_schedule final : public schedule {
 public:
  static constexpr std::string_view name = "adaptive";

  adaptive_schedule(const workload& work, std::span<const unit> units)
      : work_{work}, units_{units.begin(), units.end()}, states_(units.size()), told_{units_} {
    begin(fit_into_memory(even_split(work_.n_tasks, static_cast<int>(units_.size())), work_, units_, name),
          0);
  }

  std::span<const task_id> next(unit_id unit, pass_id pass) override;
  void done(unit_id unit, pass_id, std::span<const task_id> batch, seconds time) override {
    told_.add(unit, weight_of(work_, batch), time);
  }
  void prepare(pass_id pass) override {
    const std::lock_guard guard{lock_};
    decide_by(pass);
  }
  pass_plan plan_of(pass_id pass) const override;
  std::string describe() const override;

 private:
  struct stretch {
    stretch(pass_id from, assignment shares, const adaptive_schedule& of)
        : first{from}, plan{std::move(shares), of.work_, of.units_} {}

    const pass_id first;
    map_plan plan;
  };
  struct alignas(64) unit_state {
    pass_id pass = -1;
    stretch* in = nullptr;
  };

  void begin(assignment shares, pass_id from);
  stretch& of_pass(pass_id pass) const;
  void decide_by(pass_id pass);
  bool mend(pass_id pass);

  workload work_;
  std::vector<unit> units_;
  std::vector<unit_state> states_;
  pass_speeds told_;

  mutable std::mutex lock_;  ///< of what follows
  std::vector<std::unique_ptr<stretch>> stretches_;
  pass_id newest_ = -1;
  pass_id until_ = first_period;
  pass_id period_ = first_period;
  int moved_ = 0;
};

void adaptive_schedule::begin(assignment shares, pass_id from) {
  stretches_.push_back(std::make_unique<stretch>(from, std::move(shares), *this));
  period_ = first_period;
  until_ = from + period_;
}

adaptive_schedule::stretch& adaptive_schedule::of_pass(pass_id pass) const {
  auto at = stretches_.rbegin();
  while ((*at)->first > pass) ++at;
  return **at;
}

std::span<const task_id> adaptive_schedule::next(unit_id unit, pass_id pass) {
  unit_state& own = states_[index(unit)];
  if (own.pass != pass) {
    const std::lock_guard guard{lock_};
    decide_by(pass);
    own.pass = pass;
    own.in = &of_pass(pass);
  }
  const std::span<const task_id> batch = own.in->plan.next(unit, pass);
  if (batch.empty()) told_.finished(unit, pass > own.in->first);
  return batch;
}

void adaptive_schedule::decide_by(pass_id pass) {
  if (pass <= newest_) return;
  newest_ = pass;
  if (pass < until_ || mend(pass)) return;
  period_ = std::min(period_ + 1, longest_period);
  until_ = pass + period_;
}

/// Whether tasks have moved.
bool adaptive_schedule::mend(pass_id pass) {
  const std::optional<std::vector<speed>> speeds = told_.get();
  told_.begin();
  if (!speeds) return false;
  const assignment& present = stretches_.back()->plan.shares();
  const seconds now = makespan_of(present, work_, units_, *speeds);
  mended_map better = move_few(present, work_, units_, *speeds, least_gain / 2);
  if (better.moved == 0 || better.makespan > (1 - least_gain) * now) return false;
  moved_ += better.moved;
  begin(std::move(better.shares), pass);
  return true;
}

pass_plan adaptive_schedule::plan_of(pass_id pass) const {
  const std::lock_guard guard{lock_};
  if (pass >= until_ && pass > newest_) return {};
  const auto next = std::ranges::find_if(stretches_, [&](const auto& one) { return one->first > pass; });
  return {.map = to_map(of_pass(pass).plan.shares(), work_.n_tasks),
          .until = next != stretches_.end() ? (*next)->first : std::max(until_, pass + 1)};
}

std::string adaptive_schedule::describe() const {
  const std::lock_guard guard{lock_};
  const assignment& now = stretches_.back()->plan.shares();
  return fmt::format("{}: {} tasks on GPUs, {} on CPUs, {} moved in {} changes of the map", name,
                     tasks_on(unit_kind::gpu, now, units_), tasks_on(unit_kind::cpu, now, units_), moved_,
                     stretches_.size() - 1);
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
