#pragma once
/// What a run has found: the numbers behind the report, --explain and --json.

#include "common/solver.hpp"
#include "driver/march/memory_plan.hpp"
#include "driver/march/solo_result.hpp"

#include <optional>
#include <string>
#include <vector>

#include <yoke/links.hpp>
#include <yoke/profile.hpp>
#include <yoke/task_loop.hpp>

namespace yoke {
class runtime;
}

namespace npb {

struct unit_result {
  int id = 0;
  bool is_gpu = false;
  std::string place;   ///< "{0,1}"
  std::string device;  ///< "cuda:0"; empty on a CPU CU
  int space = 0;
  long long tasks = 0;    ///< zone steps in the timed loop
  double work = 0;        ///< sum of their weights
  double advance_s = 0;   ///< in the solver
  double exchange_s = 0;  ///< packing, unpacking, gathering
  double waiting_s = 0;   ///< for faces of other CUs
  long migrations = 0;
  long replays = 0;
  long steps_ahead = 0;  ///< set going before the step before them was over

  double busy_s() const { return advance_s + exchange_s; }
};

struct task_result {
  int id = 0;
  double weight = 0;
  int unit = 0;
  double seconds = 0;
  bool apportioned = false;
};

struct step_result {
  double compute_s = 0;   ///< of the CU that needed most
  double exchange_s = 0;  ///< of the CU that needed most
};

struct bytes_result {
  int from = 0;
  int to = 0;
  std::size_t n = 0;
};

/// Of a run over yoke::zones, which times no zone by itself.
struct zoned_result {
  int ranks = 1;
  std::string explained;  ///< by the zones
};

struct run_result {
  std::string program;    ///< "sp-mz"
  std::string benchmark;  ///< "SP-MZ"
  std::string class_name;
  std::string size;
  std::string zones;
  std::string cus;
  std::vector<std::string> devices;
  std::string schedule;
  std::string described;  ///< the schedule's own account
  std::string exchange;
  std::vector<std::string> notes;
  int iterations = 0;
  double setup_s = 0;
  double seconds = 0;
  double deciding_s = 0;  ///< of these: nothing ran, for the schedule decided between two steps
  double mops = 0;
  verification verdict = verification::not_performed;
  zone_norms norms;
  std::optional<reference_norms> reference;
  bool has_xci = false;
  std::optional<solo_result> solo;
  std::optional<zoned_result> zoned;  ///< units, steps, tasks, bytes, links and memory are empty then
  std::vector<unit_result> units;
  std::vector<step_result> steps;
  std::vector<task_result> tasks;
  std::vector<bytes_result> bytes;
  std::string peer_faces;                  ///< "direct", "host", "frozen"
  yoke::link_table links;                  ///< between the memory spaces
  std::vector<space_memory> memory;        ///< by space
  std::vector<yoke::space_id> places;      ///< of each zone at the end
  std::vector<yoke::task_sample> samples;  ///< of --samples; passes count from 0
  yoke::profile learnt;                    ///< the model of the schedule, where it has one
  double mean_weight = 0;                  ///< of a zone
  double largest_weight = 0;               ///< of a zone
  double best_step_s = 0;  ///< of whole zones dealt out longest first, from the speeds measured; 0: unknown

  double step_s() const { return seconds / iterations; }
  /// Rate / (CPU CUs alone + every GPU alone), and (rate - GPUs alone) / CPU CUs alone.
  std::optional<double> hybrid_efficiency() const;
  std::optional<double> cpu_gain() const;
};

/// The classic report, then a line for each CU.
std::string report(const run_result& r);
/// Why: who did what, how fast, what was lost where.
std::string explanation(const run_result& r);
/// The CU that needed most; null where nothing was timed.
const unit_result* busiest_unit(const run_result& r);
/// "CU 1 (cuda:0), busy 97.1% of the time"
std::string bound_text(const run_result& r);
/// One thing, the first that weighs.
std::string what_would_help(const run_result& r);
/// "CU 0 to 14, 17"; empty where all had some.
std::string units_without_zones(const run_result& r);
/// yoke-npb/1, with the record of the runtime that ran it.
std::string json(const run_result& r, const yoke::runtime& rt);

/// Smallest possible time of a step when every zone is on one unit whole; `seconds[u]` is what unit u takes
/// for weight 1 (0: u takes no zones). Exact for equal weights; else largest first, an upper bound.
double longest_first_makespan(std::vector<double> weights, const std::vector<double>& seconds);

}  // namespace npb
