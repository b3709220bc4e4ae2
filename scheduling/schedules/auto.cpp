#include "../src/alternatives.hpp"
#include "../src/change_rule.hpp"
#include "../src/cuts.hpp"
#include "../src/first_pool.hpp"
#include "../src/kinds.hpp"
#include "../src/map_plan.hpp"
#include "../src/memory_limits.hpp"
#include "../src/observations.hpp"
#include "../src/recall.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace yoke::scheduling {

namespace {

/// A pass that takes so much longer than the same map took before, twice in a row: the machine has changed.
constexpr double drifted = 1.15;
constexpr seconds short_pass = 1e-3, tiny_pass = 6e-5;
/// Of CPU CUs alone, for which nothing is measured.
constexpr double usual_spread = 0.1;
/// From then on, only maps that were measured.
constexpr int most_trials = 3;

/// Begins with the GPUs full and a task for each CPU CU, predicts what each way of using the machine would
/// take, and goes from map to map only where that pays; CPU CUs share a pool. See docs/guide/scheduling.md.
///
/// A stretch is a number of passes with the same map. Which one a pass belongs to is decided once, under the
/// lock, when the first unit asks for it.
class auto_schedule final : public schedule {
 public:
  static constexpr std::string_view name = "auto";

  auto_schedule(const workload& work, std::span<const unit> units);

  std::span<const task_id> next(unit_id unit, pass_id pass) override;
  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override;
  void prepare(pass_id pass) override;
  pass_plan plan_of(pass_id pass) const override;
  bool wants_rehearsal() const override { return has_choice_; }
  void rehearsed(unit_id unit, double weight, seconds time) override;
  void ran(pass_id first, pass_id passes, seconds time) override;
  profile learnt() const override;
  void recall(const profile& earlier) override;
  std::string describe() const override;

 private:
  struct stretch {
    stretch(pass_id from, const alternative& which, const auto_schedule& of)
        : first{from}, what{which}, plan{which.shares, of.work_, of.units_, which.cpus} {}
    bool is_warm(pass_id pass) const { return pass > first; }

    const pass_id first;
    const alternative what;
    map_plan plan;
  };
  struct alignas(64) unit_state {
    pass_id pass = -1;
    stretch* in = nullptr;
  };

  void begin_stretch(const alternative& what, pass_id from);
  stretch& of_pass(pass_id pass) const;
  pass_id end_of(pass_id pass) const;
  bool is_steady(pass_id pass) const;
  void decide_by(pass_id pass);
  void judge(pass_id pass);
  void start_again(pass_id pass);
  std::optional<alternative> worth_a_try(pass_time now) const;
  bool is_promising(const alternatives::comparison& best, const forecast& model, bool is_measured) const;
  bool has_drifted(pass_time now);
  bool move_to(const alternative& better, pass_id pass);
  void begin_period(pass_id pass, pass_id length);

  workload work_;
  std::vector<unit> units_;
  bool has_choice_;
  std::vector<unit_state> states_;
  observations told_;

  mutable std::mutex lock_;  ///< of what follows; before those of told_
  std::vector<std::unique_ptr<stretch>> stretches_;
  alternatives known_;
  pass_id newest_ = -1;
  pass_id until_ = 1;     ///< the pass before which nothing is decided
  seconds expected_ = 0;  ///< of a pass with the best map known
  bool is_rehearsed_ = false;
  bool is_recalled_ = false;
  int trials_ = 0;  ///< of maps that were not known
  int changes_ = 0;
  pass_id began_ = 0;  ///< of the machine as it is now
  int late_ = 0;       ///< periods in a row that took too long
};

auto_schedule::auto_schedule(const workload& work, std::span<const unit> units)
    : work_{work},
      units_{units.begin(), units.end()},
      has_choice_{work.n_tasks > 0 && units_of(unit_kind::gpu, units).size() > 0 && units.size() > 1},
      states_(units.size()),
      told_{units_, usual_weight(work)} {
  const int n = first_pool(work_, units_);
  const std::vector<speed> alike(units_.size(), speed{.launch = 0, .per_weight = 1});
  const forecast model{work_, units_, {.usual = alike, .cpu_spread = usual_spread}};
  const bool cpus_alone = work.n_tasks > 0 && units_of(unit_kind::gpu, units).empty();
  std::optional<shared_map> first = cpus_alone ? best_shared(work_, units_, model) : std::nullopt;
  if (!first) first = shared_map{cut_at(n, work_, units_, alike)};
  assignment shares = fit_into_memory(std::move(first->shares), work_, units_, name);
  begin_stretch(make_alternative(std::move(shares), units_, first->cpus), 0);
}

void auto_schedule::begin_stretch(const alternative& what, pass_id from) {
  stretches_.push_back(std::make_unique<stretch>(from, what, *this));
}

auto_schedule::stretch& auto_schedule::of_pass(pass_id pass) const {
  auto at = stretches_.rbegin();
  while ((*at)->first > pass) ++at;
  return **at;
}

/// The first pass that has or may have another map.
pass_id auto_schedule::end_of(pass_id pass) const {
  const auto next = std::ranges::find_if(stretches_, [&](const auto& one) { return one->first > pass; });
  return next != stretches_.end() ? (*next)->first : std::max(until_, pass + 1);
}

std::span<const task_id> auto_schedule::next(unit_id unit, pass_id pass) {
  unit_state& own = states_[index(unit)];
  if (own.pass != pass) {
    const std::lock_guard guard{lock_};
    decide_by(pass);
    own.pass = pass;
    own.in = &of_pass(pass);
  }
  const std::span<const task_id> batch = own.in->plan.next(unit, pass);
  if (batch.empty() && has_choice_ && own.in->is_warm(pass)) told_.finished(unit);
  return batch;
}

void auto_schedule::done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) {
  if (!has_choice_ || !(time > 0)) return;
  told_.add(unit, weight_of(work_, batch), time, states_[index(unit)].in->is_warm(pass));
}

