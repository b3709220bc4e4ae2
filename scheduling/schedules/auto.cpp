#include "../src/alternatives.hpp"
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

/// A change of the map must promise this much; more where the present one was measured and other kinds of
/// units were not, since what is predicted knows nothing of what they cost each other, nor of the cost of
/// looking.
constexpr double least_gain = 0.01, least_gain_of_trial = 0.03;
/// What a change takes, in passes: data move, work is laid out anew and cold (NPB-MZ on an H200: two to
/// four). It must be won back within as many passes as there were, or within so many.
constexpr double passes_of_change = 4;
constexpr pass_id least_horizon = 64;
/// Before warm passes were measured, only what is this much worse than another map is left.
constexpr double obvious = 1.5;
/// A pass that takes so much longer than the same map took before, twice in a row: the machine has changed.
constexpr double drifted = 1.15;
constexpr seconds short_pass = 1e-3;
/// From then on, only maps that were measured.
constexpr int most_trials = 3;
/// From then on, none, until the machine changes.
constexpr int most_changes = 5;
/// A run of passes without a look between them costs some hundred microseconds of its own.
constexpr pass_id first_period = 6, longest_period = 256, growth = 4;

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
    stretch(pass_id from, const alternative& which, assignment shares, const auto_schedule& of)
        : first{from},
          what{which},
          plan{std::move(shares), of.work_, of.units_, map_plan::cpu_tasks::shared} {}
    bool is_warm(pass_id pass) const { return pass > first; }

    const pass_id first;
    const alternative what;
    map_plan plan;
  };
  struct alignas(64) unit_state {
    pass_id pass = -1;
    stretch* in = nullptr;
  };

  void begin_stretch(const alternative& what, assignment shares, pass_id from);
  stretch& of_pass(pass_id pass) const;
  pass_id end_of(pass_id pass) const;
  void decide_by(pass_id pass);
  void judge(pass_id pass);
  void start_again(pass_id pass);
  std::optional<alternative> worth_a_try(pass_time now) const;
  bool is_promising(const alternative& best, const forecast& model, bool is_measured) const;
  bool has_drifted(pass_time now);
  bool move_to(const alternative& better, const unit_speeds& speeds, pass_id pass);
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
  pass_id until_ = 1;  ///< the pass before which nothing is decided
  pass_id period_ = first_period;
  seconds expected_ = 0;  ///< of a pass with the best map known
  bool is_rehearsed_ = false;
  bool is_recalled_ = false;
  int trials_ = 0;  ///< of maps that were not known
  int changes_ = 0;
  int late_ = 0;  ///< periods in a row that took too long
};

auto_schedule::auto_schedule(const workload& work, std::span<const unit> units)
    : work_{work},
      units_{units.begin(), units.end()},
      has_choice_{work.n_tasks > 0 && units_of(unit_kind::gpu, units).size() > 0 && units.size() > 1},
      states_(units.size()),
      told_{units_} {
  const int n = first_pool(work_, units_);
  const std::vector<speed> alike(units_.size(), speed{.launch = 0, .per_weight = 1});
  assignment shares = fit_into_memory(cut_at(n, work_, units_, alike), work_, units_, name);
  begin_stretch({.how = use_of_cut(n, work_, units_), .cut = n}, std::move(shares), 0);
}

void auto_schedule::begin_stretch(const alternative& what, assignment shares, pass_id from) {
  stretches_.push_back(std::make_unique<stretch>(from, what, std::move(shares), *this));
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
  told_.begin_period();
}

bool auto_schedule::has_drifted(pass_time now) {
  const std::optional<pass_time> before = known_.measured(stretches_.back()->what);
  const bool is_late = before && now.usual * (1 - 2 * now.error) > drifted * before->usual;
  late_ = is_late ? late_ + 1 : 0;
  return late_ >= 2;
}

