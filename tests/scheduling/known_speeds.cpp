/// The maps that `auto` would choose if nothing had to be learnt: what of its losses is the search's, and
/// what cannot be known after ten passes.

#include "../../scheduling/src/learning/ways.hpp"
#include "machines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

using namespace machines;
using driver::generator;
using scheduling::alternative;
using scheduling::cpu_tasks;

namespace {

handed_out as_handed_out(const alternative& one, const machine& on) {
  handed_out pass{.batches = {}, .cpus_share = one.cpus == cpu_tasks::shared};
  for (std::size_t u = 0; u < one.shares.size(); ++u) {
    const unit_id unit{static_cast<int>(u)};
    double all = 0;
    for (const task_id task : one.shares[u]) {
      const double weight = weight_of(on.work, task);
      if (on.is_gpu(u))
        all += weight;
      else
        pass.batches.push_back({unit, weight});
    }
    if (all > 0) pass.batches.push_back({unit, all});
  }
  if (pass.cpus_share) std::ranges::sort(pass.batches, std::ranges::greater{}, &handed_out::batch::weight);
  return pass;
}

/// True time of a pass with the map that promises most by these speeds.
seconds best_by(const std::vector<speed>& speeds, const machine& on) {
  const scheduling::forecast model{on.work, on.units, {.usual = speeds}};
  std::pair<seconds, alternative> best{std::numeric_limits<seconds>::infinity(), {}};
  for (alternative& one : scheduling::ways_of_using(on.work, on.units, model))
    if (const seconds expected = model.of(one.shares, one.cpus); expected < best.first)
      best = {expected, std::move(one)};
  return true_time(as_handed_out(best.second, on), on);
}

/// The mean of its kind for each unit.
std::vector<speed> means_of_kinds(const machine& on) {
  std::vector<speed> means(on.units.size());
  for (const bool of_gpus : {false, true}) {
    speed sum;
    int n = 0;
    for (std::size_t u = 0; u < means.size(); ++u) {
      if (on.is_gpu(u) != of_gpus) continue;
      sum = {sum.launch + on.speeds[u].launch, sum.per_weight + on.speeds[u].per_weight};
      ++n;
    }
    for (std::size_t u = 0; u < means.size(); ++u)
      if (on.is_gpu(u) == of_gpus) means[u] = {sum.launch / n, sum.per_weight / n};
  }
  return means;
}

double square(double x) { return x * x; }

/// What so many passes tell at best: by whoever knows the noise, the mean of each kind but for the noise in
/// all of its batches, and how much units of a kind differ, each unit's likeliest speed. A GPU has a batch in
/// a pass, and a CPU CU as many as if the tasks were dealt out evenly, which is more than beside a fast GPU.
std::vector<speed> told_by(int passes, const machine& on, generator& rng) {
  std::vector<speed> told = means_of_kinds(on);
  for (const bool of_gpus : {false, true}) {
    std::vector<std::size_t> units;
    for (std::size_t u = 0; u < told.size(); ++u)
      if (on.is_gpu(u) == of_gpus) units.push_back(u);
    if (units.empty()) continue;
    const auto n = static_cast<double>(units.size());
    const double batches = of_gpus ? 1 : std::max(1.0, static_cast<double>(on.work.n_tasks) / on.n_units());
    const double noise = square(on.noise) / (passes * batches);
    const auto factor_of = [&](std::size_t u) { return on.speeds[u].per_weight / told[u].per_weight; };
    double differ = 0;
    for (const std::size_t u : units) differ += square(factor_of(u) - 1) / n;
    std::normal_distribution<double> random;
    const double of_all = 1 + std::sqrt(noise / n) * random(rng);
    for (const std::size_t u : units) {
      const double seen = factor_of(u) + std::sqrt(noise) * random(rng);
      const double factor = of_all + (differ > 0 ? differ / (differ + noise) : 0) * (seen - of_all);
      told[u] = {told[u].launch * factor, told[u].per_weight * factor};
    }
  }
  return told;
}

struct near_best {
  int by_true_speeds = 0, by_means = 0, by_ten = 0, by_forty = 0;
};

near_best over_known(int n_machines) {
  near_best count;
  for (int m = 0; m < n_machines; ++m) {
    generator rng{static_cast<unsigned>(m)};
    const machine on = draw(rng);
    const seconds enough = best_of(on).found / 0.95;
    const auto is_near = [&](const std::vector<speed>& speeds) {
      return best_by(speeds, on) <= enough ? 1 : 0;
    };
    count.by_true_speeds += is_near(on.speeds);
    count.by_means += is_near(means_of_kinds(on));
    count.by_ten += is_near(told_by(10, on, rng));
    count.by_forty += is_near(told_by(40, on, rng));
  }
  return count;
}

struct percents {
  double by_true_speeds = 0, by_means = 0, by_ten = 0, by_forty = 0;
};

/// Of the machines; by ten and by forty passes.
void check_known(int n_machines, const percents& least) {
  const near_best count = over_known(n_machines);
  const double percent = n_machines / 100.0;
  CAPTURE(n_machines, count.by_true_speeds, count.by_means, count.by_ten, count.by_forty);
  CHECK(count.by_true_speeds >= least.by_true_speeds * percent);
  CHECK(count.by_means >= least.by_means * percent);
  CHECK(count.by_ten >= least.by_ten * percent);
  CHECK(count.by_forty >= least.by_forty * percent);
}

}  // namespace

TEST_CASE("by the true speeds, or what ten passes tell of them, auto's search comes near the best map",
          "[scheduling][auto]") {
  check_known(400, {.by_true_speeds = 99.75, .by_means = 93.5, .by_ten = 95, .by_forty = 97});
}

TEST_CASE(
    "by the true speeds, or what ten passes tell of them, the best map is near on ten thousand machines",
    "[.][many-machines]") {
  check_known(10000, {.by_true_speeds = 99.7, .by_means = 93.5, .by_ten = 95.5, .by_forty = 98});
}
