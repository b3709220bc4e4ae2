#include "loop_parts.hpp"

#include <fmt/format.h>
#include <iostream>
#include <string>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/task_loop.hpp>

namespace yoke {

namespace {

/// What is known of this pass holds for good.
constexpr pass_id far_ahead = pass_plan::for_good - 1;

const char* kind_of(const compute_unit& unit) { return unit.kind == unit_kind::gpu ? "GPU" : "CPU"; }

/// So many ranges of tasks stand in a line.
constexpr int most_ranges = 16;

/// "0-3, 7", or "0, 2, 4, and 1997 more up to 3998" where there are many.
std::string ranges(const std::vector<int>& tasks) {
  std::string text;
  int n = 0;
  for (std::size_t i = 0; i < tasks.size();) {
    if (n++ == most_ranges)
      return text + fmt::format(", and {} more up to {}", tasks.size() - i, tasks.back());
    std::size_t last = i;
    while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += last == i ? fmt::format("{}", tasks[i]) : fmt::format("{}-{}", tasks[i], tasks[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

void task_loop::print_schedule(std::ostream& out) const {
  const parts& own = parts::usable(parts_, "print_schedule");
  const std::vector<unit_id> planned = own.plan->plan_of(far_ahead).map;
  std::vector<std::vector<int>> tasks(static_cast<std::size_t>(own.units.size()) + 1);
  for (int t = 0; t < own.work.n_tasks; ++t) {
    const int ran = cu_of(task_id{t});
    const int unit =
        ran >= 0 || planned.empty() ? ran : static_cast<int>(planned[static_cast<std::size_t>(t)]);
    tasks[unit >= 0 ? static_cast<std::size_t>(unit) : tasks.size() - 1].push_back(t);
  }
  out << own.plan->describe() << '\n';
  for (const compute_unit& unit : own.units.all()) {
    const auto& its = tasks[static_cast<std::size_t>(unit.id)];
    out << fmt::format("CU {} ({}): {} tasks{}{}\n", static_cast<int>(unit.id), kind_of(unit), its.size(),
                       its.empty() ? "" : ": ", ranges(its));
  }
  if (!tasks.back().empty()) out << fmt::format("not run yet: {}\n", ranges(tasks.back()));
}

void task_loop::print_task_times(std::ostream& out) const {
  const parts& own = parts::usable(parts_, "print_task_times");
  out << "task  CU      seconds\n";
  for (int t = 0; t < own.work.n_tasks; ++t) {
    const task_id task{t};
    out << fmt::format("{:4}  {:2}  {:11.3e}{}\n", t, static_cast<int>(cu_of(task)), task_time(task),
                       is_apportioned(task) ? "  (share of its batch by weight)" : "");
  }
}

void task_loop::print_cu_times(std::ostream& out) const {
  const parts& own = parts::usable(parts_, "print_cu_times");
  seconds total = 0;
  for (const compute_unit& unit : own.units.all()) total += cu_time(unit.id);
  out << "CU  kind   tasks      seconds  share\n";
  for (const compute_unit& unit : own.units.all()) {
    const unit_times times = times_of(unit.id);
    out << fmt::format("{:2}  {:4}  {:6}  {:11.3e}  {:4.0f}%\n", static_cast<int>(unit.id), kind_of(unit),
                       times.tasks, times.busy, total > 0 ? 100 * times.busy / total : 0.0);
  }
}

void task_loop::print_schedule() const { print_schedule(std::cout); }
void task_loop::print_task_times() const { print_task_times(std::cout); }
void task_loop::print_cu_times() const { print_cu_times(std::cout); }

}  // namespace yoke
