#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/hosting.hpp>

namespace yoke {

std::string hosted::text() const {
  if (what == role::main) return "the main thread";
  return fmt::format("{} {}", what == role::accelerator ? "accelerator" : "component", number);
}

void hosting::assign_cpus(hosted who, std::vector<int> cpus) {
  if (cpus.empty()) throw usage_error{fmt::format("no CPU is left, or given, for {}", who.text())};
  for (const int cpu : cpus) static_cast<void>(machine_.info_of(cpu));
  const auto accelerators = std::ssize(machine_.accelerators());
  if (who.what == hosted::role::accelerator && (who.number < 0 || who.number >= accelerators))
    throw usage_error{fmt::format("{}: no such accelerator; the machine has {}", who.text(), accelerators)};
  assigned_.insert_or_assign(who, std::move(cpus));
}

void hosting::assign_cores(hosted who, const std::vector<int>& cores) {
  std::vector<int> cpus;
  for (const int core : cores) {
    const std::vector<int> threads = machine_.cpus_of_core(core);
    cpus.insert(cpus.end(), threads.begin(), threads.end());
  }
  assign_cpus(who, std::move(cpus));
}

void hosting::assign_accelerators() {
  std::vector<std::vector<int>> near;
  for (const accelerator_info& each : machine_.accelerators()) near.push_back(each.near);
  const std::vector<int> hosts = unique_hosts(machine_, near);
  if (std::ranges::count(hosts, -1) > 0)
    throw usage_error{fmt::format("{} accelerators need a core each, the process has {}{}", hosts.size(),
                                  machine_.n_cores(), machine_.remark())};
  for (std::size_t i = 0; i < hosts.size(); ++i)
    assign_cpus(hosted::accelerator(static_cast<int>(i)), {hosts[i]});
}

std::vector<int> hosting::free_cpus() const {
  std::vector<int> free = machine_.usable_cpus(true);
  for (const auto& [who, cpus] : assigned_)
    std::erase_if(free, [&](int cpu) { return std::ranges::count(cpus, cpu) > 0; });
  return free;
}

std::vector<int> hosting::free_cores() const {
  const std::vector<int> free = free_cpus();
  std::vector<int> cores = machine_.cores_of(free);
  std::erase_if(cores, [&](int core) {
    return !std::ranges::all_of(machine_.cpus_of_core(core),
                                [&](int cpu) { return std::ranges::count(free, cpu) > 0; });
  });
  return cores;
}

const std::vector<int>& hosting::cpus_of(hosted who) const {
  const auto found = assigned_.find(who);
  if (found != assigned_.end()) return found->second;
  throw usage_error{fmt::format("no CPUs were assigned to {}", who.text())};
}

void hosting::bind_self(hosted who) const {
  const std::vector<int>& cpus = cpus_of(who);
  if (bind_this_thread(cpus)) return;
  throw config_error{fmt::format("the system refuses the CPUs {} to {}", fmt::join(cpus, ","), who.text())};
}

}  // namespace yoke
