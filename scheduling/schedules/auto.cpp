#include "../src/dealing/remapping_schedule.hpp"
#include "../src/kinds.hpp"
#include "../src/learning/candidates.hpp"
#include "../src/learning/heard.hpp"
#include "../src/learning/looks.hpp"
#include "../src/learning/numbers.hpp"
#include "../src/learning/recall.hpp"
#include "../src/learning/ways.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <utility>

#include <yoke/learner.hpp>
#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

/// A GPU lays its work out in the first passes with a map, where a program warms up for that.
constexpr pass_id cold_where_warmed_up = 4;
/// A search for maps takes up to milliseconds: so many at once, and later one in so much time.
constexpr int most_searches = 12;
constexpr seconds between_searches = 0.5;

/// Estimates what a pass takes with each of a few maps, runs some passes with the present one, changes it
/// where that wins more than it costs, and else holds. See docs/guide/auto.md.
class auto_schedule final : public remapping_schedule, private learner {
 public:
  static constexpr std::string_view name = "auto";

  auto_schedule(const workload& work, std::span<const unit> units)
      : remapping_schedule{work, units},
        has_choice_{has_choice(work, units)},
        heard_{this->units(), usual_weight(this->work())},
        candidates_{this->work(), this->units()},
        counted_{work} {
    begin(before_any_measurement(this->work(), this->units(), name));
    since_ = first_look();
    keep_until(has_choice_ ? 1 : pass_plan::for_good);
  }

  void done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) override {
    if (has_choice_) heard_.add(unit, weight_of(work(), batch), time, earlier_passes(unit, pass) > 0);
  }
  std::string describe() const override;
  learner* learning() override { return this; }

 private:
  bool wants_rehearsal() const override { return has_choice_ && has_both_kinds() && !recalled_; }
  void rehearsed(unit_id unit, double weight, seconds time) override;
  bool wants_warm_up() const override {
    const std::lock_guard guard{lock()};
    return has_choice_ && has_gpus() && !recalled_ && !is_settled_ && looks_ < most_searches;
  }
  void time_counts() override {
    const std::lock_guard guard{lock()};
    if (!counted_.have_begun()) counted_.begin(newest() + 1);
  }
  void ran(pass_id first, pass_id passes, seconds time) override;
  profile learnt() const override;
  void recall(const profile& earlier) override;

  void decide(pass_id pass) override;
  void finished(unit_id unit, pass_id earlier) override {
    if (has_choice_ && earlier > 0) heard_.finished(unit);
  }

  bool has_gpus() const { return !units_of(unit_kind::gpu, units()).empty(); }
  bool has_both_kinds() const { return has_gpus() && !units_of(unit_kind::cpu, units()).empty(); }
  bool warms_up() const { return work().warms_up; }
  const alternative& present() const { return candidates_.present().what; }
  /// Passes of a new map that say nothing by the clock.
  pass_id cold() const { return warms_up() && has_gpus() ? cold_where_warmed_up : 1; }

  void begin(alternative first);
  /// Of the first map: by then units have told of warm passes.
  pass_id first_look() const { return warms_up() ? cold_where_warmed_up + 1 : 2; }
  void learn(pass_id pass);
  bool is_search_due(pass_id pass);
  bool has_changed(pass_id pass, pass_id block);
  void move_to(std::size_t one, pass_id pass);
  void time_block(pass_id from, pass_id until);

  bool has_choice_;
  heard_batches heard_;
  candidates candidates_;  ///< guarded by the lock, as all that follows
  counted_passes counted_;
  pass_id began_ = 0;          ///< of the machine as it is now
  pass_id since_ = 0;          ///< of the block of passes that are timed
  pass_id in_block_ = 0;       ///< passes of it that were
  std::size_t stretches_ = 0;  ///< in which they were
  int looks_ = 0;              ///< at the machine as it is now
  pass_id searched_at_ = 0;
  bool is_settled_ = false;         ///< nothing wins more than it costs
  bool is_guess_ = false;           ///< nobody has heard of a kind of units
  std::size_t suspected_ = 0;       ///< stretches of the last block, which took as long as on another machine
  seconds newest_pass_ = 0;         ///< by the clock, warm or not
  std::optional<double> recalled_;  ///< how many days ago the newest of earlier runs was, where it began so
  std::string changes_text_;
};

void auto_schedule::begin(alternative first) {
  remap(0, first.shares, first.cpus);
  candidates_.begin(std::move(first));
}

/// Once all units have told, the first map is no guess.
void auto_schedule::rehearsed(unit_id unit, double weight, seconds time) {
  const std::lock_guard guard{lock()};
  heard_.rehearse(unit, moderated(weight), time);
  for (std::size_t u = 0; u < units().size(); ++u)
    if (!heard_.is_rehearsed(u)) return;
  const std::optional<heard_speeds> speeds = heard_.speeds();
  if (has_begun() || !has_choice_ || !speeds) return;
  candidates_.predict(*speeds, 0, true);
  const auto all = candidates_.all();
  const auto pass = [](const candidate& one) { return one.predicted.pass; };
  const alternative best = std::ranges::min_element(all, {}, pass)->what;
  if (best.how == use::cpus || units().back().processors <= 1) begin(best);
}

