#include "cpu_pool.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <yoke/detail/spin.hpp>

namespace yoke::detail {

cpu_pool::cpu_pool(std::vector<const compute_unit*> members)
    : members_{std::move(members)}, states_(members_.size()) {}

/// The next share that is first `owner`'s; false where none is left.
bool cpu_pool::take_from(job& on, std::size_t owner, std::size_t member) {
  const std::vector<std::uint32_t>& own = on.shares[owner];
  if (states_[owner].next.load(std::memory_order_relaxed) >= own.size()) return false;
  const std::size_t at = states_[owner].next.fetch_add(1);
  if (at >= own.size()) return false;
  const std::uint32_t share = own[at];
  const ticks from = now();
  try {
    on.run(share, *members_[member]);
  } catch (...) {
    const std::lock_guard guard{on.lock};
    if (on.error == nullptr) on.error = std::current_exception();
  }
  states_[member].spent += now() - from;
  states_[member].weight += on.weights[share];
  on.done.fetch_add(1);
  return true;
}

/// Who has most shares left; the number of members where nobody has any.
std::size_t cpu_pool::busiest(const job& of) const {
  std::size_t found = members_.size(), most = 0;
  for (std::size_t owner = 0; owner < members_.size(); ++owner) {
    const std::size_t all = of.shares[owner].size(),
                      taken = states_[owner].next.load(std::memory_order_relaxed);
    if (all <= taken || all - taken <= most) continue;
    most = all - taken;
    found = owner;
  }
  return found;
}

/// Its own shares, then what others have left. False where there was nothing.
bool cpu_pool::work_on(job& on, std::size_t member) {
  bool has_worked = false;
  while (take_from(on, member, member)) has_worked = true;
  for (std::size_t owner = busiest(on); owner < members_.size(); owner = busiest(on))
    if (take_from(on, owner, member)) has_worked = true;
  return has_worked;
}

void cpu_pool::run(const shares_by_member& shares, std::span<const double> weights, const run_share& run) {
  job here{.shares = shares, .weights = weights, .run = run};
  for (const auto& each : shares) here.n += each.size();
  for (state& each : states_) each.next = 0;  // nobody is inside
  job_ = &here;
  ++jobs_;
  work_on(here, 0);
  while (here.done != here.n) spin_until([&] { return here.done.load(std::memory_order_relaxed) == here.n; });
  job_ = nullptr;
  while (inside_ != 0) spin_until([&] { return inside_.load(std::memory_order_relaxed) == 0; });
  if (here.error != nullptr) std::rethrow_exception(here.error);
}

void cpu_pool::help(std::size_t member, number with, const std::function<bool()>& is_over) {
  // A leader that waits for a device does so for about a step; then there is no hurry.
  constexpr seconds looks_for = 1e-3;
  ticks since = now();
  while (ended_.load() < with) {
    const std::uint64_t seen = jobs_;
    ++inside_;
    job* const next = job_;
    const bool has_worked = next != nullptr && work_on(*next, member);
    --inside_;
    if (has_worked) {
      since = now();
      continue;
    }
    const bool is_news = spin_until([&] {
      return jobs_.load(std::memory_order_relaxed) != seen || ended_.load(std::memory_order_relaxed) >= with;
    });
    if (is_news || elapsed(since, now()) < looks_for) continue;
    if (is_over()) return;
    std::this_thread::sleep_for(std::chrono::microseconds{50});
  }
}

std::vector<cpu_pool::account> cpu_pool::take_accounts() {
  std::vector<account> all;
  for (state& each : states_)
    all.push_back({elapsed(0, std::exchange(each.spent, 0)), std::exchange(each.weight, 0)});
  return all;
}

}  // namespace yoke::detail
