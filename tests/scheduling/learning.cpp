/// `auto` on random machines, and what each schedule that learns does with the zones of NPB-MZ in virtual
/// time.

#include "machines.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

using namespace machines;
using driver::generator;

namespace {

struct outcome {
  std::vector<double> shares;  ///< of the best map, of each pass
  int changes = 0;
};

/// `passes` passes of `auto`, each beside the best map under the true mean speeds. A map that is better than
/// what the search found is the best one.
outcome run(const machine& on, generator& rng, int passes) {
  const auto plan = scheduling::make("auto", on.work, on.units);
  std::vector<handed_out> seen(static_cast<std::size_t>(passes));
  std::vector<std::vector<unit_id>> maps;
  const batch_time noisy = noisy_times(on, rng);
  simulate(
      *plan, on.work, on.n_units(),
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        if (static_cast<std::size_t>(pass) == maps.size()) {
          const pass_plan known = plan->plan_of(pass);
          maps.push_back(known.map);
          seen[static_cast<std::size_t>(pass)].cpus_share = known.cpus_share;
        }
        double weight = 0;
        for (const task_id task : batch) weight += weight_of(on.work, task);
        seen[static_cast<std::size_t>(pass)].batches.push_back({unit, weight});
        return noisy(unit, pass, batch);
      },
      passes);
  outcome of;
  for (const handed_out& pass : seen) of.shares.push_back(true_time(pass, on));
  const seconds best = std::min(best_of(on).found, *std::ranges::min_element(of.shares));
  for (double& share : of.shares) share = best / share;
  for (std::size_t p = 1; p < maps.size(); ++p) of.changes += maps[p] != maps[p - 1] ? 1 : 0;
  return of;
}

int longest_below(const std::vector<double>& shares, double bar) {
  int longest = 0, now = 0;
  for (const double share : shares) longest = std::max(longest, now = share < bar ? now + 1 : 0);
  return longest;
}

struct counts {
  int good = 0, fair = 0, bad = 0, long_poor = 0, most_changes = 0;
  int quiet = 0, good_of_quiet = 0;
};

bool are_alike(const machine& on, unit_kind kind) {
  std::optional<double> first;
  for (std::size_t u = 0; u < on.units.size(); ++u) {
    if (on.units[u].kind != kind) continue;
    if (on.speeds[u].per_weight != first.value_or(on.speeds[u].per_weight)) return false;
    first = on.speeds[u].per_weight;
  }
  return true;
}

/// Ten passes tell what there is to know.
bool is_quiet(const machine& on) {
  return on.noise < 0.15 && are_alike(on, unit_kind::cpu) && are_alike(on, unit_kind::gpu);
}

counts over(int machines) {
  constexpr int passes = 60;
  constexpr std::size_t learned = 10;
  counts of;
  for (int m = 0; m < machines; ++m) {
    generator rng{static_cast<unsigned>(m)};
    const machine on = draw(rng);
    const outcome seen = run(on, rng, passes);
    of.good += seen.shares[learned] >= 0.95 ? 1 : 0;
    of.quiet += is_quiet(on) ? 1 : 0;
    of.good_of_quiet += is_quiet(on) && seen.shares[learned] >= 0.95 ? 1 : 0;
    of.fair += seen.shares[learned] >= 0.9 ? 1 : 0;
    of.bad += seen.shares.back() < 0.7 ? 1 : 0;
    of.long_poor += longest_below(seen.shares, 0.9) > 20 ? 1 : 0;
    of.most_changes = std::max(of.most_changes, seen.changes);
  }
  return of;
}

/// `good`: part of the machines that reach 0.95 of the best map.
void check(int machines, double good) {
  const counts of = over(machines);
  CAPTURE(machines, of.good, of.fair, of.bad, of.long_poor, of.quiet, of.good_of_quiet);
  CHECK(of.good >= good * machines);
  CHECK(of.good_of_quiet >= 0.985 * of.quiet);
  CHECK(of.fair >= 0.985 * machines);
  CHECK(of.bad <= 0.002 * machines);
  CHECK(of.long_poor <= 0.01 * machines);
  CHECK(of.most_changes <= 5);
}

}  // namespace

TEST_CASE("after ten passes auto is near the best map on most machines, and far from it on next to none",
          "[scheduling][auto]") {
  check(400, 0.94);
}

TEST_CASE("after ten passes auto is near the best map on most of ten thousand machines",
          "[.][many-machines]") {
  check(10000, 0.935);
}

/// Of drawn machines where next to nothing varies. What made auto keep to a bad map, or come back to it: a
/// GPU had 4, 14 and 35 of weight by turns, and that the small batches were quicker made the large ones look
/// delayed (1040, 4299) or like outliers (7486); one late batch made a GPU look busy for longer than passes
/// took (8929).
TEST_CASE("auto finds a good map where next to nothing varies", "[scheduling][auto]") {
  const int drawn = GENERATE(1040, 4299, 7486, 8929);
  CAPTURE(drawn);
  generator rng{static_cast<unsigned>(drawn)};
  machine on = draw(rng);
  on.noise = 0.01;
  CHECK(run(on, rng, 60).shares[20] >= 0.9);
}

TEST_CASE("the search for the best map is near what no map can beat", "[scheduling][auto]") {
  std::vector<double> over_bound;
  for (int m = 0; m < 400; ++m) {
    generator rng{static_cast<unsigned>(m)};
    const machine on = draw(rng);
    const best_pass best = best_of(on);
    REQUIRE(best.found >= best.bound * (1 - 1e-9));
    if (on.work.n_tasks > 4 * on.n_units()) over_bound.push_back(best.found / best.bound);
  }
  std::ranges::sort(over_bound);
  CHECK(over_bound[over_bound.size() / 2] < 1.02);
  CHECK(over_bound[over_bound.size() * 9 / 10] < 1.08);
}
