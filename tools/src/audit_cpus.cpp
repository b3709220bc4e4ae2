#include "audit.hpp"
#include "system_texts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <yoke/places_text.hpp>

namespace tools {

namespace {

int leading_number(const std::string* text) { return text == nullptr ? 0 : leading_number_in(*text); }

/// The first cores of the process, as many as it is given time for.
std::string cpus_for(double quota, const yoke::topology& machine) {
  std::vector<int> cpus = machine.usable_cpus(false);
  cpus.resize(std::clamp<std::size_t>(static_cast<std::size_t>(quota), 1, cpus.size()));
  return yoke::cpu_list_text(std::move(cpus));
}

void audit_quota(const audit_subject& of, findings& found) {
  const int cpus = of.around.machine.n_cpus();
  const std::optional<double> quota = of.around.cpus_by_quota;
  if (!quota || *quota >= std::min(cpus, of.threads())) return;
  found.push_back(
      {true,
       fmt::format("the cgroup gives the time of {:.3g} CPUs, and {} may be used: threads will be "
                   "stopped in turn",
                   *quota, cpus),
       fmt::format("taskset -c {} PROGRAM, or ask for CPUs by a cpuset (docker run --cpuset-cpus)",
                   cpus_for(*quota, of.around.machine))});
}

void audit_slurm(const audit_subject& of, findings& found) {
  const int wanted = leading_number(of.around.find("SLURM_CPUS_PER_TASK"));
  const int cpus = of.around.machine.n_cpus();
  if (wanted > cpus)
    found.push_back({true, fmt::format("SLURM_CPUS_PER_TASK={}, and this process may use {}", wanted, cpus),
                     fmt::format("srun --cpus-per-task={} --cpu-bind=cores PROGRAM", wanted)});
  const bool in_job = of.around.find("SLURM_JOB_ID") != nullptr;
  const int given = leading_number(of.around.find("SLURM_JOB_CPUS_PER_NODE"));
  if (in_job && wanted == 0 && cpus == 1 && given > 1)
    found.push_back({true, fmt::format("the job has {} CPUs on this node, this task has one", given),
                     fmt::format("srun --cpus-per-task={} --cpu-bind=cores PROGRAM", given)});
}

void audit_neighbours(const audit_subject& of, findings& found) {
  for (const neighbour& each : of.around.neighbours) {
    std::vector<int> common = each.cpus;
    std::erase_if(common, [&](int cpu) { return !of.around.machine.allows(cpu); });
    if (common.empty()) continue;
    found.push_back({false,
                     fmt::format("process {} ({}) also uses Yoke, and may use the CPUs {} too", each.pid,
                                 each.name, yoke::cpu_list_text(common)),
                     "taskset -c CPUS PROGRAM, with other CPUs for each"});
  }
}

void audit_limits(const audit_subject& of, findings& found) {
  const auto& most = of.around.most_processes;
  if (most && *most < static_cast<std::uint64_t>(of.threads()))
    found.push_back({true, fmt::format("ulimit -u is {}: {} threads are needed", *most, of.threads()),
                     fmt::format("ulimit -u {}", of.threads() + 1000)});
}

void audit_machine(const audit_subject& of, findings& found) {
  for (const char* name : yoke::detail::machine_variables) {
    const std::string* value = of.around.find(name);
    if (value == nullptr) continue;
    const bool is_other = name != std::string_view{"HWLOC_COMPONENTS"};
    found.push_back(
        {is_other,
         fmt::format("{}={}: hwloc describes {}", name, *value,
                     is_other ? "another machine than this one" : "the machine by some of its sources alone"),
         fmt::format("unset {}", name)});
  }
}

void audit_pages(const audit_subject& of, findings& found) {
  if (of.around.huge_pages != "never") return;
  found.push_back({false, "transparent huge pages are off: large arrays cost more misses of the TLB",
                   "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"});
}

}  // namespace

void audit_cpus(const audit_subject& of, findings& found) {
  audit_quota(of, found);
  audit_slurm(of, found);
  audit_neighbours(of, found);
  audit_limits(of, found);
  audit_machine(of, found);
  audit_pages(of, found);
}

}  // namespace tools
