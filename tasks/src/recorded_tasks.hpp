#pragma once
/// What a recording has.

#include "replay_run.hpp"
#include "task_record.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace yoke::detail {

/// A task, and those before it that it comes after, by their places.
struct listed_task {
  std::string name{};
  task_body body{};
  std::vector<unit_id> on{};
  std::optional<int> priority{};
  double work = 1;
  std::vector<known_use> uses{};
  std::vector<int> by_name{};      ///< as it was told
  std::vector<int> after{};        ///< by name or token, whose failure is its own
  std::vector<int> behind{};       ///< by token, which may fail
  std::vector<int> comes_after{};  ///< for whatever reason
};

/// Where one runs, by a plan.
struct planned_step {
  int task = 0;
  unit_id unit{};
  int slot = 0;
  std::shared_ptr<const flow::plan> what{};
  std::vector<flow::placed_argument> arguments{};
};

struct recorded_tasks {
  /// Of an object or token while it is recorded: who uses it.
  struct users {
    int writer = -1;
    std::vector<int> readers{};
  };

  std::vector<listed_task> all{};
  std::vector<known_use> uses{};  ///< of all together, each object and token once
  bool has_tokens = false;
  std::unordered_map<const void*, users> listed{};
  std::vector<planned_step> steps{};  ///< in the order of the plan; none before there is one
  seat_plan on_seats{};               ///< the same; empty where not all of them may run on any CPU CU
};

}  // namespace yoke::detail
