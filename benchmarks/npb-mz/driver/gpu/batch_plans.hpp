#pragma once
/// The plans of a GPU CU for the batches it gets, and the work memory that they share.

#include "batch_plan.hpp"

#include <memory>
#include <span>
#include <vector>

namespace npb {

class batch_plans {
 public:
  batch_plans(const stepping& shared, const yoke::compute_unit& unit, const device_solver& solver);

  /// The plan for `batch` in steps as this one, even or odd; null where there is none. `of_share`: as for
  /// batch_plan.
  batch_plan* find(std::span<const yoke::task_id> batch, moment now, bool of_share) const;
  /// The same, laid out now where there is none. `behind`: zones whose work memory comes before the batch's.
  batch_plan& get(std::span<const yoke::task_id> batch, moment now, bool of_share,
                  std::span<const yoke::task_id> behind = {});

  /// Plans that were under way in this step may be dropped from here on.
  void finish(moment at);
  /// All of them may: nothing of the CU is under way.
  void finish_all();

  /// What the solver needs for each zone.
  std::vector<std::size_t> work_bytes(std::span<const yoke::task_id> batch) const;
  /// Where the work memory of zones that are advanced beside `batch` begins.
  std::byte* work_behind(std::span<const yoke::task_id> batch) const;
  /// How many bytes of work memory are missing for a batch.
  std::size_t work_missing(std::span<const yoke::task_id> batch) const;
  /// Errors: out_of_memory.
  void reserve_work(std::span<const yoke::task_id> batch);
  /// Frees all plans and the work memory. Only while nothing of the CU is under way.
  void give_back();
  /// Changes when the work memory moves.
  long work_generation() const { return work_generation_; }

 private:
  batch_plan& free_plan();
  template <class Work>
  void or_without_plans(const Work& work);
  batch_plan& lay_out(std::span<const yoke::task_id> batch, moment now, bool of_share, std::byte* work);

  const stepping& shared_;
  const yoke::compute_unit& unit_;
  const device_solver& solver_;
  device_buffer work_;
  long work_generation_ = 0;
  std::vector<std::unique_ptr<batch_plan>> plans_;
  long uses_ = 0;
};

}  // namespace npb
