#include "core_dealer.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

std::vector<usable_core> usable_cores(const topology& machine, bool smt) {
  std::vector<usable_core> cores;
  for (const cpu_info& info : machine.cpus()) {
    if (!smt && info.smt_rank != 0) continue;
    if (cores.empty() || cores.back().at.core != info.core) cores.push_back({.at = info});
    cores.back().cpus.push_back(info.cpu);
  }
  return cores;
}

core_dealer::core_dealer(std::vector<usable_core> cores) : is_taken_(cores.size(), false) {
  const auto kind_of = [](const usable_core& each) { return each.at.kind; };
  for (usable_core& each : cores) {
    const auto behind = std::ranges::upper_bound(cores_, each.at.kind, std::greater{}, kind_of);
    cores_.insert(behind, std::move(each));
  }
}

void core_dealer::reserve(int cpu) {
  const auto has_it = [cpu](const usable_core& each) { return std::ranges::count(each.cpus, cpu) > 0; };
  const auto found = std::ranges::find_if(cores_, has_it);
  is_taken_[static_cast<std::size_t>(found - cores_.begin())] = true;
}

std::optional<place> core_dealer::take(int cpus) {
  std::optional<place> taken = take_within([](const cpu_info& at) { return at.cache; }, cpus);
  if (!taken) taken = take_within([](const cpu_info& at) { return at.numa_node; }, cpus);
  if (!taken) taken = take_within([](const cpu_info&) { return 0; }, cpus);
  return taken;
}

std::vector<int> core_dealer::free_hosts() const {
  std::vector<int> free;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    if (!is_taken_[i]) free.push_back(cores_[i].cpus.front());
  }
  return free;
}

std::optional<place> core_dealer::take_within(group_of group, int cpus) {
  struct members {
    std::pair<int, int> key;
    std::vector<std::size_t> cores{};
    int cpus = 0;
  };
  std::vector<members> groups;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    if (is_taken_[i]) continue;
    const std::pair key{cores_[i].at.kind, group(cores_[i].at)};
    auto at = std::ranges::find(groups, key, &members::key);
    if (at == groups.end()) at = groups.insert(at, {.key = key});
    at->cores.push_back(i);
    at->cpus += static_cast<int>(cores_[i].cpus.size());
    if (at->cpus >= cpus) return take_from(at->cores, cpus);
  }
  return std::nullopt;
}

place core_dealer::take_from(const std::vector<std::size_t>& cores, int cpus) {
  place taken;
  for (const std::size_t i : cores) {
    is_taken_[i] = true;
    const auto& core = cores_[i].cpus;
    const auto wanted = static_cast<std::size_t>(cpus) - taken.size();
    taken.insert(taken.end(), core.begin(), core.begin() + static_cast<long>(std::min(core.size(), wanted)));
  }
  return taken;
}

}  // namespace yoke::detail
