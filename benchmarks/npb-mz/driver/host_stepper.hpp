#pragma once
/// Runs zones on one CPU CU.

#include "stepping.hpp"

#include <memory>
#include <span>
#include <vector>

#include <yoke/compute_units.hpp>

namespace npb {

class host_stepper {
 public:
  host_stepper(const stepping& shared, const yoke::compute_unit& unit);

  /// One step of the zones of `batch`, each as soon as it is ready: exchange in, advance, exchange out,
  /// publish. Call from the CU's outer thread.
  void run(std::span<const yoke::task_id> batch, int step, unit_account& account);

  /// Runs the solver once on a zone nobody else uses: first touch of its work memory, first inner team. What
  /// it leaves in the zone is of no use.
  void rehearse(yoke::task_id zone);

 private:
  yoke::task_id next_ready(int step, unit_account& account);
  void run_zone(int zone, int step, unit_account& account);
  void receive(int zone, int step, const host_zone& fields);
  void send(int zone, int step, const host_zone& fields);
  template <class Copy>
  void for_faces(const Copy& copy) const;

  const stepping& shared_;
  int unit_;
  int n_threads_;
  std::unique_ptr<host_solver> solver_;
  std::vector<yoke::task_id> waiting_;  ///< zones of the batch that have not run
};

}  // namespace npb
