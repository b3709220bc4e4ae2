#include "../src/dealing/remapping_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/learning/alternatives.hpp"
#include "../src/learning/better_map.hpp"
#include "../src/learning/drift.hpp"
#include "../src/learning/first_batches.hpp"
#include "../src/learning/first_passes.hpp"
#include "../src/learning/late_cpus.hpp"
#include "../src/learning/looks.hpp"
#include "../src/learning/map_changes.hpp"
#include "../src/learning/observations.hpp"
#include "../src/learning/recall.hpp"
#include "../src/learning/rehearsals.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

#include <yoke/learner.hpp>

namespace yoke::scheduling {

namespace {

/// Cold passes take two to three times what warm ones do; those of CPUs that others use took ten times that.
constexpr double far_off = 4;
/// Passes of one period that are known so well are what they take now, though they took less before.
constexpr double sure = 0.1;

/// Begins with the GPUs full and a task for each CPU CU, predicts what each way of using the machine would
/// take, and goes from map to map only where that pays; CPU CUs share a pool. See docs/guide/auto.md.
class auto_schedule final : public remapping_schedule, private learner {
 public:
  static constexpr std::string_view name = "auto";
  auto_schedule(const workload& work, std::span<const unit> units);

  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override;
  std::string describe() const override;
  learner* learning() override { return this; }

 private:
  bool wants_rehearsal() const override {
    return has_choice_ && rehearsals_.can_tell() && !first_.is_recalled();
  }
  void rehearsed(unit_id unit, double weight, seconds time) override;
  bool wants_warm_up() const override;
  void time_counts() override;
  void ran(pass_id first, pass_id passes, seconds time) override;
  profile learnt() const override;
  void recall(const profile& earlier) override;

  void begin(alternative what, pass_id from);
  /// Until then what passes take is gathered; from then on each period is compared with those before.
  bool is_steady(pass_id pass) const { return pass - mapped_at() >= steady_after; }
  void decide(pass_id pass) override {
    choose_map(pass);
    const bool is_new = pass < began_ + look_at && !first_.is_rehearsed() && !first_.is_recalled();
    const auto told = is_new && has_gpus() && !work().warms_up ? speeds() : std::nullopt;
    deal_after_one(told ? batches_to_learn_from(present_.shares, work(), units(), *told, pass - began_) : 0,
                   pass);
  }
  void choose_map(pass_id pass);
  bool has_drifted(pass_time now) {
    const bool is_known = is_steady(newest());
    return drift_.notices(now, is_known ? better_.known().measured(present_) : std::nullopt, changes());
  }
  bool is_warm(unit_id unit, pass_id earlier) const {
    return first_.is_warm(units()[index(unit)].kind, earlier);
  }
  void finished(unit_id unit, pass_id earlier) override {
    if (has_choice_ && is_warm(unit, earlier)) told_.finished(unit);
  }
  void start_again(pass_id pass);
  observations::undelayed take_delays_away();
  pass_id look_from(const forecast& model) const {
    return look_at_cpus(began_, model.of(present_.shares, present_.cpus), counted_.end());
  }
  bool note(const measured_pass& now, const forecast& model);
  look what_is_known(const forecast& model, const std::optional<measured_pass>& now,
                     const observations::undelayed& gpus) const;
  bool move_to(const better_map::found& better, pass_id pass);
  void wait(pass_id pass, std::optional<pass_time> now);
  std::optional<unit_speeds> speeds() const { return late_cpus_.slowed(told_.speeds(), units()); }
  bool has_gpus() const { return !units_of(unit_kind::gpu, units()).empty(); }
  bool is_patient() const { return first_.is_patient(present_.how); }
  bool is_early(bool is_timed) const {
    return first_.is_early(is_timed, changes() > 0, present_.how, newest());
  }
  bool is_blind(bool is_timed) const { return first_.is_blind(is_timed, made_.count() > 0); }
  void begin_period(pass_id pass, pass_id length);
  bool is_on_gpus_alone() const { return present_.how == use::gpus || present_.how == use::one_gpu; }
  /// Until the clock can tell what is worth a change, or looks are cheap where nothing seems better.
  pass_id told_after() const {
    const std::optional<pass_time> known = better_.known().measured(present_);
    if (is_settled_ && known && is_on_gpus_alone()) return cheap_period(*known, present_.how);
    return is_patient() && newest_pass_ > far_off * better_.expected() ? cold_by_clock : steady_after;
  }

