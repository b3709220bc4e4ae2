#pragma once
/// CPU CUs that share the zones in host memory: one of them leads, the others help.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/compute_units.hpp>

namespace yoke::detail {

/// Shares of one launch, by the member that takes them first if it can.
using shares_by_member = std::vector<std::vector<std::uint32_t>>;

/// Work of the leader's seat runs as if it were alone. Where it has shares, those of others that are in
/// `help` meanwhile take some; it goes on when all are done, whoever does them. So one seat is enough, a late
/// one finds nothing left, and nobody waits for it.
class cpu_pool {
 public:
  /// The first one leads.
  explicit cpu_pool(std::vector<const compute_unit*> members);
  cpu_pool(const cpu_pool&) = delete;
  cpu_pool& operator=(const cpu_pool&) = delete;

  std::size_t size() const { return members_.size(); }
  const compute_unit& member(std::size_t number) const { return *members_[number]; }

  /// Numbers count up in the order in which work of the leader is told.
  using number = std::uint64_t;
  /// By the leader, in its work.
  template <class Work>
  void lead(number of_work, const Work& work) {
    const ended at_end{*this, of_work};
    work();
  }
  using run_share = std::function<void(std::uint32_t share, const compute_unit& on)>;
  /// By the leader, in `lead`: runs all shares. `weights`: of each. Errors: the first of these.
  void run(const shares_by_member& shares, std::span<const double> weights, const run_share& run);
  /// By another member, until that work of the leader has ended. `is_over` is asked now and then: the work
  /// may never begin.
  void help(std::size_t member, number with, const std::function<bool()>& is_over);

  /// What a member has spent on shares, and their weight.
  struct account {
    seconds time = 0;
    double weight = 0;
  };
  /// Since this was last asked, when nothing runs.
  std::vector<account> take_accounts();

 private:
  struct job {
    const shares_by_member& shares;
    std::span<const double> weights;
    const run_share& run;
    std::size_t n = 0;
    std::atomic<std::size_t> done{0};
    std::mutex lock{};  ///< of the error
    std::exception_ptr error{};
  };
  struct alignas(64) state {
    std::atomic<std::size_t> next{0};  ///< share of the job, of those that are its own
    ticks spent = 0;                   ///< written by the member
    double weight = 0;
  };
  struct ended {
    cpu_pool& pool;
    number of_work;
    ended(cpu_pool& of, number work) : pool{of}, of_work{work} {}
    ~ended() { pool.ended_ = of_work; }
    ended(const ended&) = delete;
    ended& operator=(const ended&) = delete;
  };
  bool work_on(job& on, std::size_t member);
  std::size_t busiest(const job& of) const;
  bool take_from(job& on, std::size_t owner, std::size_t member);

  std::vector<const compute_unit*> members_;
  std::vector<state> states_;
  std::atomic<job*> job_{nullptr};
  std::atomic<std::uint64_t> jobs_{0};  ///< so many there were
  std::atomic<int> inside_{0};          ///< members that may have a job in hand
  std::atomic<number> ended_{0};
};

}  // namespace yoke::detail
