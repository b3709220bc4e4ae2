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

/// A launch in shares, at most one for each zone.
struct shared_launch {
  std::vector<std::int32_t> share_of;  ///< by zone; -1: none
  std::vector<double> weights;         ///< of shares
  std::function<void(std::uint32_t share, const compute_unit& on)> run;
};

/// Who begins with which zones, heavy ones first, and which zones are beside which.
struct shared_order {
  std::vector<std::vector<int>> zones_of;    ///< by member
  std::vector<std::vector<int>> neighbours;  ///< by zone
};

/// Work of the leader's seat runs as if it were alone. Its launches come in shares, of which those who are in
/// `help` meanwhile take some. A zone does a launch when it and its neighbours are through with those before:
/// so nobody waits for all. It is over when all shares are done, whoever does them: one seat is enough, and a
/// late one finds nothing left.
class cpu_pool {
 public:
  /// The first one leads.
  cpu_pool(std::vector<const compute_unit*> members, shared_order order);
  cpu_pool(const cpu_pool&) = delete;
  cpu_pool& operator=(const cpu_pool&) = delete;

  const compute_unit& member(std::size_t number) const { return *members_[number]; }

  /// Numbers count up in the order in which work of the leader is told.
  using number = std::uint64_t;
  /// By the leader, in its work.
  template <class Work>
  void lead(number of_work, const Work& work) {
    const ended at_end{*this, of_work};
    work();
  }
  /// By the leader, in `lead`: all shares of the launches, in their order for each zone. Errors: the first of
  /// these; what comes after it does not run.
  void run(std::span<const shared_launch* const> launches);
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
    std::span<const shared_launch* const> launches;
    std::atomic<std::size_t> left{0};  ///< shares
    std::atomic<bool> has_failed{false};
    std::mutex lock{};  ///< of the error
    std::exception_ptr error{};
  };
  struct alignas(64) spent_by_member {
    ticks time = 0;
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
  /// A zone and the launch that is its next.
  struct claim {
    int zone = -1;
    std::uint32_t launch = 0;
  };
  static std::uint32_t next_launch(const job& of, int zone, std::size_t from);
  bool is_ready(const claim& next) const;
  claim find(const job& of, std::span<const int> among) const;
  claim find_other(const job& of, std::size_t member) const;
  bool work_on(job& on, std::size_t member);
  void do_share(job& on, const claim& what, std::size_t member);

  std::vector<const compute_unit*> members_;
  shared_order order_;
  std::vector<spent_by_member> spent_;
  /// By zone: twice its next launch, and one more while that runs.
  std::vector<std::atomic<std::uint32_t>> at_;
  std::atomic<job*> job_{nullptr};
  std::atomic<std::uint64_t> jobs_{0};  ///< so many there were
  std::atomic<int> inside_{0};          ///< members that may have a job in hand
  std::atomic<number> ended_{0};
};

}  // namespace yoke::detail
