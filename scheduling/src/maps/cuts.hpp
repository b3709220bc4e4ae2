#pragma once
/// Maps that use both kinds of units, for `auto` to choose from.

#include "assignment.hpp"
#include "forecast.hpp"

#include <optional>
#include <span>

namespace yoke::scheduling {

/// The tasks of several GPU CUs: consecutive ones for each as far as that costs less than 1%, or regions with
/// few bytes between them, which take a millisecond to find for a thousand tasks.
enum class gpu_cut { consecutive, regions };

/// The first `n` tasks for the pool of the CPU CUs, the others for the GPU CUs.
assignment cut_at(int n, const workload& work, std::span<const unit> units, std::span<const speed> speeds,
                  gpu_cut among_gpus = gpu_cut::regions);
/// The same by what a model knows, which has sorted the tasks already.
assignment cut_at(int n, const workload& work, std::span<const unit> units, const forecast& model,
                  gpu_cut among_gpus = gpu_cut::regions);

struct shared_map {
  assignment shares;
  cpu_tasks cpus = cpu_tasks::shared;
};

/// Which maps come into question: cuts with a pool, maps where each CPU CU has tasks of its own, or both.
enum class map_family { pools, own_tasks, any };

/// The map with the shortest expected pass in which CPU CUs have tasks, within the memory of the spaces: a
/// cut where no other map is clearly better, and a pool where no map with fixed tasks is. nullopt where there
/// is none.
std::optional<shared_map> best_shared(const workload& work, std::span<const unit> units,
                                      const forecast& model, map_family among = map_family::any,
                                      gpu_cut among_gpus = gpu_cut::regions);

/// Whether maps in which each CPU CU has tasks of its own may be clearly better than a pool of all tasks.
bool are_few_for_cpus(const workload& work, std::span<const unit> units);

/// Tasks of its own for each CPU CU, and none for GPU CUs. nullopt where there are no CPU CUs or their memory
/// is short.
std::optional<assignment> own_tasks_of_cpus(const workload& work, std::span<const unit> units,
                                            const forecast& model);

/// The same as best_shared, or everything on the GPU CUs where that is expected to be faster. nullopt where
/// neither was found to fit.
std::optional<shared_map> best_or_gpus(const workload& work, std::span<const unit> units,
                                       const forecast& model, map_family among);

}  // namespace yoke::scheduling
