#include "../src/dealing/remapping_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/learning/alternatives.hpp"
#include "../src/learning/change_rule.hpp"
#include "../src/learning/drift.hpp"
#include "../src/learning/late_cpus.hpp"
#include "../src/learning/looks.hpp"
#include "../src/learning/map_changes.hpp"
#include "../src/learning/map_search.hpp"
#include "../src/learning/observations.hpp"
#include "../src/learning/recall.hpp"
#include "../src/learning/rehearsals.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

#include <yoke/learner.hpp>

namespace yoke::scheduling {

namespace {

/// First passes of a map that take so many times what is expected of it are not believed.
constexpr double unbelievable = 2.5;
/// Where a program rehearses, so many passes of a map say nothing of CPU CUs beside GPUs: in the first they
/// take over tasks, and in the next they were seen to lose up to half of a pass of SP-MZ class D.
constexpr pass_id cold_of_cpus = 2;
/// And as many are cold by the clock: a GPU lays its work out and captures it.
constexpr pass_id cold_by_clock = 4;
/// How much better GPUs alone must be foreseen than the best map with both kinds of units before passes with
/// these were timed: if they are not, they are left then, and going to and fro costs as much.
constexpr double favour_of_both = 0.03;
/// CPU CUs alone are not looked at before they have run so long, in passes of any length: what short passes
/// tell of each is noise, and following it takes tasks away from the caches that have their data.
constexpr seconds least_of_cpus_alone = 2e-2, shortest_told = 1e-9;
/// There is a look after so many passes, whatever the periods are: by then most is known.
constexpr pass_id look_at = 10;
/// So many maps are tried that were not measured; then only those that were.
constexpr int most_trials = 3;

/// Begins with the GPUs full and a task for each CPU CU, predicts what each way of using the machine would
/// take, and goes from map to map only where that pays; CPU CUs share a pool. See docs/guide/scheduling.md.
class auto_schedule final : public remapping_schedule, private learner {
 public:
  static constexpr std::string_view name = "auto";

  auto_schedule(const workload& work, std::span<const unit> units);

  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override;
  std::string describe() const override;
  learner* learning() override { return this; }

 private:
  bool wants_rehearsal() const override { return has_choice_ && rehearsals_.can_tell() && !is_recalled_; }
  void rehearsed(unit_id unit, double weight, seconds time) override;
  bool wants_warm_up() const override;
  void time_counts() override;
  void ran(pass_id first, pass_id passes, seconds time) override;
  profile learnt() const override;
  void recall(const profile& earlier) override;

  void begin(alternative what, pass_id from);
  bool is_steady(pass_id pass) const;
  void decide(pass_id pass) override;
  bool is_warm(unit_id unit, pass_id earlier) const {
    return earlier >= (is_rehearsed_ && units()[index(unit)].kind == unit_kind::cpu ? cold_of_cpus : 1);
  }
  void finished(unit_id unit, pass_id earlier) override {
    if (has_choice_ && is_warm(unit, earlier)) told_.finished(unit);
  }
  void start_again(pass_id pass);
  std::optional<alternative> worth_a_try(pass_time now) const;
  double doubt(const alternative& other, const forecast& model) const {
    return known_.is_foreseen(other, present_, model) ? 0 : doubt_of(present_, other, model, work(), units());
  }
  bool is_promising(const alternatives::comparison& best, const forecast& model,
                    std::optional<pass_time> now) const;
  change_price price_of_moving_to(const alternative& other, seconds pass) const {
    return price_of(present_.shares, other.shares, work(), units(), pass, counted_.horizon_at(newest()),
                    made_.cost());
  }
  bool has_drifted(pass_time now);
  bool is_one_late(pass_time now, const forecast& model, pass_id pass) const;
  bool move_to(const alternative& better, pass_id pass, std::optional<double> part = {});
  std::optional<unit_speeds> speeds() const { return late_cpus_.slowed(told_.speeds(), units()); }
  bool is_patient() const { return is_rehearsed_ && present_.how == use::both_kinds; }
  /// With the map of the start, of which no warm pass was timed, nor anything of an earlier run is known.
  bool is_at_first(std::optional<pass_time> now) const {
    return is_rehearsed_ && !is_recalled_ && !now && changes() == 0;
  }
  /// In the first pass both kinds of units are cold, and GPUs far from what they will be.
  bool is_too_early() const { return is_patient() && newest() <= cold_by_clock; }
  pass_id passes_before_looks(const forecast& model) const;
  void begin_period(pass_id pass, pass_id length);

