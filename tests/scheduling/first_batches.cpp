/// How `auto` has GPUs run their shares while it learns of them.

#include "maps_seen.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>

#include <yoke/simulator.hpp>

using namespace yoke;
using driver::speeds_of;

namespace {

/// Tasks of the batches of GPU CU 4 in each of 12 passes, beside four CPU CUs; `spread`: of its batches.
std::vector<std::vector<int>> batches_of_gpu(speed gpu, double spread) {
  const std::vector<unit> units = driver::machine(4, 1, 132);
  const workload work{.n_tasks = 400};
  std::vector<std::vector<int>> sizes(12);
  std::mt19937 random{5};
  const batch_time usual = linear_time(work, speeds_of(units, {0, 1e-3}, gpu));
  const auto plan = scheduling::make("auto", work, units);
  simulate(
      *plan, work, 5,
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        if (int{unit} == 4) sizes[static_cast<std::size_t>(pass)].push_back(static_cast<int>(batch.size()));
        return usual(unit, pass, batch) * driver::real(random, 1 - spread, 1 + spread);
      },
      12);
  return sizes;
}

std::vector<std::size_t> counts_of(const std::vector<std::vector<int>>& batches) {
  std::vector<std::size_t> counts;
  for (const auto& pass : batches) counts.push_back(pass.size());
  return counts;
}

using batches_in_passes = std::vector<std::size_t>;

}  // namespace

TEST_CASE("auto has a GPU run one task by itself in two passes, from which it learns what a launch takes",
          "[scheduling][auto]") {
  const auto batches = batches_of_gpu({2e-6, 2e-5}, 0.01);
  CHECK(counts_of(batches) == batches_in_passes{1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(batches[1].front() == 1);
  CHECK(batches[2].front() == 1);
}

TEST_CASE("auto deals a GPU's share out in parts until pass 10 where its batches vary",
          "[scheduling][auto]") {
  const auto batches = batches_of_gpu({2e-6, 2e-5}, 0.5);
  CHECK(counts_of(batches) == batches_in_passes{1, 2, 2, 5, 5, 5, 5, 5, 5, 5, 1, 1});
  CHECK(batches[9].front() == 1);
  CHECK(batches[9][1] - batches[9].back() <= 3);
}

TEST_CASE("auto cuts no share for the sake of learning once it knows that launches would take most of it",
          "[scheduling][auto]") {
  const auto counts = counts_of(batches_of_gpu({4e-3, 2e-6}, 0.3));
  CHECK(std::ranges::max(counts) <= 2);
  CHECK(std::all_of(counts.begin() + 3, counts.end(), [](std::size_t n) { return n == 1; }));
}

namespace {

/// Passes of one GPU CU whose share came in other pieces than in the pass before, though the plan of that
/// pass was told to hold beyond it.
int pieces_that_changed(schedule& plan, const workload& work, int n_units, unit_id gpu,
                        driver::generator& rng, double spread) {
  std::map<pass_id, std::vector<std::size_t>> pieces;
  std::map<pass_id, pass_id> until;
  driver::run_interleaved(plan, work.n_tasks, n_units, 40, rng,
                          [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
                            until.try_emplace(pass, plan.plan_of(pass).until);
                            if (unit == gpu) pieces[pass].push_back(batch.size());
                            return static_cast<double>(batch.size()) * driver::real(rng, 1, 1 + spread) *
                                   (int{unit} < 4 ? 1 : 0.02);
                          });
  int changed = 0;
  for (auto at = pieces.begin(); at != pieces.end() && std::next(at) != pieces.end(); ++at) {
    const auto& [pass, sizes] = *std::next(at);
    if (pass == at->first + 1 && until[at->first] > pass && sizes != at->second) ++changed;
  }
  return changed;
}

}  // namespace

TEST_CASE("auto keeps the pieces of a GPU's share as long as the plan holds that it told",
          "[scheduling][auto]") {
  const auto seed = GENERATE(range(0u, 40u));
  CAPTURE(seed);
  driver::generator rng{seed};
  const int gpus = driver::between(rng, 1, 3);
  const std::vector<unit> units = driver::machine(4, gpus, 132);
  const workload work{.n_tasks = driver::between(rng, 20, 300)};
  const auto plan = scheduling::make("auto", work, units);
  CHECK(pieces_that_changed(*plan, work, 4 + gpus, unit_id{4}, rng, seed % 2 == 0 ? 0.05 : 1) == 0);
}

TEST_CASE("auto cuts no share of a program that runs passes before its time counts", "[scheduling][auto]") {
  const std::vector<unit> units = driver::machine(4, 1, 132);
  const workload work{.n_tasks = 400, .passes = 100, .warms_up = true};
  const auto plan = scheduling::make("auto", work, units);
  std::vector<int> batches(20);
  simulate(
      *plan, work, 5,
      [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
        if (int{unit} == 4) ++batches[static_cast<std::size_t>(pass)];
        return (int{unit} == 4 ? 2e-5 : 1e-3) * static_cast<double>(batch.size());
      },
      20);
  CHECK(std::ranges::max(batches) == 1);
}