void auto_schedule::rehearsed(unit_id unit, double weight, seconds time) {
  // A GPU that runs one task is nearly empty: it says nothing about a full one.
  if (units_[index(unit)].kind == unit_kind::gpu) return;
  const std::lock_guard guard{lock_};
  is_rehearsed_ = true;
  told_.rehearsed(unit, weight, time);
}

void auto_schedule::ran(pass_id first, pass_id passes, seconds time) {
  const std::lock_guard guard{lock_};
  if (stretches_.back()->is_warm(first)) told_.ran(passes, time);
}

void auto_schedule::decide_by(pass_id pass) {
  if (pass <= newest_) return;
  newest_ = pass;
  if (has_choice_ && pass >= until_) judge(pass);
}

void auto_schedule::begin_period(pass_id pass, pass_id length) {
  until_ = pass + length;
  if (pass == stretches_.back()->first || is_steady(pass)) told_.begin_period();
}

/// Until then what passes take is gathered; from then on each period is compared with those before.
bool auto_schedule::is_steady(pass_id pass) const { return pass - stretches_.back()->first >= steady_after; }

bool auto_schedule::has_drifted(pass_time now) {
  const std::optional<pass_time> before = known_.measured(stretches_.back()->what);
  const bool is_late =
      is_steady(newest_) && before && now.usual * (1 - 2 * now.error) > drifted * before->usual;
  late_ = is_late ? late_ + 1 : 0;
  return late_ >= 2;
}

/// Whether to leave the present map for `best`.
bool auto_schedule::is_promising(const alternatives::comparison& best, const forecast& model,
                                 bool is_measured) const {
  const bool is_other = best.what.how != stretches_.back()->what.how;
  return is_worth_a_change(
      {.part = best.part,
       .is_measured = is_measured,
       .is_trial = is_other && !known_.measured(best.what),
       .is_first = is_rehearsed_ && !is_recalled_ && !is_measured && stretches_.size() == 1,
       .doubt = stake_of(best.what, work_, units_) * model.error(),
       .passes = newest_});
}

/// The machine is not the one it was: what was measured before says nothing.
void auto_schedule::start_again(pass_id pass) {
  known_.forget();
  trials_ = changes_ = late_ = 0;
  began_ = pass;
  told_.forget(stretches_.back()->plan.shares());
  begin_period(pass, 1);
}

void auto_schedule::judge(pass_id pass) {
  const stretch& present = *stretches_.back();
  const std::optional<pass_time> now = told_.pass();
  const std::optional<unit_speeds> speeds =
      told_.cover(present.plan.shares()) ? told_.speeds() : std::nullopt;
  if (!speeds) return begin_period(pass, 1);
  if (now && has_drifted(*now)) return start_again(pass);
  const forecast model{work_, units_, *speeds};
  if (now && late_ == 0) known_.note(present.what, *now);
  const alternatives::comparison best = trials_ < most_trials || known_.all().empty()
                                            ? known_.best(work_, units_, present.what, model)
                                            : known_.best_seen(present.what, model);
  expected_ = known_.expected(best.what, model);
  if (const auto other = now ? worth_a_try(*now) : std::nullopt; other && move_to(*other, pass)) return;
  if (is_promising(best, model, now.has_value()) && move_to(best.what, pass)) return;
  const pass_id age = pass - present.first;
  begin_period(pass,
               late_ > 0 ? steady_after / 4 : period_after(age, now, cost_of_look(work_, units_.size())));
}

