#pragma once
/// Misuse as a table: each entry is one thing that a program may do wrong, with the error that it must get.

#include "../runtime/helpers.hpp"

#include <functional>
#include <string>
#include <vector>

#include <yoke/yoke.hpp>

namespace attack {

/// Which configurations an entry is for.
enum class only { anywhere, with_cpu, with_gpu, one_unit, several_units };

/// What the attacked program has: a runtime, two registered regions, and data for the loop that must work
/// after every misuse.
struct victim {
  yoke::runtime rt;
  std::vector<double> first = std::vector<double>(100, 1.0);
  std::vector<double> second = std::vector<double>(100, 2.0);
  pieces data{6, 10};
  int passes = 0;  ///< over `data`

  victim();
  ~victim();
  victim(const victim&) = delete;
  victim& operator=(const victim&) = delete;

  yoke::region_table& memory() { return rt.memory(); }
  bool can(only where) const;
  int n_units() const { return rt.units().size(); }
  yoke::task_loop loop(const char* schedule = "static") { return rt.make_loop(schedule, {.n_tasks = 6}); }
  void run(yoke::task_loop& loop) {
    rt.run(loop, [](std::span<const yoke::task_id>) {});
  }
  /// Runs a correct loop and a correct explicit one and says whether every task and every result was right.
  bool still_works();
};

/// The type of an error.
enum class kind { usage, config, device, memory, of_body, anything };

struct misuse {
  const char* what;               ///< that the program does
  kind error;                     ///< that it gets
  std::vector<std::string> says;  ///< parts of the message: the value, and what is wrong with it
  std::function<void(victim&)> doing;
  only where = only::anywhere;
};

inline std::vector<misuse> together(const std::vector<std::vector<misuse>>& tables) {
  std::vector<misuse> all;
  for (const std::vector<misuse>& each : tables) all.insert(all.end(), each.begin(), each.end());
  return all;
}

std::vector<misuse> misuse_of_regions();
std::vector<misuse> misuse_of_units();
std::vector<misuse> misuse_of_work();
std::vector<misuse> misuse_of_primitives();
std::vector<misuse> misuse_of_runs();
std::vector<misuse> broken_schedules();
std::vector<misuse> failing_bodies();
std::vector<misuse> misuse_of_settings();

}  // namespace attack
