// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The runtime: compute units, memory spaces and loops of one configuration.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/region_table.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/settings.hpp>
#include <yoke/task_loop.hpp>
#include <yoke/team_plan.hpp>
#include <yoke/trace.hpp>

namespace yoke {

/// "2x1", or sourced{"2x1", "--cus"}, where messages shall say where the value came from.
class option_value : public std::optional<sourced> {
 public:
  option_value() = default;
  option_value(const char* text) : option_value{std::string{text}} {}
  option_value(std::string text) : option_value{sourced{std::move(text), ""}} {}
  option_value(sourced value) : std::optional<sourced>{std::move(value)} {}
  option_value(std::optional<sourced> value) : std::optional<sourced>{std::move(value)} {}
};

/// What a program asks for; anything not given comes from its YOKE_ variable, then from the default.
struct runtime_options {
  option_value cus{};       ///< "7x2+2"; default: all CPUs and usable devices
  option_value devices{};   ///< as YOKE_DEVICES
  option_value schedule{};  ///< as YOKE_SCHEDULE: default of make_loop
  option_value trace{};     ///< as YOKE_TRACE
  option_value profile{};   ///< as YOKE_PROFILE
  /// Weights of the tasks that will be run, by bodies that use all CPUs of a CU: where no configuration is
  /// given, CPUs are put together into CUs as suits them (see scheduling::best_sizes), and notes() says why.
  std::vector<double> weights{};
  /// What several CPUs make of one task of such a weight.
  scheduling::team_model team{};
  /// Seconds that one core would take for all that will be run, about; 0 where nobody can tell. Where neither
  /// configuration, devices nor schedule are given and CPUs are through before a GPU would be open, GPUs stay
  /// closed, and notes() says so, as GPUs do of which each would save less than a twelfth of what it takes to
  /// open; where the driver was not awake, nobody in this process sees these from then on. devices = "auto"
  /// opens them. CPUs that would save next to nothing beside GPUs stay out in the same way.
  double core_seconds = 0;
};

/// Checks a schedule's text, as programs do with their options, and loads the shared object that it may name
/// ("./mine.so:name,option=value", see schedule_plugin.hpp). Errors: config_error naming value and origin.
void check_schedule(const sourced& spec);

namespace detail {
struct holder_access;
}

/// Where a value in force came from, as YOKE_DISPLAY_ENV=1 prints.
struct setting_in_force {
  std::string name;
  std::string value;
  std::string origin;
};

/// Who keeps the threads of CUs on their CPUs, and how many were found elsewhere by runs so far and put back.
struct thread_placement {
  bound_by by = bound_by::openmp;
  long long mended = 0;
};

/// Body of a loop: runs the tasks of one batch on the calling CU. On a GPU CU it may leave work on the CU's
/// stream; run waits for it before the batch counts as done.
using batch_body = std::function<void(std::span<const task_id>)>;
/// The same with the number of the pass, counted from the loop's first.
using batch_body_with_pass = std::function<void(std::span<const task_id>, pass_id)>;

/// How many passes follow, from `next` on, on those that a run was given; 0 ends it.
using further_passes = std::function<pass_id(pass_id next)>;

/// What each_unit runs, on the CU of that id.
using unit_body = std::function<void(unit_id)>;

/// A configuration at work: places of OpenMP and the threads bound to them, devices, memory spaces, settings.
/// Whatever else Yoke has (loops, placed objects, arrays) belongs to one and is of no use after it.
///
///   yoke::runtime rt;                      // by YOKE_CUS, YOKE_DEVICES, …; without them all that there is
///   yoke::task_loop loop = rt.make_loop({.n_tasks = n, .weights = w});
///   rt.run(loop, [&](std::span<const yoke::task_id> batch) {
///     for (const yoke::task_id task : batch) solve(task);
///   });
///
/// Made outside of parallel regions, by any thread; it starts OpenMP, and drivers where it has GPU CUs.
/// Several may live at once: run and each_unit of all take turns, and the one that runs is current. A forked
/// child has none and can make none.
///
/// Errors of constructors: config_error naming the value, its origin and what is accepted; usage_error inside
/// a parallel region or in a forked child; device_error.
/// Source: González & Morancho, whose primitives yoke::cu, yoke::placement and task_loop are.
class runtime {
 public:
  /// From the environment and the defaults.
  runtime();
  /// `cus` as in YOKE_CUS; beats the variable.
  explicit runtime(std::string_view cus);
  explicit runtime(const runtime_options& options);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// The current one (see compute_units::calling); made from the environment where there is none.
  static runtime& current();
  /// For all threads of the process, until another one is made or made current; while one runs, that one is.
  void make_current();

  const compute_units& units() const;
  /// The regions of this runtime; yoke::placement are calls of the current one's.
  region_table& memory();
  /// The devices of the memory spaces 1, 2, ….
  std::span<device* const> devices() const;
  /// The CUs as a schedule sees them.
  std::vector<unit> schedule_units() const;
  /// Lines the program may show: sharing of CPUs, devices left out, a profile that is of no use.
  std::span<const std::string> notes() const;
  /// Each variable with its value, given or by default.
  std::vector<setting_in_force> settings_in_force() const;
  yoke::thread_placement thread_placement() const;
  /// nullptr unless a trace was asked for; written when the runtime ends or by write_trace, to a file that no
  /// other runtime of the process has (see notes). A pipe, a FIFO or a terminal is opened with the runtime
  /// and written once, by whichever of both comes first.
  trace_recorder* trace();
  /// For errors: the end of the runtime can only print them. config_error where the trace cannot be written,
  /// out_of_memory where it lacks events for which there was no memory.
  void write_trace();

  /// A loop over `work.n_tasks` tasks under a schedule by name ("pool,pcf=12", "./mine.so:name"), or the
  /// default one. It begins with what earlier runs have learnt of the same work on this machine, and what it
  /// learns is kept for later ones, see YOKE_PROFILE; give the work a name where loops of a program have
  /// equal weights. Errors: usage_error for a negative number of tasks, or weights that are not one for each;
  /// out_of_memory, with the number of tasks.
  task_loop make_loop(std::string_view schedule, workload work);
  task_loop make_loop(workload work);
  /// Under the user's own schedule, of which nothing is kept. Errors of those by name: as scheduling::make.
  task_loop make_loop(std::unique_ptr<schedule> plan, workload work);

  /// One pass: every task exactly once, in an outer parallel region of n_cus() threads. Exceptions of the
  /// body are rethrown here after all CUs have stopped. Runs of several runtimes are serialized; a run inside
  /// a run is a usage_error.
  void run(task_loop& loop, const batch_body& body);
  /// `body` once on every CU, without tasks, and without waiting for what it leaves on the streams of GPU
  /// CUs. The first exception is rethrown when all CUs have come back, and their streams have run dry then.
  /// The rest as for run.
  void each_unit(const unit_body& body);
  /// `passes` passes in one parallel region without a barrier between them: the body orders what must be
  /// ordered.
  void run(task_loop& loop, pass_id passes, const batch_body_with_pass& body) { run(loop, passes, body, {}); }
  /// The same, and one CU calls `further` for what follows: when all are through with the passes known so
  /// far, and wait; after ten passes or more already when the first CU comes to the last but one of them,
  /// while others run. As long as the same CUs have tasks they stay in their region, which saves the 0.02 to
  /// 1 ms of another one; CUs without tasks are not waited for.
  void run(task_loop& loop, pass_id passes, const batch_body_with_pass& body, const further_passes& further);

 private:
  friend struct detail::holder_access;
  task_loop make_loop_by_name(const sourced& schedule, workload work);

  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace yoke
