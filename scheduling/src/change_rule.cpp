#include "change_rule.hpp"

#include <algorithm>
#include <array>

namespace yoke::scheduling {

namespace {

/// A change of the map must promise this much; more where the present one was measured and other kinds of
/// units were not, since what is predicted knows nothing of what they cost each other, nor of the cost of
/// looking.
constexpr double least_gain = 0.01, least_gain_of_trial = 0.02;
/// Where nothing is warm yet, a change costs next to nothing.
constexpr double least_gain_when_cold = 0.005;
/// What a change takes, in passes: data move, work is laid out anew and cold (NPB-MZ on an H200: two to
/// four). It must be won back within as many passes as there were, or within so many.
constexpr double passes_of_change = 4;
constexpr pass_id least_horizon = 128;
/// Of the error of the speeds, so much must be gained besides: else the maps would follow the noise.
constexpr double caution = 0.2;
/// Before warm passes were measured, only what is this much worse than another map is left.
constexpr double obvious = 1.5;
/// The passes before which there are no more than 0, 1, … changes: what is known grows, and after the last
/// change there is none.
constexpr std::array<pass_id, 5> changes_from{1, 2, 4, 9, 24};
/// A look between two passes takes some hundred microseconds, for they cannot overlap across it, and planning
/// anew 80 ns for each task and unit (2 GHz; 1.3 ms with 1024 tasks on 16 units); of the time that passes
/// take, no more than this part.
constexpr seconds meeting = 3e-4, planning = 8e-8;
constexpr double most_looking = 0.0025;
constexpr pass_id longest_period = 256;

}  // namespace

bool is_worth_a_change(const change_case& of) {
  if (of.is_first) return of.part < 1 - least_gain_when_cold;
  if (!of.is_measured) return obvious * of.part < 1;
  const double pays = passes_of_change / static_cast<double>(std::max(of.passes, least_horizon));
  const double least = std::max(of.is_trial ? least_gain_of_trial : least_gain, pays);
  return of.part < 1 - least - caution * of.doubt;
}

bool may_change(int changes, pass_id passes) {
  const auto made = static_cast<std::size_t>(changes);
  return made < changes_from.size() && passes >= changes_from[made];
}

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

seconds cost_of_look(const workload& work, std::size_t n_units) {
  return meeting + planning * static_cast<double>(work.n_tasks) * static_cast<double>(n_units);
}

pass_id period_after(pass_id age, std::optional<pass_time> now, seconds look) {
  const double cheap = now ? look / (most_looking * now->usual) : 0;
  const double longest =
      std::clamp(cheap, static_cast<double>(steady_after), static_cast<double>(longest_period));
  return std::clamp<pass_id>(age, 1, static_cast<pass_id>(longest));
}

}  // namespace yoke::scheduling