/// Where passes are so short that a few of them cost nothing, what no prediction tells: one GPU CU, for what
/// several send to each other may be most of a pass, and the CPU CUs, for most of it may be the launch.
std::optional<alternative> auto_schedule::worth_a_try(pass_time now) const {
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units_);
  const bool on_gpus =
      stretches_.back()->what.how == use::gpus || stretches_.back()->what.how == use::one_gpu;
  if (!on_gpus || trials_ == most_trials) return std::nullopt;
  const auto unless_measured = [&](assignment shares) -> std::optional<alternative> {
    std::optional<assignment> fitting = try_fit(std::move(shares), work_, units_);
    if (!fitting) return std::nullopt;
    alternative one = make_alternative(*std::move(fitting), units_);
    return known_.measured(one) ? std::nullopt : std::optional{std::move(one)};
  };
  const std::vector<speed> alike(units_.size(), speed{.launch = 0, .per_weight = 1});
  if (now.usual < tiny_pass && gpus.size() < units_.size())
    if (auto cpus = unless_measured(cut_at(work_.n_tasks, work_, units_, alike))) return cpus;
  if (now.usual > short_pass || gpus.size() < 2) return std::nullopt;
  return unless_measured(on_one(gpus.front(), work_.n_tasks, units_.size()));
}

/// False where the map does not fit into the memories, or there were changes enough.
bool auto_schedule::move_to(const alternative& better, pass_id pass) {
  if (!may_change(changes_, pass - began_)) return false;
  const bool is_trial = better.how != stretches_.back()->what.how && !known_.measured(better);
  begin_stretch(better, pass);
  trials_ += is_trial ? 1 : 0;
  ++changes_;
  begin_period(pass, 1);
  return true;
}

void auto_schedule::prepare(pass_id pass) {
  const std::lock_guard guard{lock_};
  decide_by(pass);
}

pass_plan auto_schedule::plan_of(pass_id pass) const {
  const std::lock_guard guard{lock_};
  const bool is_decided = !has_choice_ || pass < until_ || pass <= newest_;
  if (!is_decided) return {};
  return {.map = to_map(of_pass(pass).plan.shares(), work_.n_tasks),
          .until = has_choice_ ? end_of(pass) : pass_plan::for_good,
          .cpus_share = of_pass(pass).what.cpus == cpu_tasks::shared};
}

profile auto_schedule::learnt() const {
  const std::lock_guard guard{lock_};
  return has_choice_ ? to_profile(told_, known_, stretches_.back()->what, units_) : profile{};
}

/// Begins where the earlier runs ended; what has changed since shows as drift.
void auto_schedule::recall(const profile& earlier) {
  const std::lock_guard guard{lock_};
  std::optional<recollection> found = has_choice_ ? recollect(earlier, work_, units_) : std::nullopt;
  if (!found || newest_ >= 0) return;
  tell_again(earlier, work_, units_, told_);
  stretches_.clear();
  begin_stretch(found->best, 0);
  known_ = std::move(found->known);
  trials_ = std::min(static_cast<int>(known_.all().size()), most_trials);
  is_recalled_ = true;
}

std::string auto_schedule::describe() const {
  const std::lock_guard guard{lock_};
  const alternative current = stretches_.back()->what;
  std::string line = fmt::format("{}: {}", name, text_of(current, units_));
  if (!has_choice_) return line;
  if (expected_ > 0) line += fmt::format("; {:.4g} s a pass expected", expected_);
  line += known_.text(current, work_, units_, told_.speeds());
  line += is_recalled_ ? "; begun as earlier runs ended" : "";
  return line + fmt::format("; {} changes of the map", stretches_.size() - 1);
}

}  // namespace

extern const schedule_kind auto_kind;
constinit const schedule_kind auto_kind{
    .info = {.name = auto_schedule::name,
             .options = "",
             .rule = "finds out which units pay and what each should get, and keeps to the best that it has "
                     "measured"},
    .make = [](const schedule_options&, const workload& work, std::span<const unit> units)
        -> std::unique_ptr<schedule> { return std::make_unique<auto_schedule>(work, units); }};

}  // namespace yoke::scheduling
