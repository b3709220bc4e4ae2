#pragma once
/// Runs zones on one CPU CU.

#include "driver/step/step_run.hpp"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/team_plan.hpp>

namespace npb {

class host_stepper {
 public:
  host_stepper(const stepping& shared, const yoke::compute_unit& unit);

  /// One step of the zones of `batch`, each as soon as it is ready: exchange in, advance, exchange out,
  /// publish. Where the CU has several CPUs, they take zones of their own as far as these go round, once all
  /// of the batch are in host memory. Call from the CU's outer thread.
  void run(std::span<const yoke::task_id> batch, step_run& step);

  /// Runs the solvers once on a zone nobody else uses: first touch of their work memory, first inner team.
  /// What it leaves in the zone is of no use.
  void rehearse(yoke::task_id zone);
  /// Seconds of the solver for such a zone, after rehearse; in a CU of several CPUs all of them work on it.
  yoke::seconds time_of(yoke::task_id zone);

 private:
  /// One thread, or all of the CU's together: a solver, and what was done since the account was last settled.
  struct alignas(128) worker {
    int n_threads = 1;
    std::unique_ptr<host_solver> solver;
    yoke::trace_recorder* trace = nullptr;
    std::vector<yoke::task_id> waiting;  ///< zones that have not run
    yoke::ticks idle = 0;                ///< while none of them was ready
    yoke::ticks compute = 0;
    yoke::ticks exchange = 0;
    long long tasks = 0;
    double work = 0;
  };

  worker make_worker(int n_threads) const;
  void take_over(std::span<const yoke::task_id> batch, step_run& step);
  void run_side_by_side(const yoke::scheduling::team_plan& plan, step_run& step);
  void run_own(worker& by, const step_run& step, const std::atomic<bool>& failed);
  void run_together(std::span<const yoke::task_id> zones, step_run& step);
  void fetch(int zone, step_run& step);
  void run_zone(worker& by, int zone, const step_run& step);
  void receive(const worker& by, int zone, moment at, const host_zone& fields);
  void send(const worker& by, int zone, moment at, const host_zone& fields);
  void settle(std::span<worker> workers, step_run& step);

  const stepping& shared_;
  int unit_;
  worker team_;
  std::vector<worker> alone_;           ///< one for each thread, once zones have run side by side
  std::vector<yoke::task_id> planned_;  ///< the batch that plan_ is for
  yoke::scheduling::team_plan plan_;
};

}  // namespace npb
