#pragma once
/// What the paper's evaluation says: times of a zone, communication, and the speedups that were measured.
/// Source: González and Morancho, Tables 1, 7 and 8 and the Evaluation section.

#include "common/problem.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/ids.hpp>

namespace paper {

/// Values by number of CPUs, ascending.
using by_cpus = std::vector<std::pair<double, double>>;

/// Linear between the two next to `cpus`, the last one beyond: the paper has no other.
double at(const by_cpus& values, double cpus);

/// One benchmark of class D on the paper's node. Its CPU CUs have one CPU each (SP, BT), or all CPUs are one
/// (LU).
struct measured {
  npb::benchmark_kind kind{};
  yoke::seconds gpu = 0;                     ///< of an average zone
  by_cpus cpu;                               ///< seconds of an average zone on a CPU CU, by all CPUs at work
  by_cpus pcf;                               ///< Table 8
  std::vector<yoke::seconds> communication;  ///< of a step, by GPUs at work
  double bytes = 0;                          ///< of all zones

  yoke::seconds cpu_time(const yoke::configuration& cus) const;
  /// Where Table 8 has none for so many CPUs, the quotient of the times that it was made from.
  double pcf_of(const yoke::configuration& cus) const;
};

struct claim {
  std::string benchmark;
  std::vector<std::string> of;  ///< configurations
  std::string schedule;         ///< under our name: the paper's DYNAMIC is `memorizing`
  std::string which;            ///< "lowest", "highest" of them; empty: of the only one
  double speedup = 0;           ///< over one CPU
  std::string why;              ///< it does not follow from the paper's own times; empty where it does
};

/// How many times slower a step is when zones are dealt out anew in each.
struct slowdown {
  std::string benchmark;
  std::string cus;
  double least = 0;
  double most = 0;
};

struct evaluation {
  std::map<std::string, measured> benchmarks;  ///< by "sp", "bt", "lu"
  std::vector<claim> claims;
  std::vector<slowdown> not_memorizing;
};

evaluation read_evaluation();

}  // namespace paper