void auto_schedule::ran(pass_id first, pass_id passes, seconds time) {
  const std::lock_guard guard{lock()};
  if (!detail::amounts.has(time)) return;
  newest_pass_ = time / static_cast<seconds>(passes);
  if (first < since_) return;
  candidates_.ran(passes, time);
  in_block_ += passes;
  ++stretches_;
}

bool auto_schedule::is_search_due(pass_id pass) {
  const seconds since = static_cast<seconds>(pass - searched_at_) * candidates_.present().now().pass;
  if (looks_++ >= most_searches && since < between_searches) return false;
  searched_at_ = pass;
  return true;
}

/// Passes from `from` on are timed until `until`, where there is a look.
void auto_schedule::time_block(pass_id from, pass_id until) {
  since_ = from;
  in_block_ = 0;
  stretches_ = 0;
  heard_.begin_block();
  keep_until(std::max(from, until));
}

void auto_schedule::decide(pass_id pass) {
  const std::optional<heard_speeds> speeds = heard_.speeds();
  if (pass < first_look() || !speeds) return learn(pass);
  const pass_id block = block_of(candidates_.present().now().pass);
  const pass_id missing = block - in_block_;
  const bool was_guess = std::exchange(is_guess_, speeds->are_cpus_guessed || speeds->are_gpus_guessed);
  const bool is_heard_now = was_guess && !is_guess_;
  if (looks_ > 0 && missing > 0 && !is_heard_now && pass - since_ < 2 * block)
    return keep_until(std::max(pass, since_) + missing);
  if (looks_ > 0 && has_changed(pass, block)) return;
  candidates_.predict(*speeds, heard_.busiest(unit_kind::gpu), is_search_due(pass));
  deal_after_one(0, pass);
  if (const auto better = candidates_.better(counted_.horizon_at(pass), cold(), block))
    return move_to(*better, pass);
  const candidate& here = candidates_.present();
  is_settled_ = missing <= 0 || pass - since_ >= 2 * block;
  const pass_id age = pass - std::max(mapped_at(), began_);
  time_block(pass, pass + (is_settled_ ? period_after(age, here.now().pass, here.overlap()) : block));
}

/// Until then units have told of no warm pass; GPUs run one task by itself meanwhile, so that a launch can be
/// told from the work.
void auto_schedule::learn(pass_id pass) {
  const bool splits = pass > 0 && has_gpus() && !warms_up();
  deal_after_one(splits ? 1 : 0, pass);
  keep_until(warms_up() ? std::max(pass + 1, first_look()) : pass + 1);
}

/// Two blocks must say so.
bool auto_schedule::has_changed(pass_id pass, pass_id block) {
  const timed_passes& timed = candidates_.present().timed;
  const std::size_t old = stretches_ + suspected_;
  if (stretches_ == 0 || timed.size() <= old) return false;
  const estimate now = *timed.of_newest(stretches_), before = *timed.before(old);
  const double apart = std::abs(std::log(now.pass / before.pass));
  if (apart < std::max(std::log(numbers.changed), 2 * std::hypot(now.error, before.error))) {
    suspected_ = 0;
    return false;
  }
  if (suspected_ == 0) {
    suspected_ = stretches_;
    time_block(pass, pass + block);
    return true;
  }
  changes_text_ += fmt::format(", anew from pass {}", pass);
  heard_.forget_but(static_cast<std::size_t>(in_block_));
  candidates_.forget_but(stretches_);
  suspected_ = 0;
  began_ = pass;
  looks_ = 0;
  return false;
}

void auto_schedule::move_to(std::size_t one, pass_id pass) {
  candidates_.move_to(one);
  changes_text_ += fmt::format(", in pass {} to {}", pass, text_of(present(), units()));
  remap(pass, present().shares, present().cpus);
  is_settled_ = false;
  suspected_ = 0;
  time_block(pass + cold(), pass + cold());
}

profile auto_schedule::learnt() const {
  const std::lock_guard guard{lock()};
  const std::optional<heard_speeds> speeds = has_choice_ ? heard_.speeds() : std::nullopt;
  if (!speeds) return {};
  return to_profile(heard_, *speeds, candidates_, units());
}

/// Begins where the earlier runs ended; what has changed since shows in the first passes.
void auto_schedule::recall(const profile& earlier) {
  const std::lock_guard guard{lock()};
  if (!has_choice_ || newest() >= 0) return;
  std::optional<recollection> found = recollect(earlier, work(), units());
  if (!found) return;
  tell_again(earlier, work(), units(), heard_);
  begin(std::move(found->best));
  for (timed_map& one : found->known) candidates_.recall(std::move(one.what), one.pass);
  recalled_ = earlier.days;
}

std::string auto_schedule::describe() const {
  const std::lock_guard guard{lock()};
  std::string line = fmt::format("{}: {}", name, text_of(present(), units()));
  if (!has_choice_) return line;
  if (newest_pass_ > 0) line += fmt::format("; its newest passes took {:.4g} s each", newest_pass_);
  line += candidates_.text();
  if (recalled_) line += fmt::format("; begun as earlier runs ended, the newest {:.2g} days ago", *recalled_);
  return line + fmt::format("; {} change{} of the map{}", changes(), changes() == 1 ? "" : "s",
                            changes_text_.empty() ? "" : ":" + changes_text_.substr(1));
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
