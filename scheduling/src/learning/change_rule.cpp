#include "change_rule.hpp"

#include "../maps/moving.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

/// A change of the map must promise this much; more where the present one was measured and other kinds of
/// units were not, since what is predicted knows nothing of what they cost each other, nor of the cost of
/// looking.
constexpr double least_gain = 0.01, least_gain_of_trial = 0.02;
/// Among maps of the same kinds of units, where the present one is long in force: SP-MZ class D beside an
/// H200 gains 0.7% from the fewest tasks for 15 CPUs to the most.
constexpr double least_gain_when_settled = 0.006;
/// Where nothing is warm yet, a change costs next to nothing but what moving data takes.
constexpr double least_gain_when_cold = 0.005;
/// Of what the passes in question take, so much is spent on finding out what nobody can predict, and what is
/// not expected to be better. To try one of two H200s and come back took SP-MZ class C 60 of its 400 passes,
/// where 8 and moving were counted.
constexpr double most_on_a_trial = 1.0 / 16, most_on_an_unlikely_one = 1.0 / 200;
/// Of the error of the speeds, so much must be gained besides: else the maps would follow the noise.
constexpr double caution = 0.1;
/// And of the spread of CPU CUs' batches before each gets tasks of its own: who was slow lately may have been
/// so by chance, and a pool makes up for that. SP-MZ class B on 32 busy CPUs went from map to map and came to
/// 0.8 of a pool.
constexpr double caution_for_own = 0.25;
/// Before warm passes were measured, only what is this much worse than another map is left.
constexpr double obvious = 1.5;
/// And where four more will tell before time counts: in the first pass, CPU CUs have needed three times as
/// long as ever after.
constexpr double obvious_when_early = 4;

/// Spaces of the tasks; -1 where a task has no unit.
std::vector<int> spaces_of(const assignment& shares, const workload& work, std::span<const unit> units) {
  std::vector<int> spaces(static_cast<std::size_t>(work.n_tasks), -1);
  for (std::size_t u = 0; u < units.size(); ++u)
    for (const task_id task : shares[u]) spaces[index(task)] = units[u].space;
  return spaces;
}

seconds time_of_moves(const assignment& from, const assignment& to, const workload& work,
                      std::span<const unit> units) {
  if (work.bytes.empty()) return 0;
  const std::vector<int> here = spaces_of(from, work, units), there = spaces_of(to, work, units);
  seconds time = 0;
  for (std::size_t task = 0; task < here.size(); ++task) {
    if (here[task] == there[task]) continue;
    time += of_regions.time_of(static_cast<double>(work.bytes[task]), space_id{here[task]},
                               space_id{there[task]});
  }
  return of_regions.in_all(time);
}

bool uses(const alternative& what, unit_kind kind) {
  if (what.how == use::both_kinds) return true;
  return (what.how == use::cpus) == (kind == unit_kind::cpu);
}

/// How much of a pass with this map is as uncertain as the speeds: beside a much faster kind, the other one's
/// speed matters little.
double stake_of(const alternative& what, const workload& work, std::span<const unit> units) {
  if (what.how != use::both_kinds) return 1;
  double on_cpus = 0, all = 0;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const double weight = weight_of(work, what.shares[u]);
    all += weight;
    on_cpus += units[u].kind == unit_kind::cpu ? weight : 0;
  }
  return 4 * on_cpus / all * (1 - on_cpus / all);
}

}  // namespace

double change_price::part() const { return to_pay.is_free ? 0 : part_of_all(); }

double change_price::part_of_all() const {
  return (cold + (pass > 0 ? moving / pass : 0)) / static_cast<double>(std::max<pass_id>(to_pay.passes, 1));
}

change_price price_of(const assignment& from, const assignment& to, const workload& work,
                      std::span<const unit> units, seconds pass, horizon to_pay, double cold) {
  return {.moving = time_of_moves(from, to, work, units), .pass = pass, .to_pay = to_pay, .cold = cold};
}

bool is_worth_a_trial(const change_price& there, bool is_likely) {
  return is_likely ? 2 * there.part() <= most_on_a_trial : 2 * there.part_of_all() <= most_on_an_unlikely_one;
}

bool is_affordable(seconds longer, seconds pass, horizon to_pay) {
  return longer <= most_on_a_trial * pass * static_cast<double>(to_pay.passes);
}

bool is_worth_a_change(const change_case& of) {
  if (of.is_early) return obvious_when_early * of.part < 1;
  if (of.is_first) return of.part < 1 - std::max({least_gain_when_cold, of.price, of.untold});
  if (!of.is_measured) return obvious * of.part < 1;
  // Of what another map promises because passes have become longer with the same one, nothing is certain: two
  // H200s that reach their power limit slow down by 5% at different moments, and recover.
  const double least_gain_of_like =
      of.is_settled ? std::max(least_gain_when_settled, of.unsteady) : least_gain;
  // What is tried is as likely as not to be left again.
  const double least =
      of.is_trial ? std::max(least_gain_of_trial, 2 * of.price) : std::max(least_gain_of_like, of.price);
  return of.part < 1 - least - of.doubt;
}

double doubt_of(const alternative& from, const alternative& to, const forecast& model, const workload& work,
                std::span<const unit> units) {
  const unit_speeds& told = model.told();
  const bool no_gpus = !uses(from, unit_kind::gpu) && !uses(to, unit_kind::gpu);
  const bool no_cpus = !uses(from, unit_kind::cpu) && !uses(to, unit_kind::cpu);
  if (no_gpus) return to.cpus == cpu_tasks::own ? caution_for_own * told.cpu_spread : 0;
  return caution * (no_cpus ? told.gpu_error : stake_of(to, work, units) * model.error());
}

}  // namespace yoke::scheduling