  bool has_choice_;
  rehearsals rehearsals_;
  observations told_;    ///< its own locks are taken after the schedule's
  alternative present_;  ///< guarded by the lock, as all that follows
  alternatives known_;
  map_search search_;
  seconds expected_ = 0;       ///< of a pass with the best map known
  bool is_rehearsed_ = false;  ///< so that the first passes may take their time; settled before them
  bool is_recalled_ = false;   ///< the same
  int trials_ = 0;             ///< of maps that were not known
  map_changes made_;
  counted_passes counted_;
  bool is_settled_ = false;  ///< nothing seems better than the present map, of which warm passes were timed
  double unsteady_ = 0;      ///< see change_case
  pass_id began_ = 0;        ///< of the machine as it is now
  drift drift_;
  late_cpus late_cpus_;
};

auto_schedule::auto_schedule(const workload& work, std::span<const unit> units)
    : remapping_schedule{work, units},
      has_choice_{has_choice(work, units)},
      rehearsals_{this->work(), this->units()},
      told_{this->units(), usual_weight(work)},
      search_{this->work(), this->units()},
      counted_{work} {
  begin(before_any_measurement(this->work(), this->units(), name), 0);
  keep_until(has_choice_ ? 1 : pass_plan::for_good);
}

void auto_schedule::begin(alternative what, pass_id from) {
  is_settled_ = false;
  present_ = std::move(what);
  remap(from, present_.shares, present_.cpus);
}

void auto_schedule::done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) {
  if (!has_choice_ || !(time > 0)) return;
  told_.add(unit, weight_of(work(), batch), time, is_warm(unit, earlier_passes(unit, pass)));
}

void auto_schedule::rehearsed(unit_id unit, double weight, seconds time) {
  const std::lock_guard guard{lock()};
  rehearsals_.note(unit, weight, time);
  if (units()[index(unit)].kind == unit_kind::cpu) {
    is_rehearsed_ = true;
    told_.rehearsed(unit, weight, time);
  }
  if (has_begun()) return;
  if (const auto first = rehearsals_.first_map(told_))
    begin(make_alternative(first->shares, units(), first->cpus), 0);
}

bool auto_schedule::wants_warm_up() const {
  const std::lock_guard guard{lock()};
  return has_choice_ && !units_of(unit_kind::gpu, units()).empty() && !is_settled_ && !is_recalled_;
}

void auto_schedule::time_counts() {
  const std::lock_guard guard{lock()};
  if (counted_.have_begun()) return;
  counted_.begin(newest() + 1);
  if (is_patient() && has_choice_ && !is_settled_ && newest() + 1 >= mapped_at() + cold_by_clock)
    keep_until(newest() + 1 + steady_after);
}

void auto_schedule::ran(pass_id first, pass_id passes, seconds time) {
  const std::lock_guard guard{lock()};
  if (passes > 1) known_.measured_by_clock();
  if (first == mapped_at()) made_.began(passes, time);
  if (first < mapped_at() + (is_rehearsed_ ? cold_by_clock : 1)) return;
  // One pass alone is half a wait for the others.
  if (passes > 1 || !is_patient()) told_.ran(passes, time, overlap_of(present_.how));
}

void auto_schedule::begin_period(pass_id pass, pass_id length) {
  const pass_id look = began_ + look_at, end = pass + length;
  keep_until(!is_patient() && pass < look && end + shortest_period > look ? look : end);
  if (pass == mapped_at() || is_steady(pass)) told_.begin_period();
}

/// Until then what passes take is gathered; from then on each period is compared with those before.
bool auto_schedule::is_steady(pass_id pass) const { return pass - mapped_at() >= steady_after; }

bool auto_schedule::has_drifted(pass_time now) {
  return drift_.notices(now, is_steady(newest()) ? known_.measured(present_) : std::nullopt, changes());
}

/// The first passes with a map that took far longer than is believable: more of them will tell.
bool auto_schedule::is_one_late(pass_time now, const forecast& model, pass_id pass) const {
  return pass - mapped_at() <= shortest_period + 1 &&
         now.usual > unbelievable * known_.expected(present_, model);
}

/// Whether to leave the present map for `best`.
bool auto_schedule::is_promising(const alternatives::comparison& best, const forecast& model,
                                 std::optional<pass_time> now) const {
  const bool is_measured = now.has_value();
  const bool is_other = best.what.how != present_.how;
  const bool is_foreseen = known_.is_foreseen(best.what, present_, model);
  const seconds pass = now ? now->usual : model.of(present_.shares, present_.cpus);
  return is_worth_a_change({.part = best.part,
                            .is_measured = is_measured,
                            .is_settled = is_measured && is_steady(newest()),
                            .is_trial = is_other && !is_foreseen && !known_.measured(best.what),
                            .is_early = is_at_first(now) && is_too_early(),
                            .is_first = is_at_first(now),
                            .doubt = doubt(best.what, model),
                            .price = price_of_moving_to(best.what, pass).part(),
                            .unsteady = unsteady_});
}

/// The machine is not the one it was: what was measured before says nothing.
void auto_schedule::start_again(pass_id pass) {
  known_.forget();
  trials_ = 0;
  made_.start_again();
  drift_.forget();
  began_ = pass;
  told_.forget(present_.shares);
  begin_period(pass, shortest_period);
}

void auto_schedule::decide(pass_id pass) {
  const std::optional<unit_speeds> speeds = told_.cover(present_.shares) ? this->speeds() : std::nullopt;
  if (!speeds) return begin_period(pass, shortest_period);
  const forecast model{work(), units(), *speeds};
  if (const pass_id early = passes_before_looks(model); pass < early) return keep_until(early);
  const std::optional<pass_time> now =
      told_.pass(model.spread(present_.shares, present_.cpus), known_.are_by_clock() && is_rehearsed_);
  if (now && has_drifted(*now)) return start_again(pass);
  std::optional<measured_pass> timed;
  if (now) timed = {*now, told_.busiest(unit_kind::cpu).time, told_.busiest(unit_kind::gpu).time};
  if (now && is_one_late(*now, model, pass)) return begin_period(pass, shortest_period);
  if (now && !drift_.is_suspected()) {
    if (is_steady(newest()) && late_cpus_.learn(present_, *timed, model)) return decide(pass);
    const std::optional<pass_time> earlier = known_.measured(present_);
    unsteady_ = earlier ? std::abs(now->usual / earlier->usual - 1) : 0;
    known_.note(present_, *now);
    made_.settled(now->usual);
  }
  const bool may_try = trials_ < most_trials || known_.all().empty();
  const std::vector<alternative> ways =
      search_.ways(present_, model, timed, newest() - began_, known_, may_try);
  const double favour = is_at_first(now) && is_patient() ? favour_of_both : 0;
  const auto less = [&](const alternative& one) {
    return (one.how == present_.how ? 0 : favour) + (known_.measured(one) ? 0 : doubt(one, model));
  };
  alternatives::comparison best = known_.best(ways, present_, model, less);
  bool promises = is_promising(best, model, now);
  if (promises && !known_.measured(best.what)) {
    best.what = in_regions(std::move(best.what), work(), units(), model);
    best.part = known_.part(best.what, present_, model);
    promises = is_promising(best, model, now);
  }
  expected_ = known_.expected(best.what, model);
  if (const auto other = now ? worth_a_try(*now) : std::nullopt; other && move_to(*other, pass)) return;
  if (promises && move_to(best.what, pass, best.part)) return;
  if (is_at_first(now) && is_too_early()) return keep_until(1 + cold_by_clock);
  const pass_id age = pass - mapped_at();
  if (is_patient() && !now) return begin_period(pass, counted_.have_begun() ? steady_after : cold_by_clock);
  is_settled_ = now && !drift_.is_suspected();
  begin_period(pass, drift_.is_suspected() ? steady_after / 4 : period_after(age, now, present_.how));
}

pass_id auto_schedule::passes_before_looks(const forecast& model) const {
  if (made_.count() > 0 || !units_of(unit_kind::gpu, units()).empty()) return 0;
  const seconds pass = std::max(model.of(present_.shares, present_.cpus), shortest_told);
  return static_cast<pass_id>(least_of_cpus_alone / pass);
}

std::optional<alternative> auto_schedule::worth_a_try(pass_time now) const {
  if (trials_ == most_trials) return std::nullopt;
  for (alternative& one : search_.unpredicted(present_, now))
    if (!known_.measured(one) && is_worth_a_trial(price_of_moving_to(one, now.usual))) return std::move(one);
  return std::nullopt;
}

/// False where there were changes enough.
bool auto_schedule::move_to(const alternative& better, pass_id pass, std::optional<double> part) {
  if (!made_.may_be_more(pass - began_)) return false;
  if (better.how != present_.how && !known_.measured(better)) ++trials_;
  made_.make(better, units(), pass, part, price_of_moving_to(better, expected_).moving);
  begin(better, pass);
  begin_period(pass, is_rehearsed_ ? cold_by_clock : shortest_period);
  return true;
}

profile auto_schedule::learnt() const {
  const std::lock_guard guard{lock()};
  return has_choice_ ? to_profile(told_, known_, present_, work(), units()) : profile{};
}

/// Begins where the earlier runs ended; what has changed since shows as drift.
void auto_schedule::recall(const profile& earlier) {
  const std::lock_guard guard{lock()};
  std::optional<recollection> found = has_choice_ ? recollect(earlier, work(), units()) : std::nullopt;
  if (!found || newest() >= 0) return;
  tell_again(earlier, work(), units(), told_);
  begin(std::move(found->best), 0);
  known_ = std::move(found->known);
  trials_ = std::min(static_cast<int>(known_.all().size()), most_trials);
  is_recalled_ = true;
}

std::string auto_schedule::describe() const {
  const std::lock_guard guard{lock()};
  std::string line = fmt::format("{}: {}", name, text_of(present_, units()));
  if (!has_choice_) return line;
  if (expected_ > 0) line += fmt::format("; {:.4g} s a pass expected", expected_);
  line += known_.text(present_, work(), units(), speeds());
  line += is_recalled_ ? "; begun as earlier runs ended" : "";
  return line + fmt::format("; {} change{} of the map{}", changes(), changes() == 1 ? "" : "s", made_.text());
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
