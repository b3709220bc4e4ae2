#include "unheard_cpus.hpp"

#include "../maps/first_pool.hpp"
#include "../maps/memory_limits.hpp"
#include "../maps/moving.hpp"
#include "looks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace yoke::scheduling {

namespace {

/// A task that keeps a GPU so long may be up to a dozen kernels whose launches take most of it: a block of
/// Jacobi's method, which is one, took 6.5 us on an H200 whatever its size was, up to 400 000 points. Tasks
/// that take less are not launched one by one.
constexpr seconds one_launch = 3e-6, some_launches = 1e-4;

/// Of fewer tasks in a row, those that exchange with a GPU are too many of all.
constexpr int fewest_heard = 6;

/// One for each CPU CU, where GPUs keep as many.
std::vector<task_id> first_tasks(int n_tasks, std::size_t n_cpus) {
  return all_tasks(std::min(n_tasks / 2, std::max(static_cast<int>(n_cpus), fewest_heard)));
}

assignment with_first_on_cpus(assignment shares, std::span<const task_id> first,
                              std::span<const std::size_t> cpus) {
  for (std::vector<task_id>& of_unit : shares)
    std::erase_if(of_unit, [&](task_id task) { return index(task) < first.size(); });
  for (std::size_t i = 0; i < first.size(); ++i) shares[cpus[i % cpus.size()]].push_back(first[i]);
  return shares;
}

/// Until the last CPU CU is through, by what processors promise.
seconds longest_of(const assignment& shares, std::span<const std::size_t> cpus, const forecast& model,
                   const workload& work) {
  seconds longest = 0;
  for (const std::size_t u : cpus)
    longest = std::max(longest, model.speeds()[u].per_weight * weight_of(work, shares[u]));
  return longest;
}

/// What it takes to move these tasks, each of which keeps `gpu` for so long, to the host and back. Where the
/// program does not say how many bytes they have, no more than the GPU can read meanwhile.
seconds there_and_back(std::span<const task_id> tasks, seconds each, const unit& gpu, const workload& work) {
  double bytes = 0;
  for (const task_id task : tasks)
    bytes += work.bytes.empty() ? each * bandwidth_of_processor * gpu.processors
                                : static_cast<double>(work.bytes[index(task)]);
  return 2 * bytes / of_regions.into_or_out_of_host;
}

}  // namespace

std::optional<hearing> to_hear_cpus(const alternative& present, seconds now, const forecast& model,
                                    const workload& work, std::span<const unit> units) {
  if (!model.told().are_cpus_promised) return std::nullopt;
  const seconds each = now * gpus_in_use(present, units) / work.n_tasks;
  if (each < one_launch || each > some_launches) return std::nullopt;
  const std::vector<std::size_t> cpus = units_of(unit_kind::cpu, units),
                                 gpus = units_of(unit_kind::gpu, units);
  const std::vector<task_id> first = first_tasks(work.n_tasks, cpus.size());
  if (first.empty()) return std::nullopt;
  std::optional<assignment> shares = try_fit(with_first_on_cpus(present.shares, first, cpus), work, units);
  if (!shares) return std::nullopt;
  const seconds longer = std::max(longest_of(*shares, cpus, model, work) - now, 0.0);
  return hearing{make_alternative(*std::move(shares), units),
                 shortest_period * longer + there_and_back(first, each, units[gpus.front()], work)};
}

}  // namespace yoke::scheduling
