#pragma once
/// The steps of a benchmark on the paper's node, or on a larger one like it, in virtual time.

#include "evaluation.hpp"

#include <string>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace paper {

/// Zones of a class on the CUs of a configuration: what schedules and the simulator need.
struct node {
  /// A zone of another class than D takes time by its interior points.
  node(const measured& by, char letter, const yoke::configuration& cus);

  yoke::workload zones;  ///< weights: 1 is the average zone of class D
  std::vector<yoke::unit> units;
  std::vector<yoke::speed> speeds;
};

/// Seconds of a step's computation once `schedule` has settled.
yoke::seconds makespan(const node& on, const std::string& schedule);

struct least_makespan {
  yoke::seconds value = 0;
  bool is_exact = false;  ///< of whole zones; else a lower bound, as if they could be cut
};
least_makespan best_makespan_of(const node& on);
/// The same without a search: exact for zones of one size, else the lower bound.
least_makespan quick_best_makespan_of(const node& on);

/// Over one CPU, communication included. Source: the paper measures speedups so; its communication of a step
/// is that of as many GPUs, and under static-hybrid, which keeps neighbours together, that of none.
double speedup(const measured& by, const yoke::configuration& cus, const std::string& schedule);
/// Of what the paper claims: the lowest, the highest or the only one of its configurations.
double predicted(const evaluation& said, const claim& what);

/// How many times slower a step of `cus` is where each zone may run elsewhere than in the step before, on CUs
/// drawn by their speeds, and its bytes then move at `bandwidth` bytes a second.
double slowdown_without_memory(const measured& by, const yoke::configuration& cus, double bandwidth);
/// The bandwidth at which that is `times`.
double bandwidth_of_slowdown(const measured& by, const yoke::configuration& cus, double times);

}  // namespace paper
