#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include <yoke/error.hpp>
#include <yoke/topology.hpp>

namespace yoke {

namespace {

bool has(std::span<const int> all, int one) { return std::ranges::find(all, one) != all.end(); }

template <class Part>
void confine_parts(std::vector<Part>& parts, std::span<const int> allowed) {
  for (Part& each : parts) std::erase_if(each.cpus, [&](int cpu) { return !has(allowed, cpu); });
  std::erase_if(parts, [](const Part& each) { return each.cpus.empty(); });
}

/// The threads of each core, ascending, by socket; cores by their first thread.
std::map<int, std::vector<std::vector<int>>> threads_by_socket(const std::vector<cpu_info>& cpus) {
  std::map<std::pair<int, int>, std::vector<int>> cores;
  for (const cpu_info& info : cpus) cores[{info.socket, info.core}].push_back(info.cpu);
  std::map<int, std::vector<std::vector<int>>> sockets;
  for (auto& [where, threads] : cores) {
    std::ranges::sort(threads);
    sockets[where.first].push_back(threads);
  }
  for (auto& [socket, all] : sockets) std::ranges::sort(all);
  return sockets;
}

/// Whether the threads of core i are first + i, first + i + cores, …
bool is_in_rounds(const std::vector<std::vector<int>>& cores, int first) {
  const int n = static_cast<int>(cores.size());
  for (int i = 0; i < n; ++i) {
    const std::vector<int>& threads = cores[static_cast<std::size_t>(i)];
    for (int rank = 0; rank < std::ssize(threads); ++rank)
      if (threads[static_cast<std::size_t>(rank)] != first + i + rank * n) return false;
  }
  return true;
}

}  // namespace

topology topology::confined_to(std::span<const int> allowed) const {
  machine_parts left = parts_;
  std::erase_if(left.cpus, [&](const cpu_info& info) { return !has(allowed, info.cpu); });
  std::map<int, int> threads;
  for (cpu_info& info : left.cpus) info.smt_rank = threads[info.core]++;
  confine_parts(left.numa_nodes, allowed);
  confine_parts(left.caches, allowed);
  topology confined{std::move(left)};
  for (accelerator_info& each : confined.parts_.accelerators) {
    std::erase_if(each.near, [&](int cpu) { return !confined.allows(cpu); });
    if (each.near.empty()) each.near = confined.usable_cpus(true);
  }
  return confined;
}

bool topology::allows(int cpu) const {
  return std::ranges::find(parts_.cpus, cpu, &cpu_info::cpu) != parts_.cpus.end();
}

std::vector<int> topology::usable_cpus(bool smt) const {
  std::vector<int> usable;
  for (const cpu_info& info : parts_.cpus) {
    if (smt || info.smt_rank == 0) usable.push_back(info.cpu);
  }
  return usable;
}

int topology::n_cores() const {
  return static_cast<int>(std::ranges::count(parts_.cpus, 0, &cpu_info::smt_rank));
}

numbering topology::how_numbered() const {
  const auto sockets = threads_by_socket(parts_.cpus);
  std::vector<std::vector<int>> all;
  bool is_linear = true;
  int first = 0;
  for (const auto& [socket, cores] : sockets) {
    is_linear = is_linear && is_in_rounds(cores, first);
    for (const auto& threads : cores) first += static_cast<int>(threads.size());
    all.insert(all.end(), cores.begin(), cores.end());
  }
  std::ranges::sort(all);
  if (is_in_rounds(all, 0)) return numbering::round_robin;
  return is_linear ? numbering::linear : numbering::other;
}

const cpu_info& topology::info_of(int cpu) const {
  const auto found = std::ranges::find(parts_.cpus, cpu, &cpu_info::cpu);
  if (found != parts_.cpus.end()) return *found;
  throw usage_error{
      fmt::format("CPU {}: no such CPU, or one that this process may not use{}", cpu, remark())};
}

std::vector<int> topology::cpus_of_core(int core) const {
  std::vector<int> cpus;
  for (const cpu_info& info : parts_.cpus) {
    if (info.core == core) cpus.push_back(info.cpu);
  }
  if (!cpus.empty()) return cpus;
  throw usage_error{fmt::format("core {}: no such core, or one that this process may not use", core)};
}

std::vector<int> topology::cores_of(std::span<const int> cpus) const {
  std::vector<int> cores;
  for (const int cpu : cpus) {
    if (const int core = core_of(cpu); !has(cores, core)) cores.push_back(core);
  }
  return cores;
}

const char* name_of(accelerator_kind kind) {
  switch (kind) {
    case accelerator_kind::cuda:
      return "cuda";
    case accelerator_kind::hip:
      return "hip";
    case accelerator_kind::fpga:
      return "fpga";
    default:
      return "other";
  }
}

const char* name_of(numbering how) {
  switch (how) {
    case numbering::round_robin:
      return "round-robin";
    case numbering::linear:
      return "linear";
    default:
      return "other";
  }
}

}  // namespace yoke
