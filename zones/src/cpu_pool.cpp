#include "cpu_pool.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <yoke/detail/spin.hpp>

namespace yoke::detail {

cpu_pool::cpu_pool(std::vector<const compute_unit*> members, shared_order order)
    : members_{std::move(members)}, spent_(members_.size()), jobs_{std::move(order)} {}

void cpu_pool::begin(shared_job next) {
  std::unique_lock guard{lock_, std::defer_lock};
  lock_soon(guard);
  jobs_.add(std::move(next));
  ++n_changes_;
}

std::exception_ptr cpu_pool::run(const shared_jobs::claim& what, std::size_t member) {
  std::exception_ptr error;
  const ticks from = now();
  try {
    if (!what.fails) what.of->run(what.share, *members_[member]);
  } catch (...) {
    error = std::current_exception();
  }
  spent_[member].time += now() - from;
  spent_[member].weight += what.of->weights[what.share];
  return error;
}

/// One member at a time: they are over in their order.
void cpu_pool::end_jobs(std::unique_lock<std::mutex>& guard) {
  if (is_ending_) return;
  is_ending_ = true;
  while (const auto next = jobs_.take_ended()) {
    guard.unlock();
    next->over(next->error);
    lock_soon(guard);
  }
  is_ending_ = false;
}

/// Shares, as long as there are some. False where there were none.
bool cpu_pool::work(std::size_t member) {
  std::unique_lock guard{lock_, std::defer_lock};
  lock_soon(guard);
  end_jobs(guard);  // of one without shares
  bool has_worked = false;
  while (const auto next = jobs_.next(member)) {
    guard.unlock();
    const std::exception_ptr error = run(*next, member);
    lock_soon(guard);
    jobs_.done(*next, error);
    ++n_changes_;
    end_jobs(guard);
    has_worked = true;
  }
  return has_worked;
}

bool cpu_pool::has_waited(const waiting& how) {
  if (is_waiting_.exchange(true)) return false;
  const bool found = how.for_next();
  is_waiting_ = false;
  return found;
}

void cpu_pool::help(std::size_t member, number with, const waiting& how) {
  // Who has nothing to do while a device computes waits for about a step; then there is no hurry.
  constexpr seconds looks_for = 1e-3;
  ticks since = now();
  while (over_ < with) {
    const std::uint64_t seen = n_changes_;
    if (work(member)) since = now();
    if (over_ >= with || has_waited(how)) continue;
    const bool is_news = spin_until([&] {
      return n_changes_.load(std::memory_order_relaxed) != seen ||
             over_.load(std::memory_order_relaxed) >= with;
    });
    if (is_news || elapsed(since, now()) < looks_for) continue;
    if (how.is_over()) return;
    std::this_thread::sleep_for(std::chrono::microseconds{50});
  }
}

std::vector<cpu_pool::account> cpu_pool::take_accounts() {
  std::vector<account> all;
  for (spent_by_member& each : spent_) {
    all.push_back({elapsed(0, each.time), each.weight});
    each = {};
  }
  return all;
}

}  // namespace yoke::detail
