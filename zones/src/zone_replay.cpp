// Replays of a recording, and what a schedule is told of them.
#include "rank_votes.hpp"
#include "zone_program.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

#include <yoke/clock.hpp>
#include <yoke/detail/error_text.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::detail {

namespace {

/// So many steps of those that a schedule is told of are timed, the last ones: it keeps few of each unit.
constexpr std::int64_t most_timed = 8;

}  // namespace

/// What ranks must have alike: roles and swaps, in their order.
std::uint64_t zone_program::listed() const {
  fingerprint made;
  for (const entry& each : entries_) {
    made.add(each.a);
    made.add(each.b);
    if (each.operation < 0) continue;
    const zone_operation& what = operations_[static_cast<std::size_t>(each.operation)];
    made.add(std::string_view{what.name});
    for (const zone_use& use : what.uses) {
      made.add(use.field);
      made.add(static_cast<int>(use.reads_halo) + 2 * static_cast<int>(use.reads) +
               4 * static_cast<int>(use.writes) + 8 * static_cast<int>(use.sends));
    }
  }
  return made.value();
}

/// Errors: usage_error, on all ranks.
void zone_program::check_alike(std::int64_t steps) const {
  const std::array<std::uint64_t, 2> mine{static_cast<std::uint64_t>(steps), listed()};
  const auto all = gathered<std::uint64_t>(*core_->among(), mine);
  if (const int other = first_unlike(all, 0); other >= 0)
    throw usage_error{fmt::format("replay: {} steps on rank 0, {} on rank {}; all ranks replay the same",
                                  all[0][0], all[static_cast<std::size_t>(other)][0], other)};
  if (const int other = first_unlike(all, 1); other >= 0)
    throw usage_error{fmt::format(
        "replay: ranks 0 and {} have recorded unlike launches or swaps; all ranks record the same", other)};
}

/// The dealer goes by it, once it is warm.
bool zone_program::leads() const { return steps_done_ > 0 && core_->leader().is(this); }

/// Steps until the dealer is told of them, on any rank.
std::int64_t zone_program::steps_until_look() {
  if (!leads()) {
    if (core_->leader().is(this)) return 1;
    return core_->leader().steps_before(steps_done_).value_or(pass_plan::for_good);
  }
  zone_dealer* const dealer = core_->dealer();
  const std::int64_t own =
      dealer == nullptr ? pass_plan::for_good : std::max<std::int64_t>(dealer->steps_left(), 1);
  if (core_->among() == nullptr || !may_look_) return own;
  std::int64_t least = own;
  for (const std::vector<std::int64_t>& each : gathered<std::int64_t>(*core_->among(), std::span{&own, 1}))
    least = std::min(least, each.at(0));
  may_look_ = least < pass_plan::for_good;
  return least;
}

void zone_program::run_told(std::int64_t steps) {
  zone_dealer& dealer = *core_->dealer();
  if (group_.steps == 0) {
    core_->wait();
    core_->take_accounts();  // of what others have run
    group_ = {.is_whole = true, .begin = now()};
  }
  for (std::int64_t i = 0; i < steps; ++i) {
    const bool is_timed = dealer.steps_left() - i <= most_timed;
    if (is_timed && group_.timed++ == 0) {
      if (step_now() < 0) compile();
      compiled_->start_clocks();
    }
    one_step(is_timed, i == 0, i + 1 == steps);
  }
  group_.steps += steps;
  dealer.count(steps);
  if (dealer.steps_left() <= 0) tell(dealer);
}

/// Of units that share, what each has done.
void zone_program::add_shared(std::int64_t steps, std::vector<seconds>& times) {
  const zone_layout& layout = core_->layout();
  if (layout.sharing.empty()) return;
  const std::vector<cpu_pool::account> all = core_->take_accounts();
  double weight_of_launches = 0, weight = 0;
  for (const cpu_pool::account& each : all) weight_of_launches += each.weight;
  for (const int zone : layout.of(layout.sharing.front()))
    weight += core_->weights()[static_cast<std::size_t>(zone)];
  for (std::size_t member = 0; member < all.size(); ++member) {
    const auto unit = static_cast<std::size_t>(int{layout.sharing[member]});
    measured_[unit] = all[member].time / static_cast<double>(steps);
    const double part = weight_of_launches > 0 ? all[member].weight / weight_of_launches : 0;
    times[unit] = part > 0 ? measured_[unit] / (part * weight) : 0;
  }
}

/// Of the steps that ran since it was told last: what units took for weight 1.
std::vector<seconds> zone_program::take_times(const told_steps& done) {
  measured_ = compiled_->take_clocks();
  std::vector<seconds> times = measured_;
  for (std::size_t unit = 0; unit < times.size(); ++unit) {
    measured_[unit] /= static_cast<double>(done.timed);
    double weight = 0;
    for (const int zone : core_->layout().zones_of[unit])
      weight += core_->weights()[static_cast<std::size_t>(zone)];
    times[unit] = weight > 0 ? measured_[unit] / weight : 0;
  }
  add_shared(done.steps, times);
  return times;
}

void zone_program::tell(zone_dealer& dealer) {
  const told_steps done = std::exchange(group_, {});
  core_->wait();
  std::optional<seconds> time;
  if (done.is_whole) time = elapsed(done.begin, now());
  dealer.tell(done.steps, take_times(done), time);
  core_->follow();
}

void zone_program::replay(std::int64_t steps) {
  refuse_in_forked_child();
  core_->refuse_in_region("replayed");
  if (steps < 0) throw usage_error{fmt::format("replay: {} steps; 0 or more are accepted", steps)};
  check_alive();
  if (core_->among() != nullptr) check_alike(steps);
  try {
    run(steps);
  } catch (...) {
    if (core_->among() == nullptr) throw;
    core_->among()->end_all(text_of(std::current_exception()));  // others wait for what it would have told
    throw;
  }
}

void zone_program::run(std::int64_t steps) {
  while (steps > 0) {
    const std::int64_t n = std::min(steps, steps_until_look());
    const bool is_told = leads() && core_->dealer() != nullptr && !core_->dealer()->holds();
    if (is_told)
      run_told(n);
    else
      for (std::int64_t i = 0; i < n; ++i) one_step(false, i == 0, i + 1 == n);
    steps -= n;
    steps_done_ += n;
    core_->leader().has_done(this, steps_done_);
  }
  group_.is_whole = false;  // what the program does before its next replay takes time, too
}

}  // namespace yoke::detail
