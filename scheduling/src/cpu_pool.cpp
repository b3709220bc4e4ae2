#include "cpu_pool.hpp"

#include "pool_batches.hpp"

#include <map>

namespace yoke::scheduling {

cpu_pool::cpu_pool(const assignment& shares, const workload& work, std::span<const unit> units)
    : pool_of_(units.size(), 0) {
  std::map<int, std::vector<std::size_t>> nodes;
  for (const std::size_t cpu : units_of(unit_kind::cpu, units)) nodes[units[cpu].numa_node].push_back(cpu);
  for (const auto& [node, cpus] : nodes) {
    std::vector<task_id> tasks;
    for (const std::size_t cpu : cpus) {
      tasks.insert(tasks.end(), shares[cpu].begin(), shares[cpu].end());
      pool_of_[cpu] = pools_.size();
    }
    tasks = longest_first(std::move(tasks), work);
    std::vector<double> weights;
    for (const task_id task : tasks) weights.push_back(weight_of(work, task));
    auto sizes = pool_batches(weights, static_cast<int>(cpus.size()), units[cpus.front()].cpus);
    pools_.emplace_back(std::move(tasks), std::move(sizes));
  }
}

// Empty only when every pool is exhausted in this pass: tickets rely on that.
std::span<const task_id> cpu_pool::next(unit_id unit, pass_id pass) {
  const std::size_t home = pool_of_[index(unit)];
  std::span<const task_id> taken;
  for (std::size_t i = 0; i < pools_.size() && taken.empty(); ++i)
    taken = pools_[(home + i) % pools_.size()].next(pass);
  return taken;
}

std::span<const task_id> cpu_pool::node_pool::next(pass_id pass) {
  const auto size_of = [&](int remaining) {
    return batches[batches.size() - static_cast<std::size_t>(remaining)];
  };
  return left.take(pass, size_of).of(tasks);
}

}  // namespace yoke::scheduling
