/// How `auto` has GPUs run their shares while it learns of them.

#include "maps_seen.hpp"

#include <algorithm>
#include <random>

#include <yoke/simulator.hpp>

using namespace yoke;
using driver::machine;
using driver::speeds_of;

namespace {

/// Tasks of the batches of GPU CU 4 in each of 12 passes, beside four CPU CUs; `spread`: of its batches.
std::vector<std::vector<int>> batches_of_gpu(speed gpu, double spread) {
  const std::vector<unit> units = machine(4, 1, 132);
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

TEST_CASE("auto deals a GPU's share out in parts until pass 10 where its batches vary, and learns more of it",
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
