#include "first_pool.hpp"

#include "hybrid_split.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

/// A CPU CU gets a task in the first pass unless it would need so many times what the GPUs are thought to
/// need for all of them: the guess may be wrong by a factor of three.
constexpr double hopeless = 3;

/// A pass of NPB-MZ reads its state about so many times. With less work two H200s are slower than one (SP, BT
/// and LU, classes W and A, against B and C).
constexpr double times_read = 5;
constexpr seconds little = 1e-4;

}  // namespace

int first_pool(const workload& work, std::span<const unit> units) {
  const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units),
                                 gpus = units_of(unit_kind::gpu, units);
  if (gpus.empty()) return work.n_tasks;
  if (cpus.empty() || work.n_tasks < 2) return 0;
  const bool is_guess = units[gpus.front()].processors <= 1;
  if (is_guess) return tasks_within(work, part_of_cpus(units, provisional_pcf(units)));
  const double all = weight_of(work, all_tasks(work.n_tasks));
  const double most = hopeless * all / (promised_pcf(units) * static_cast<double>(gpus.size()));
  const double first = weight_of(work, task_id{0});
  int wanted = 0;  // side by side, each takes as many times longer as there are CPUs
  for (const std::size_t u : cpus) wanted += first * units[u].cpus <= most ? units[u].cpus : 1;
  int n = 0;
  while (n < std::min(wanted, work.n_tasks / 2) && weight_of(work, task_id{n}) <= most) ++n;
  return n;
}

bool is_little_for_gpus(const workload& work, std::span<const unit> units) {
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units);
  if (gpus.size() < 2 || work.bytes.empty() || units[gpus.front()].processors <= 1) return false;
  double bytes = 0;
  for (const std::size_t of_task : work.bytes) bytes += static_cast<double>(of_task);
  return times_read * bytes / (bandwidth_of_processor * units[gpus.front()].processors) < little;
}

void leave_to_one_gpu(assignment& shares, std::span<const unit> units) {
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units);
  std::vector<task_id>& first = shares[gpus.front()];
  for (const std::size_t gpu : std::span{gpus}.subspan(1)) {
    first.insert(first.end(), shares[gpu].begin(), shares[gpu].end());
    shares[gpu].clear();
  }
  std::ranges::sort(first);
}

bool is_hopeless_for_cpus(const workload& work, std::span<const unit> units) {
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units);
  return !gpus.empty() && units[gpus.front()].processors > 1 && work.n_tasks > 1 &&
         first_pool(work, units) == 0;
}

}  // namespace yoke::scheduling
