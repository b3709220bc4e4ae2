/// The maps that `auto` would choose if nothing had to be learnt: what of its losses is the search's, and
/// what cannot be known after ten passes.

#include "../../scheduling/src/learning/alternatives.hpp"
#include "machines.hpp"

#include <algorithm>
#include <limits>
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
      const double weight = driver::weight_of(on.work, task);
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

struct near_best {
  int by_true_speeds = 0, by_means = 0;
};

near_best over(int n_machines) {
  near_best count;
  for (int m = 0; m < n_machines; ++m) {
    generator rng{static_cast<unsigned>(m)};
    const machine on = draw(rng);
    const seconds enough = best_of(on).found / 0.95;
    count.by_true_speeds += best_by(on.speeds, on) <= enough ? 1 : 0;
    count.by_means += best_by(means_of_kinds(on), on) <= enough ? 1 : 0;
  }
  return count;
}

/// Parts of the machines.
void check(int n_machines, double by_true_speeds, double by_means) {
  const near_best count = over(n_machines);
  CAPTURE(n_machines, count.by_true_speeds, count.by_means);
  CHECK(count.by_true_speeds >= by_true_speeds * n_machines);
  CHECK(count.by_means >= by_means * n_machines);
}

}  // namespace

TEST_CASE("by the true speeds auto's search comes near the best map", "[scheduling][auto]") {
  check(400, 0.9975, 0.935);
}

TEST_CASE("by the true speeds auto's search comes near the best map on ten thousand machines",
          "[.][many-machines]") {
  check(10000, 0.997, 0.935);
}
