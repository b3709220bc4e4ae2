#include "region_run.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include <yoke/learner.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

region_run::region_run(task_loop& loop, task_loop::parts& of, const compute_units& units, pass_id passes,
                       const batch_body_with_pass& body, const further_passes& further)
    : loop_{loop},
      of_{of},
      units_{units},
      body_{body},
      further_{further},
      began_{loop.pass()},
      end_{began_ + passes},
      crew_{of.crew.of(began_, end_)},
      meeting_{static_cast<int>(std::ranges::count(crew_, true))} {}

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
    meeting_.come(of_.protocol.stopped(), [this] { go_on(); });
    run_passes(unit);
  } while (reached < end_ && !loop_.is_stopped());
}

void region_run::run_passes(const compute_unit& unit) {
  // Here everybody comes, or stops the loop.
  constexpr seconds without_end = std::numeric_limits<seconds>::infinity();
  while (loop_.pass() < end_ && !loop_.is_stopped()) {
    unit_state& state = task_loop::parts::mine(loop_.parts_);
    const std::span<const task_id> batch = of_.protocol.get_batch(state, without_end);
    if (batch.empty()) continue;
    loop_.execute_batch(batch);
    body_(batch, loop_.pass());
    units_.finish(unit);
    loop_.commit_batch(batch);
  }
}

/// The last CU that came, while the others wait.
void region_run::go_on() {
  tell_learner();
  const pass_id more = further_();
  if (more <= 0) return;
  of_.plan->prepare(end_);
  if (of_.crew.of(end_, end_ + more) != crew_) {
    left_ = more;
    return;
  }
  began_ = end_;
  end_ += more;
  from_ = now();
}

void region_run::tell_learner() {
  if (learner* const learns = of_.plan->learning();
      learns != nullptr && of_.protocol.is_timed() && end_ > began_)
    learns->ran(began_, end_ - began_, elapsed(from_, now()));
}

void region_run::end() {
  if (!further_) tell_learner();
  of_.protocol.catch_up(end_);
}

}  // namespace yoke::detail
