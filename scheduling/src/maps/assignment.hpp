#pragma once
/// Which unit has which tasks, and the ways of cutting 0..n-1 into consecutive shares.

#include <span>
#include <vector>

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// The tasks of each unit, ascending.
using assignment = std::vector<std::vector<task_id>>;

/// Whether each CPU CU runs its own tasks, or all of them share what they have.
enum class cpu_tasks { own, shared };

/// In so many parts CPU CUs of several CPUs get what they share beside GPUs, which is a few tasks for each.
/// Two tasks side by side take as long as one after the other, and both wait for what either needs: of 30
/// zones of SP-MZ class D on 15 CUs of two CPUs, the two that were one batch took 7 to 16 ms, all others 2 to
/// 3 ms each.
inline constexpr int rounds_beside_gpus = 2;

/// Consecutive tasks [first, last).
struct task_range {
  int first = 0;
  int last = 0;
  int size() const { return last - first; }
  std::span<const task_id> of(std::span<const task_id> tasks) const {
    return tasks.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size()));
  }
};

/// The i-th of `parts` even consecutive shares; the first size mod parts get one more. Exactly libomp's
/// schedule(static).
task_range even_share(task_range tasks, int part, int parts);

/// Everything evenly over all units, as `static` does.
assignment even_split(int n_tasks, int n_units);

/// Equal, or not given.
bool has_equal_weights(const workload& work);

/// `parts` consecutive shares of `tasks`: even ones, or where weights differ with each cut at the task
/// boundary nearest to an even share of the weight.
std::vector<task_range> split(task_range tasks, const workload& work, int parts);

/// Moves a task to the first unit of a kind that has none, if the other kind can spare one: each kind must
/// run something to be measured.
void give_each_kind_a_task(assignment& shares, std::span<const unit> units);

/// How many tasks the units of `kind` have.
int tasks_on(unit_kind kind, const assignment& shares, std::span<const unit> units);

/// How much a GPU CU gets for each CPU CU while nothing is measured: each of its processors as much as
/// three CPUs, but the GPUs together not less than half of the work. A GPU is measured well only when it is
/// full; with an even share among many CPU CUs it is not, and its fitted speed comes out at half of what it
/// is (class C of SP-MZ, 15x1+1 on an H200: PCF 20 fitted, 35 measured later). And where it is 300 times as
/// fast (class D), half of the work for the CPUs makes the first five steps as long as fifty.
double provisional_pcf(std::span<const unit> units);
/// What the processors alone say; 1 where they are unknown.
double promised_pcf(std::span<const unit> units);

/// The positions of the units of `kind`.
std::vector<std::size_t> units_of(unit_kind kind, std::span<const unit> units);

/// Whether a unit gets all that it has left as one batch, where a map exists: a GPU CU runs it in one launch,
/// and a CPU CU of several CPUs can run its tasks side by side, which shares less than many threads on one.
inline bool takes_whole_shares(const unit& u) { return u.kind == unit_kind::gpu || u.cpus > 1; }

/// Unit of every task.
std::vector<unit_id> to_map(const assignment& shares, int n_tasks);

/// 0, 1, … n-1: what consecutive batches are cut from.
std::vector<task_id> all_tasks(int n_tasks);

/// The mean of all tasks; 0 of none.
double usual_weight(const workload& work);

/// By weight, those of equal weight by number.
std::vector<task_id> longest_first(std::vector<task_id> tasks, const workload& work);

/// Container index of an id.
template <class Id>
std::size_t index(Id id) {
  return static_cast<std::size_t>(static_cast<int>(id));
}

}  // namespace yoke::scheduling
