// What ranks of a launcher on one node do to each other. Of those that have met, the first says so.
#include "audit.hpp"
#include "system_texts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <yoke/backends.hpp>
#include <yoke/places_text.hpp>

namespace tools {

namespace {

/// Processes of one program on this node, as its launcher says.
int local_ranks(const surroundings& around) {
  int most = static_cast<int>(around.mates.size());
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
                           "PALS_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE"})
    if (const std::string* value = around.find(name); value != nullptr)
      most = std::max(most, leading_number_in(*value));
  return most;
}

std::string bound_to(int cpus, const surroundings& around) {
  return around.find("SLURM_JOB_ID") != nullptr
             ? fmt::format("srun --cpus-per-task={} --cpu-bind=cores PROGRAM", std::max(1, cpus))
             : fmt::format("mpirun --map-by slot:PE={} --bind-to core PROGRAM", std::max(1, cpus));
}

std::vector<int> united(const std::vector<rank_mate>& mates, std::vector<int> rank_mate::* of) {
  std::set<int> all;
  for (const rank_mate& each : mates) all.insert((each.*of).begin(), (each.*of).end());
  return {all.begin(), all.end()};
}

bool are_too_many(const surroundings& around, findings& found) {
  const auto cores = std::ssize(united(around.mates, &rank_mate::cores));
  const auto ranks = std::ssize(around.mates);
  if (ranks <= cores) return false;
  found.push_back(
      {true,
       fmt::format("{} ranks on this node have {} core{} together", ranks, cores, cores == 1 ? "" : "s"),
       fmt::format("mpirun -n {} PROGRAM on this node, or ask for more cores", cores)});
  return true;
}

/// The first two; others may have some in common too.
void audit_masks(const surroundings& around, findings& found) {
  const std::vector<rank_mate>& all = around.mates;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      std::vector<int> both;
      std::ranges::set_intersection(all[a].cpus, all[b].cpus, std::back_inserter(both));
      if (both.empty()) continue;
      found.push_back(
          {true,
           fmt::format("ranks {} and {} may both use the CPUs {}", all[a].rank, all[b].rank,
                       yoke::cpu_list_text(both)),
           bound_to(static_cast<int>(std::ssize(united(all, &rank_mate::cpus)) / std::ssize(all)), around)});
      return;
    }
}

/// The variable that chooses among the devices of the backend that a name of one begins with.
std::string list_for(const std::string& gpu) {
  for (const yoke::backend& each : yoke::all_backends())
    if (each.numbering && !each.numbering->lists.empty() && gpu.starts_with(fmt::format("{}:", each.name)))
      return each.numbering->lists.front();
  return "YOKE_DEVICES";
}

void audit_gpus(const surroundings& around, findings& found) {
  std::map<std::string, int> users;
  for (const rank_mate& each : around.mates)
    for (const std::string& gpu : std::set(each.gpus.begin(), each.gpus.end())) {
      const auto [first, is_new] = users.try_emplace(gpu, each.rank);
      if (is_new) continue;
      found.push_back({false,
                       fmt::format("ranks {} and {} use the same GPU, {}", first->second, each.rank, gpu),
                       fmt::format("set {} for each rank, as srun --gpus-per-task=1 does", list_for(gpu))});
      return;
    }
}

bool share_all(const surroundings& around) {
  const int cpus = around.machine.n_cpus();
  return cpus >= 2 && cpus >= around.cpus_online;
}

}  // namespace

void audit_ranks(const audit_subject& of, findings& found) {
  const surroundings& around = of.around;
  const int ranks = local_ranks(around), cpus = around.machine.n_cpus();
  if (ranks < 2 || (!around.mates.empty() && around.place > 0)) return;
  audit_gpus(around, found);
  if (are_too_many(around, found)) return;
  if (share_all(around))
    found.push_back({true,
                     fmt::format("{} processes of this program share all {} CPUs of the node", ranks, cpus),
                     bound_to(cpus / ranks, around)});
  else
    audit_masks(around, found);
}

}  // namespace tools