/// Whether to leave the present map for `best`.
bool auto_schedule::is_promising(const alternative& best, const forecast& model, bool is_measured) const {
  const seconds here = known_.expected(stretches_.back()->what, model), there = known_.expected(best, model);
  const bool is_trial = is_measured && best.how != stretches_.back()->what.how && !known_.measured(best);
  const auto horizon = static_cast<double>(std::max(newest_, least_horizon));
  const double pays = is_measured ? passes_of_change / horizon : 0;
  if (there >= (1 - std::max(is_trial ? least_gain_of_trial : least_gain, pays)) * here) return false;
  return is_measured || is_rehearsed_ || here > obvious * there;
}

/// The machine is not the one it was: what was measured before says nothing.
void auto_schedule::start_again(pass_id pass) {
  known_.forget();
  trials_ = changes_ = late_ = 0;
  told_.forget(stretches_.back()->plan.shares());
  period_ = first_period;
  begin_period(pass, period_);
}

void auto_schedule::judge(pass_id pass) {
  const stretch& present = *stretches_.back();
  const alternative current = present.what;
  const std::optional<pass_time> now = told_.pass();
  const std::optional<unit_speeds> speeds =
      told_.cover(present.plan.shares()) ? told_.speeds() : std::nullopt;
  if (!speeds) return begin_period(pass, 1);
  if (now && has_drifted(*now)) return start_again(pass);
  const forecast model{work_, units_, *speeds};
  const bool is_new =
      !now && (stretches_.size() > 1 || is_recalled_);  // it was chosen for a reason: see what it gives
  if (is_new) return begin_period(pass, period_);
  if (now && late_ == 0) known_.note(current, *now);
  const alternative best =
      trials_ < most_trials ? known_.best(work_, units_, model) : known_.best_seen(model);
  expected_ = known_.expected(best, model);
  if (const auto other = now ? worth_a_try(*now) : std::nullopt; other && move_to(*other, *speeds, pass))
    return;
  if (is_promising(best, model, now.has_value()) && move_to(best, *speeds, pass)) return;
  if (late_ > 0)
    period_ = first_period;  // look again soon
  else if (now)
    period_ = std::min(growth * period_, longest_period);
  begin_period(pass, period_);
}

/// One GPU CU, where several take so short a time for a pass that what they send to each other may be most of
/// it: no prediction tells, and a few such passes cost nothing.
std::optional<alternative> auto_schedule::worth_a_try(pass_time now) const {
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units_);
  const bool several = stretches_.back()->what.how == use::gpus && gpus.size() > 1;
  const alternative one{.how = use::one_gpu, .gpu = several ? gpus.front() : 0};
  if (!several || now.usual > short_pass || known_.measured(one) || trials_ == most_trials)
    return std::nullopt;
  return one;
}

/// False where the map does not fit into the memories, or there were changes enough.
bool auto_schedule::move_to(const alternative& better, const unit_speeds& speeds, pass_id pass) {
  if (changes_ == most_changes) return false;
  std::optional<assignment> shares = try_fit(shares_of(better, work_, units_, speeds.usual), work_, units_);
  if (!shares) return false;
  begin_stretch(better, std::move(*shares), pass);
  trials_ += known_.measured(better) ? 0 : 1;
  ++changes_;
  period_ = first_period;
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
          .cpus_share = true};
}

profile auto_schedule::learnt() const {
  const std::lock_guard guard{lock_};
  return has_choice_ ? to_profile(told_, known_, stretches_.back()->what) : profile{};
}

/// Begins where the earlier runs ended; what has changed since shows as drift.
void auto_schedule::recall(const profile& earlier) {
  const std::lock_guard guard{lock_};
  std::optional<recollection> found = has_choice_ ? recollect(earlier, work_, units_) : std::nullopt;
  if (!found || newest_ >= 0) return;
  tell_again(earlier, work_, units_, told_);
  stretches_.clear();
  begin_stretch(found->best, std::move(found->shares), 0);
  known_ = std::move(found->known);
  trials_ = std::min(static_cast<int>(known_.all().size()), most_trials);
  is_recalled_ = true;
}

std::string auto_schedule::describe() const {
  const std::lock_guard guard{lock_};
  const alternative current = stretches_.back()->what;
  std::string line = fmt::format("{}: {}", name, text_of(current, work_));
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
