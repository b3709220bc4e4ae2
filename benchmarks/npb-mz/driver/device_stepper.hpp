#pragma once
/// Runs batches of zones on one GPU CU.

#include "batch_plan.hpp"
#include "stepping.hpp"

#include <memory>
#include <span>
#include <vector>

#include <yoke/compute_units.hpp>

namespace npb {

class device_stepper {
 public:
  /// Errors: out_of_memory when the faces do not fit on the device.
  device_stepper(const stepping& shared, const yoke::compute_unit& unit);
  ~device_stepper();

  /// One step of all zones of `batch` together: waits for all of them, brings in what is elsewhere, one
  /// message from each other space, one launch to unpack, the solver's launches, one to pack, one message
  /// back; then publishes. In a settled map the zones that have all their neighbours in this CU go first,
  /// while the faces of the others are still on their way. A batch that comes again is replayed as a graph.
  void run(std::span<const yoke::task_id> batch, int step, unit_account& account);

  /// Runs every kernel once on a zone nobody else uses, so that loading them is not part of the first pass.
  /// What it leaves in the zone is of no use.
  void rehearse(yoke::task_id zone, unit_account& account);

  /// Row sums of the residual of a zone that is placed on the device (norms.hpp), for benchmarks with one.
  std::vector<double> residual_row_sums(yoke::task_id zone);

 private:
  /// A batch, cut in two where that lets the device work while it waits.
  struct batch_parts {
    std::vector<yoke::task_id> batch;
    long epoch = -1;                    ///< of the map
    std::vector<yoke::task_id> inner;   ///< with all neighbours in this CU; empty: not cut
    std::vector<yoke::task_id> border;  ///< all others
  };

  const batch_parts& parts_of(std::span<const yoke::task_id> batch);
  bool is_inner(int zone) const;
  batch_plan& start_inner(const batch_parts& parts, int step, unit_account& account);
  batch_plan& run_border(std::span<const yoke::task_id> zones, int step, unit_account& account);
  void finish(const batch_plan& plan, std::span<const yoke::task_id> zones, int step, unit_account& account);
  bool are_ready(std::span<const yoke::task_id> zones, int step) const;
  void reserve_work(std::span<const yoke::task_id> batch);
  void wait(std::span<const yoke::task_id> batch, int step, unit_account& account);
  void check_memory(std::span<const yoke::task_id> batch) const;
  std::size_t missing(std::span<const yoke::task_id> batch) const;
  std::vector<std::size_t> work_bytes(std::span<const yoke::task_id> batch) const;
  void bring(std::span<const yoke::task_id> batch, unit_account& account);
  template <class Work>
  void exchange_on_host(int step, unit_account& account, const Work& work);
  batch_plan& plan_for(std::span<const yoke::task_id> batch, int step);
  batch_plan& free_plan();
  batch_plan& prepare(std::span<const yoke::task_id> batch, int step, unit_account& account);
  void capture(batch_plan& plan);
  void enqueue(batch_plan& plan);
  void enqueue_or_replay(batch_plan& plan, unit_account& account);

  const stepping& shared_;
  const yoke::compute_unit& unit_;
  std::unique_ptr<device_solver> solver_;
  device_buffer work_;
  device_buffer sums_;
  long work_generation_ = 0;  ///< changes when work_ moves
  batch_parts parts_;
  std::vector<std::unique_ptr<batch_plan>> plans_;
  long uses_ = 0;
};

}  // namespace npb
