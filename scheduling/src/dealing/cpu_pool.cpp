#include "cpu_pool.hpp"

#include "pool_batches.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

namespace yoke::scheduling {

namespace {

/// Tasks that differ by less are alike: whoever runs which, all are through at about the same time.
constexpr double alike = 1.1;

/// Whether each of these CUs may have a pool of its own.
bool may_have_own(std::span<const std::size_t> cpus, const assignment& shares, const workload& work,
                  std::span<const unit> units) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::size_t cpu : cpus) {
    if (units[cpu].cpus > 1) return false;
    for (const task_id task : shares[cpu]) {
      least = std::min(least, weight_of(work, task));
      most = std::max(most, weight_of(work, task));
    }
  }
  return most <= alike * least;
}

}  // namespace

cpu_pool::cpu_pool(const assignment& shares, const workload& work, std::span<const unit> units)
    : parts_of_(units.size()) {
  std::map<int, std::vector<std::size_t>> of_node;
  for (const std::size_t cpu : units_of(unit_kind::cpu, units)) of_node[units[cpu].numa_node].push_back(cpu);
  std::vector<node> nodes;
  for (auto& [number, cpus] : of_node) {
    nodes.push_back({std::move(cpus), {}});
    add(nodes.back(), shares, work, units);
  }
  for (std::size_t at = 0; at < nodes.size(); ++at)
    for (std::size_t i = 0; i < nodes[at].cpus.size(); ++i) {
      std::vector<std::size_t>& order = parts_of_[nodes[at].cpus[i]];
      const std::vector<std::size_t>& own = nodes[at].parts;
      for (std::size_t k = 0; k < own.size(); ++k) order.push_back(own[(i + k) % own.size()]);
      for (std::size_t k = 1; k < nodes.size(); ++k)
        std::ranges::copy(nodes[(at + k) % nodes.size()].parts, std::back_inserter(order));
    }
}

void cpu_pool::add(node& to, const assignment& shares, const workload& work, std::span<const unit> units) {
  const bool each = may_have_own(to.cpus, shares, work, units);
  for (std::size_t i = 0; i < (each ? to.cpus.size() : 1); ++i) {
    to.parts.push_back(parts_.size());
    add(each ? std::span{to.cpus}.subspan(i, 1) : to.cpus, shares, work, units);
  }
}

void cpu_pool::add(std::span<const std::size_t> cpus, const assignment& shares, const workload& work,
                   std::span<const unit> units) {
  std::vector<task_id> tasks;
  for (const std::size_t cpu : cpus) tasks.insert(tasks.end(), shares[cpu].begin(), shares[cpu].end());
  tasks = longest_first(std::move(tasks), work);
  std::vector<double> weights;
  for (const task_id task : tasks) weights.push_back(weight_of(work, task));
  const bool beside_gpus = tasks_on(unit_kind::gpu, shares, units) > 0;
  auto sizes = pool_batches(weights, static_cast<int>(cpus.size()), units[cpus.front()].cpus,
                            beside_gpus ? rounds_beside_gpus : 1);
  parts_.emplace_back(std::move(tasks), std::move(sizes));
}

// Empty only when every part is exhausted in this pass: tickets rely on that.
std::span<const task_id> cpu_pool::next(unit_id unit, pass_id pass) {
  std::span<const task_id> taken;
  for (const std::size_t part : parts_of_[index(unit)]) {
    taken = parts_[part].next(pass);
    if (!taken.empty()) break;
  }
  return taken;
}

std::span<const task_id> cpu_pool::part::next(pass_id pass) {
  const auto size_of = [&](int remaining) {
    return batches[batches.size() - static_cast<std::size_t>(remaining)];
  };
  return left.take(pass, size_of).of(tasks);
}

}  // namespace yoke::scheduling
