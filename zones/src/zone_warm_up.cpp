// Steps whose time does not count.
#include "rank_votes.hpp"
#include "zone_program.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/warm_up.hpp>

namespace yoke::detail {

namespace {

/// What warming up may take of the steps that count, beyond what is needed.
constexpr double most_of_program = 0.03;

}  // namespace

/// A step that shows what units take, before the first pass.
void zone_program::rehearse(zone_dealer* dealer) {
  core_->wait();
  core_->take_accounts();
  if (step_now() < 0) compile();
  compiled_->start_clocks();
  one_step(true, true, true);
  core_->leader().has_done(this, ++steps_done_);
  core_->wait();
  const std::vector<seconds> times = take_times({.steps = 1, .timed = 1});
  if (dealer == nullptr || !dealer->wants_rehearsal()) return;
  dealer->rehearse(times);
  core_->follow();
}

/// On any rank.
std::int64_t zone_program::most_of_ranks(std::int64_t mine) const {
  if (core_->among() == nullptr) return mine;
  std::int64_t most = 0;
  for (const std::vector<std::int64_t>& each : gathered<std::int64_t>(*core_->among(), std::span{&mine, 1}))
    most = std::max(most, each.at(0));
  return most;
}

std::int64_t zone_program::warm_up(std::int64_t steps) {
  if (steps < 0) throw usage_error{fmt::format("warm_up: {} steps; 0 or more are accepted", steps)};
  core_->leader().choose(this);
  replay(1);
  zone_dealer* const dealer = core_->dealer();
  std::int64_t done = 1;
  if (most_of_ranks(static_cast<std::int64_t>(dealer != nullptr && dealer->wants_rehearsal())) > 0) {
    rehearse(dealer);
    ++done;
  }
  std::optional<yoke::warm_up> rule;
  if (dealer != nullptr) {
    rule.emplace(dealer->plan(), steps);
    rule->next(dealer->pass());  // the step that there was
  }
  seconds spent = 0;
  warm_up_outcome last;
  while (const std::int64_t n = most_of_ranks(dealer == nullptr ? 0 : rule->next(dealer->pass(), last))) {
    const ticks begin = now();
    const long layout = core_->layout_number();
    replay(n);
    core_->wait();
    const seconds took = elapsed(begin, now());
    spent += took;
    done += n;
    last = {.map_is_new = core_->layout_number() != layout,
            .allowance_is_spent =
                spent > most_of_program * static_cast<double>(steps) * took / static_cast<double>(n)};
  }
  if (dealer != nullptr) dealer->time_counts();
  return done;
}

}  // namespace yoke::detail
