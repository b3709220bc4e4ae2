#pragma once
/// Programs of tasks for a binder, in random order of what happens, with what must always hold.

#include "driver.hpp"

#include <deque>
#include <map>
#include <string>
#include <vector>

#include <yoke/task_binder.hpp>

namespace binder_driver {

using namespace driver;
using namespace yoke::scheduling;

/// CPU CUs, then GPU CUs with memories of their own.
inline task_machine machine_of(int cpus, int gpus) {
  task_machine machine{.units = make_units(cpus, gpus)};
  for (int g = 1; g <= gpus; ++g)
    for (const bool back : {false, true})
      machine.ways.push_back({space_id{back ? g : 0}, space_id{back ? 0 : g}, {1e9, 1e-6}});
  return machine;
}

/// What a program sees of a binder, and what of that is wrong.
class watched {
 public:
  explicit watched(const task_machine& of) : machine{of}, binder{of}, bound_(of.units.size()) {}

  struct task {
    told_task name{};
    std::vector<int> after{};
    std::vector<unit_id> on{};
    int cpus = 1, priority = 0, kind = 0;
    std::vector<unit_id> units{};
    bool is_bound = false, is_running = false, is_over = false, is_cancelled = false;
  };

  int tell(task next, std::span<const piece_use> uses = {});
  /// Binds all that can be.
  void bind_all();
  /// All that it comes after has ended, and it has not.
  bool may_start(int number) const;
  /// Ends one that may start, or fails it; it starts before.
  void end(int number, bool fails = false);
  /// Of those that are bound and may start, any; -1: none.
  int any_startable(generator& rng) const;
  bool has_passed(int number) const;

  task_machine machine;
  task_binder binder;
  std::vector<task> tasks{};
  std::vector<int> order_of_binding{};
  std::vector<std::string> wrong{};
  seconds now = 0;

 private:
  void expect(bool condition, const std::string& what) {
    if (!condition) wrong.push_back(what);
  }
  void check(const task_binding& bound, task& of);
  int room_of(unit_id unit) const {
    return machine.units[static_cast<std::size_t>(int{unit})].kind == unit_kind::cpu ? 1 : 4;
  }

  std::map<told_task, int> numbers_{};
  std::vector<int> bound_;
};

}  // namespace binder_driver
