#pragma once
/// CPU CUs that share the zones in host memory.

#include "shared_jobs.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/compute_units.hpp>

namespace yoke::detail {

/// What the team of an engine does: jobs are told, and members who are in `help` do their shares. One member
/// is enough, and a late one finds nothing left.
class cpu_pool {
 public:
  cpu_pool(std::vector<const compute_unit*> members, shared_order order);
  cpu_pool(const cpu_pool&) = delete;
  cpu_pool& operator=(const cpu_pool&) = delete;

  const compute_unit& member(std::size_t number) const { return *members_[number]; }

  /// Jobs count up in the order in which they are told. Some may never begin.
  using number = std::uint64_t;
  /// Returns at once; `over` is called by a member, in the order of jobs. Errors: the first of its shares;
  /// what comes after that in the job does not run.
  void begin(shared_job next);
  /// Called when `over` of a job has been.
  void note_over(number job) { over_ = job; }

  /// How a member waits.
  struct waiting {
    std::function<bool()> is_over;  ///< the job that it helps with, which may never begin; asked now and then
    std::function<bool()> for_next;  ///< waits for a device where the next job does; by one member at a time
  };
  /// By a member, until that job is over.
  void help(std::size_t member, number with, const waiting& how);

  /// What a member has spent on shares, and their weight.
  struct account {
    seconds time = 0;
    double weight = 0;
  };
  /// Since this was last asked, when nothing runs.
  std::vector<account> take_accounts();

 private:
  struct alignas(64) spent_by_member {
    ticks time = 0;
    double weight = 0;
  };
  bool work(std::size_t member);
  std::exception_ptr run(const shared_jobs::claim& what, std::size_t member);
  void end_jobs(std::unique_lock<std::mutex>& guard);
  bool has_waited(const waiting& how);

  std::vector<const compute_unit*> members_;
  std::vector<spent_by_member> spent_;
  std::mutex lock_;
  shared_jobs jobs_;        ///< under the lock
  bool is_ending_ = false;  ///< some member calls `over` of jobs
  std::atomic<std::uint64_t> n_changes_{0};
  std::atomic<number> over_{0};
  std::atomic<bool> is_waiting_{false};  ///< some member, for a device
};

}  // namespace yoke::detail
