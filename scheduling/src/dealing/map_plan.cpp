#include "map_plan.hpp"

#include "../maps/moderate.hpp"
#include "../speeds/sample.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

constexpr std::size_t most_samples = 1024;  // of one unit, while others are late with theirs

std::optional<speed> line_through(const unit_samples& samples) {
  speed_fit line;
  for (const auto& [weight, time] : samples) line.add(weight, time);
  return line.fit();
}

}  // namespace

map_plan::map_plan(assignment final_shares, const workload& work, std::span<const unit> units,
                   cpu_tasks of_final)
    : map_plan{std::move(final_shares), work, units, nullptr, of_final} {
  settle(provisional_.shares(), 0);
  for (unit_state& state : states_) state.settled = true;
}

map_plan::map_plan(assignment provisional, const workload& work, std::span<const unit> units, decision decide,
                   cpu_tasks of_final)
    : work_{moderate(work)},
      units_{units.begin(), units.end()},
      provisional_{std::move(provisional), units},
      decide_{std::move(decide)},
      of_final_{of_final},
      states_(units.size()) {}

std::span<const task_id> map_plan::next(unit_id unit, pass_id pass) {
  unit_state& own = states_[index(unit)];
  if (!own.settled && own.pass != pass) enter(own, pass);
  if (own.settled) return final_->next(unit, pass);
  const std::span<const task_id> batch = provisional_.next(unit, pass, provisional_batch(unit, pass));
  if (batch.empty()) finish(own, pass);
  return batch;
}

/// While measuring, a unit that takes whole shares gets its own in one piece and in two unequal ones by
/// turns, so that launch cost and throughput can be told apart; the tasks stay where they are.
int map_plan::provisional_batch(unit_id unit, pass_id pass) const {
  if (!takes_whole_shares(units_[index(unit)])) return 1;
  const int share = static_cast<int>(provisional_.shares()[index(unit)].size());
  const bool split = pass > 0 && pass < profiling_passes && pass % 2 == 0;
  return split ? std::max(1, 2 * share / 3) : share;
}

void map_plan::enter(unit_state& own, pass_id pass) {
  const std::lock_guard guard{lock_};
  decide_by(pass);
  own.pass = pass;
  own.settled = final_.has_value() && pass >= final_from_;
}

/// Which map `pass` has. Requires the lock.
void map_plan::decide_by(pass_id pass) {
  if (pass <= newest_pass_) return;
  if (!final_ && is_measured()) {
    settle(decide_(fits()).value_or(provisional_.shares()), pass);
  }
  newest_pass_ = pass;
}

void map_plan::finish(unit_state& own, pass_id pass) {
  const std::lock_guard guard{lock_};
  own.finished = std::max(own.finished, pass);
}

/// GPUs may differ in all; CPU CUs are told apart only where their times do not explain it by noise.
std::vector<std::optional<speed>> map_plan::fits() const {
  std::vector<std::optional<speed>> all(units_.size());
  for (const std::size_t gpu : units_of(unit_kind::gpu, units_))
    all[gpu] = line_through(states_[gpu].samples);
  const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units_);
  std::vector<unit_samples> samples;
  for (const std::size_t u : cpus) samples.push_back(states_[u].samples);
  const std::optional<kind_model> model =
      fit_kind(samples, usual_launch(unit_kind::cpu, usual_weight(work_)));
  for (std::size_t i = 0; model && i < cpus.size(); ++i)
    if (!samples[i].empty()) all[cpus[i]] = model->units[i];
  return all;
}

/// Of some unit of this kind, where there are units of it.
bool map_plan::has_samples(unit_kind kind) const {
  const std::vector<std::size_t> members = units_of(kind, units_);
  return members.empty() || std::any_of(members.begin(), members.end(),
                                        [&](std::size_t u) { return !states_[u].samples.empty(); });
}

bool map_plan::is_measured() const {
  for (std::size_t u = 0; u < states_.size(); ++u)
    if (!provisional_.shares()[u].empty() && states_[u].finished + 1 < profiling_passes) return false;
  return has_samples(unit_kind::cpu) && has_samples(unit_kind::gpu);
}

void map_plan::settle(assignment shares, pass_id pass) {
  final_.emplace(std::move(shares), work_, units_, of_final_);
  final_from_ = pass;
}

void map_plan::done(unit_id unit, pass_id pass, std::span<const task_id> batch, seconds time) {
  unit_state& own = states_[index(unit)];
  if (own.settled || pass == 0 || !is_sample(time)) return;
  const std::lock_guard guard{lock_};
  if (own.samples.size() < most_samples) own.samples.emplace_back(weight_of(work_, batch), time);
}

void map_plan::prepare(pass_id pass) {
  const std::lock_guard guard{lock_};
  decide_by(pass);
}

pass_plan map_plan::plan_of(pass_id pass) const {
  const std::lock_guard guard{lock_};
  const bool cpus_share = of_final_ == cpu_tasks::shared;
  if (final_ && pass >= final_from_)
    return {.map = to_map(final_->shares(), work_.n_tasks),
            .until = pass_plan::for_good,
            .cpus_share = cpus_share};
  const bool may_be_final = !final_ && pass > newest_pass_ && pass >= profiling_passes;
  if (may_be_final) return {};
  return {.map = to_map(provisional_.shares(), work_.n_tasks), .until = pass + 1, .cpus_share = cpus_share};
}

const assignment& map_plan::shares() const {
  const std::lock_guard guard{lock_};
  return final_ ? final_->shares() : provisional_.shares();
}

}  // namespace yoke::scheduling
