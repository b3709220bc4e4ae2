#include "region_run.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>

#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>
#include <yoke/learner.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

/// Of so many passes the last two may be missing in what is decided upon, and nobody has to wait for that. Of
/// fewer each counts.
constexpr pass_id many_passes = 10;
/// Passes by which those that were begun may be off those that were run, when somebody looks.
constexpr double most_ahead = 1.5;

}  // namespace

pass_id checked_passes(pass_id passes) {
  if (passes >= 0 && passes <= most_indices) return passes;
  throw usage_error{fmt::format("run: {} passes; the number of passes is 0 to {}", passes, most_indices)};
}

region_run::region_run(task_loop& loop, task_loop::parts& of, const compute_units& units, pass_id passes,
                       const batch_body_with_pass& body, const further_passes& further)
    : loop_{loop},
      of_{of},
      units_{units},
      body_{body},
      further_{further},
      first_{loop.pass()},
      end_{first_ + passes},
      crew_{of.crew.of(first_, end_)},
      meeting_{static_cast<int>(std::ranges::count(crew_, true))},
      seen_{first_},
      tasks_seen_{of.account.tasks_run()} {}

void region_run::work(const compute_unit& unit) {
  if (!crew_[static_cast<std::size_t>(int{unit.id})]) {
    of_.protocol.stay_away(unit.id);
    return openmp::rest_behind_region();
  }
  run_passes(unit);
  if (!further_) return;
  pass_id reached = 0;
  do {
    reached = end_;
    meeting_.come(of_.protocol.stopped(), [this] {
      const std::lock_guard guard{lock_};
      if (!is_over_) go_on(end_);
    });
    run_passes(unit);
  } while (reached < end_ && !loop_.is_stopped());
}

void region_run::run_passes(const compute_unit& unit) {
  while (loop_.pass() < end_ && !loop_.is_stopped()) {
    look_ahead(loop_.pass());
    while (!loop_.is_stopped() && run_batch(unit)) {
    }
  }
}

/// False where the pass has no more for the CU.
bool region_run::run_batch(const compute_unit& unit) {
  // Here everybody comes, or stops the loop.
  constexpr seconds without_end = std::numeric_limits<seconds>::infinity();
  unit_state& state = task_loop::parts::mine(loop_.parts_);
  const std::span<const task_id> batch = of_.protocol.get_batch(state, without_end);
  if (batch.empty()) return false;
  loop_.execute_batch(batch);
  body_(batch, loop_.pass());
  units_.finish(unit);
  loop_.commit_batch(batch);
  return true;
}

/// The calling CU comes to `pass`. The first one that comes to the last but one of many asks what follows: in
/// that pass a body may already begin the last one, and wants to know whether it is.
void region_run::look_ahead(pass_id pass) {
  if (!further_ || pass + 2 < end_) return;
  const std::lock_guard guard{lock_};
  if (!is_over_ && pass + 2 == end_ && end_ - seen_ >= many_passes) go_on(pass);
}

/// All passes before `done` are over, for the calling CU at least. Requires the lock.
void region_run::go_on(pass_id done) {
  tell_learner(done);
  const pass_id next = end_, more = checked_passes(further_(next));
  is_over_ = more == 0;
  if (is_over_) return;
  of_.plan->prepare(next);
  if (of_.crew.of(next, next + more) == crew_) {
    end_ = next + more;
  } else {
    left_ = more;
    is_over_ = true;
  }
}

/// CPU CUs with few tasks may be passes ahead of a GPU that has most of them, or have been so before: what
/// was run in this time counts.
void region_run::tell_learner(pass_id done) {
  learner* const learns = of_.plan->learning();
  if (learns == nullptr || !of_.protocol.is_timed() || done == seen_) return;
  const ticks time = now();
  const long long tasks = of_.account.tasks_run();
  const auto told = static_cast<double>(done - seen_);
  const double ran = static_cast<double>(tasks - tasks_seen_) / std::max(loop_.work().n_tasks, 1);
  const bool is_ahead = std::abs(told - ran) > most_ahead;
  if (is_ahead && ran < 1) return;
  learns->ran(seen_, done - seen_, (is_ahead ? told / ran : 1) * elapsed(seen_at_, time));
  seen_ = done;
  seen_at_ = time;
  tasks_seen_ = tasks;
}

void region_run::end() {
  if (!further_ || seen_ == first_) tell_learner(end_);
  of_.protocol.catch_up(end_);
}

}  // namespace yoke::detail