  bool has_choice_;
  rehearsals rehearsals_;
  observations told_;    ///< its own locks are taken after the schedule's
  alternative present_;  ///< guarded by the lock, as all that follows
  better_map better_;
  first_passes first_;  ///< read without the lock as well
  map_changes made_;
  counted_passes counted_;
  bool is_settled_ = false;  ///< nothing seems better than the present map, of which warm passes were timed
  pass_id began_ = 0;        ///< of the machine as it is now
  seconds newest_pass_ = 0;  ///< by the clock, warm or not
  drift drift_;
  late_cpus late_cpus_;
};

auto_schedule::auto_schedule(const workload& work, std::span<const unit> units)
    : remapping_schedule{work, units},
      has_choice_{has_choice(work, units)},
      rehearsals_{this->work(), this->units()},
      told_{this->units(), usual_weight(this->work())},
      better_{this->work(), this->units()},
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
  if (!has_choice_ || !is_sample(time)) return;
  told_.add(unit, pass, weight_of(work(), batch), time, is_warm(unit, earlier_passes(unit, pass)));
}

void auto_schedule::rehearsed(unit_id unit, double weight, seconds time) {
  const std::lock_guard guard{lock()};
  if (rehearsals_.note(unit, moderated(weight), time, told_)) first_.rehearse();
  if (has_begun()) return;
  if (const auto first = rehearsals_.first_map(told_))
    begin(make_alternative(first->shares, units(), first->cpus), 0);
}

bool auto_schedule::wants_warm_up() const {
  const std::lock_guard guard{lock()};
  if (!has_choice_ || !has_gpus() || is_settled_ || first_.is_recalled()) return false;
  return present_.how != use::cpus || changes() > 0;
}

void auto_schedule::time_counts() {
  const std::lock_guard guard{lock()};
  if (counted_.have_begun()) return;
  counted_.begin(newest() + 1);
  if (has_choice_ && newest() + 1 >= mapped_at() + cold_by_clock)
    keep_until(std::max(kept_until(), newest() + 1 + told_after()));
}

void auto_schedule::ran(pass_id first, pass_id passes, seconds time) {
  const std::lock_guard guard{lock()};
  if (passes > 1) better_.known().measured_by_clock();
  newest_pass_ = time / static_cast<double>(passes);
  if (first == mapped_at()) made_.began(passes, time);
  if (first < mapped_at() + first_.cold()) return;
  // One pass alone is half a wait for the others.
  if (passes > 1 || !is_patient()) told_.ran(passes, time, overlap_of(present_.how));
}

void auto_schedule::begin_period(pass_id pass, pass_id length) {
  const pass_id look = began_ + look_at, end = pass + length;
  keep_until(!is_patient() && pass < look && end + shortest_period > look ? look : end);
  if (pass == mapped_at() || is_steady(pass)) told_.begin_period();
}

/// What was measured before the machine changed says nothing.
void auto_schedule::start_again(pass_id pass) {
  better_.forget();
  made_.start_again();
  drift_.forget();
  began_ = pass;
  told_.forget(present_.shares);
  begin_period(pass, shortest_period);
}

/// From what GPUs told beside CPU CUs: only these delay them.
observations::undelayed auto_schedule::take_delays_away() {
  if (present_.how != use::both_kinds) return {};
  const observations::undelayed gpus = told_.gpus_undelayed(usual_weight(work()) * work().n_tasks);
  if (gpus.are_delayed) told_.forget_delayed();
  return gpus;
}

void auto_schedule::choose_map(pass_id pass) {
  const observations::undelayed gpus = take_delays_away();
  const std::optional<unit_speeds> speeds = told_.cover(present_.shares) ? this->speeds() : std::nullopt;
  if (!speeds) return begin_period(pass, shortest_period);
  const forecast model = better_.model_of(*speeds);
  if (made_.count() == 0 && !has_gpus())
    if (const pass_id first = look_from(model); pass < first) return keep_until(first);
  const std::optional<pass_time> now = told_.pass(model.spread(present_.shares, present_.cpus),
                                                  better_.known().are_by_clock() && first_.is_rehearsed());
  if (now && has_drifted(*now)) return start_again(pass);
  const bool is_free = is_patient() && !counted_.have_begun();
  const pass_id age = pass - mapped_at();
  const double late = now ? now->usual / better_.known().expected(present_, model) : 0;
  if (const pass_id more = first_passes::more_of(age, late, is_free)) return begin_period(pass, more);
  const std::optional timed = now ? std::optional{told_.timed(*now)} : std::nullopt;
  if (now && !drift_.is_suspected() && !note(*timed, model)) return choose_map(pass);
  if (!is_blind(now.has_value())) {
    const std::optional<better_map::found> better = better_.than(present_, what_is_known(model, timed, gpus));
    if (better && is_free && age < steady_after && better->what.how != present_.how && better->part > clear)
      return begin_period(pass, again);
    if (better && move_to(*better, pass)) return;
  }
  wait(pass, now);
}

/// False where these passes say something new of CPU CUs: then the model is to be made anew.
bool auto_schedule::note(const measured_pass& now, const forecast& model) {
  if (is_steady(newest()) && late_cpus_.learn(present_, now, model)) return false;
  better_.note(present_, now.all);
  made_.settled(now.all.usual);
  return true;
}

look auto_schedule::what_is_known(const forecast& model, const std::optional<measured_pass>& now,
                                  const observations::undelayed& gpus) const {
  return {.model = model,
          .now = now,
          .pass = newest(),
          .passes = newest() - began_,
          .is_settled = is_steady(newest()),
          .is_late = now && drift_.is_suspected() && now->all.error < sure,
          .is_first = first_.is_first(now.has_value(), changes() > 0),
          .is_recalled = first_.is_recalled(),
          .is_early = is_early(now.has_value()),
          .to_pay = counted_.horizon_at(newest()),
          .cold = made_.cost(),
          .gpus = gpus};
}

/// The present map stays until there is more to know.
void auto_schedule::wait(pass_id pass, std::optional<pass_time> now) {
  if (is_early(now.has_value())) return keep_until(1 + cold_by_clock);
  if (!now && (is_patient() || is_blind(now.has_value())))
    return begin_period(pass, counted_.have_begun() && is_patient() ? told_after() : cold_by_clock);
  is_settled_ = better_.is_sure_of(now) && !drift_.is_suspected();
  const pass_id age = pass - std::max(mapped_at(), began_);
  if (now && !is_settled_ && !counted_.have_begun()) return begin_period(pass, std::max(steady_after, age));
  begin_period(pass, drift_.is_suspected() ? steady_after / 4 : period_after(age, now, present_.how));
}

/// False where there were changes enough.
bool auto_schedule::move_to(const better_map::found& better, pass_id pass) {
  const bool is_try = !better.part || !better_.known().is_of_known_kind(better.what);
  if (!made_.may_be_more(pass - began_, is_try)) return false;
  better_.chosen(present_, better, pass);
  made_.make(better.what, units(), pass, better.part, better.moving);
  begin(better.what, pass);
  begin_period(pass, period_when_new(better_.expected(), first_.is_rehearsed(), has_gpus()));
  return true;
}

profile auto_schedule::learnt() const {
  const std::lock_guard guard{lock()};
  return has_choice_ ? to_profile(told_, better_.known(), present_, work(), units()) : profile{};
}

/// Begins where the earlier runs ended; what has changed since shows as drift.
void auto_schedule::recall(const profile& earlier) {
  const std::lock_guard guard{lock()};
  std::optional<recollection> found = has_choice_ ? recollect(earlier, work(), units()) : std::nullopt;
  if (!found || newest() >= 0) return;
  tell_again(earlier, work(), units(), told_);
  begin(std::move(found->best), 0);
  better_.recall(std::move(found->known));
  first_.recall();
}

std::string auto_schedule::describe() const {
  const std::lock_guard guard{lock()};
  std::string line = fmt::format("{}: {}", name, text_of(present_, units()));
  if (!has_choice_) return line;
  if (newest_pass_ > 0) line += fmt::format("; its newest passes took {:.4g} s each", newest_pass_);
  line += better_.known_with(present_, told_.pass(0, true)).text(present_, work(), units(), speeds());
  line += first_.is_recalled() ? "; begun as earlier runs ended" : "";
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
