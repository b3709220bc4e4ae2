#pragma once
/// The ways of using a machine that `auto` chooses from.

#include "../maps/forecast.hpp"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

enum class use { both_kinds, gpus, one_gpu, cpus };

/// A map and which units it uses.
struct alternative {
  use how = use::gpus;
  assignment shares;
  cpu_tasks cpus = cpu_tasks::shared;
  bool operator==(const alternative&) const = default;
};

alternative make_alternative(assignment shares, std::span<const unit> units,
                             cpu_tasks cpus = cpu_tasks::shared);
/// Whether passes with one tell of passes with the other: the same kinds of units work, and CPU CUs alone
/// share their tasks in both or in none. Who shares makes up for what is late now and then, and who has tasks
/// of its own is waited for.
bool are_of_one_kind(const alternative& a, const alternative& b);
/// GPU CUs that have tasks.
int gpus_in_use(const alternative& what, std::span<const unit> units);
/// All tasks on one GPU CU.
assignment on_one(std::size_t gpu, int n_tasks, std::size_t n_units);
/// "GPUs and CPUs, 28 of 1024 tasks for whichever CPU CU asks"
std::string text_of(const alternative& what, std::span<const unit> units);

/// Whether there is more than one. CPU CUs alone may share their tasks or, where these are few, have some of
/// their own.
bool has_choice(const workload& work, std::span<const unit> units);

/// What to begin with: GPUs full and a task for each CPU CU, or what is best for CPU CUs that are alike.
/// Errors: out_of_memory.
alternative before_any_measurement(const workload& work, std::span<const unit> units,
                                   std::string_view schedule_name);

/// Every way of using the machine whose tasks fit into its memory, each at its best by this model: GPUs
/// alone, the quickest of several, CPUs that share a pool, CPUs with tasks of their own where these are few,
/// and both kinds at a cut. `hears_of_cpus`: that has a task for each CPU CU only, to hear of them. Takes
/// milliseconds where a thousand tasks have weights of their own. Several GPU CUs have consecutive tasks:
/// which ones they get is left to in_regions.
std::vector<alternative> ways_of_using(const workload& work, std::span<const unit> units,
                                       const forecast& model, bool hears_of_cpus = false);

/// The same with fewer bytes between GPU CUs, where that is better and fits into their memory.
alternative in_regions(alternative one, const workload& work, std::span<const unit> units,
                       const forecast& model);

}  // namespace yoke::scheduling
