#pragma once
/// Launches over zones in shares, one for each zone: which share may be done next, and what is over. Pure.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <vector>

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

/// Launches that are known together, and what is called when all of their shares are done. Launches live
/// until then.
struct shared_job {
  std::span<const shared_launch* const> launches;
  std::function<void(const std::exception_ptr&)> over;
};

/// Jobs come one after the other, and are over in that order. A zone does a launch when it and its neighbours
/// are through with those before, of earlier jobs, too: so nobody waits for all.
class shared_jobs {
 public:
  explicit shared_jobs(shared_order order);

  void add(shared_job next);

  struct claim {
    int zone;
    const shared_launch* of;
    std::uint32_t share;
    std::uint64_t job;
    bool fails;  ///< something of its job has: it is not to be run
  };
  /// Its own zones, then those of others that are behind all of its own: who takes what others are about to
  /// do loses what is in its caches. Of several the one that is behind most. None where none can go on.
  std::optional<claim> next(std::size_t member);
  /// Of a job the first error counts.
  void done(const claim& what, const std::exception_ptr& error);

  struct ended_job {
    std::function<void(const std::exception_ptr&)> over;
    std::exception_ptr error;
  };
  /// The oldest job, where all of its shares are done.
  std::optional<ended_job> take_ended();

 private:
  /// A launch by its job.
  struct place {
    std::uint64_t job = 0;
    std::size_t launch = 0;
    auto operator<=>(const place&) const = default;
  };
  /// A zone, and the launch that is its next.
  struct zone_state {
    place at{};
    bool is_busy = false;
  };
  struct open_job {
    shared_job what;
    std::size_t left = 0;  ///< shares
    std::exception_ptr error{};
  };
  const zone_state& at(int zone) const { return zones_[static_cast<std::size_t>(zone)]; }
  open_job& job_of(const place& of) { return jobs_[static_cast<std::size_t>(of.job - first_)]; }
  std::uint64_t end() const { return first_ + jobs_.size(); }
  void skip(int zone);
  bool is_ready(int zone) const;
  int find(std::span<const int> among, place before) const;
  int find_other(std::size_t member) const;

  shared_order order_;
  std::vector<zone_state> zones_;
  std::deque<open_job> jobs_;
  std::uint64_t first_ = 0;  ///< number of the oldest job
};

}  // namespace yoke::detail
