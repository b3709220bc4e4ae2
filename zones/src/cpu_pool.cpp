#include "cpu_pool.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <yoke/detail/spin.hpp>

namespace yoke::detail {

cpu_pool::cpu_pool(std::vector<const compute_unit*> members, shared_order order)
    : members_{std::move(members)},
      order_{std::move(order)},
      spent_(members_.size()),
      at_(order_.neighbours.size()) {}

/// The number of launches where the zone has no more.
std::uint32_t cpu_pool::next_launch(const job& of, int zone, std::size_t from) {
  while (from < of.launches.size() && of.launches[from]->share_of[static_cast<std::size_t>(zone)] < 0) ++from;
  return static_cast<std::uint32_t>(from);
}

bool cpu_pool::is_ready(const claim& next) const {
  return std::ranges::all_of(order_.neighbours[static_cast<std::size_t>(next.zone)], [&](int each) {
    return at_[static_cast<std::size_t>(each)].load() / 2 >= next.launch;
  });
}

/// The zone that is behind most, of those that can go on; -1: none can.
cpu_pool::claim cpu_pool::find(const job& of, std::span<const int> among) const {
  claim best{-1, static_cast<std::uint32_t>(of.launches.size())};
  for (const int zone : among) {
    const std::uint32_t at = at_[static_cast<std::size_t>(zone)].load(std::memory_order_relaxed);
    const claim next{zone, at / 2};
    if (at % 2 == 0 && next.launch < best.launch && is_ready(next)) best = next;
  }
  return best;
}

/// One that is behind all of its own: who takes what others are about to do loses what is in its caches.
cpu_pool::claim cpu_pool::find_other(const job& of, std::size_t member) const {
  claim best{-1, static_cast<std::uint32_t>(of.launches.size())};
  std::uint32_t own = best.launch;
  for (const int zone : order_.zones_of[member])
    own = std::min(own, at_[static_cast<std::size_t>(zone)].load(std::memory_order_relaxed) / 2);
  for (std::size_t i = 1; i < members_.size(); ++i) {
    const claim next = find(of, order_.zones_of[(member + i) % members_.size()]);
    if (next.zone >= 0 && next.launch < std::min(best.launch, own)) best = next;
  }
  return best;
}

void cpu_pool::do_share(job& on, const claim& what, std::size_t member) {
  const shared_launch& of = *on.launches[what.launch];
  const auto share = static_cast<std::uint32_t>(of.share_of[static_cast<std::size_t>(what.zone)]);
  const ticks from = now();
  try {
    if (!on.has_failed) of.run(share, *members_[member]);
  } catch (...) {
    const std::lock_guard guard{on.lock};
    if (on.error == nullptr) on.error = std::current_exception();
    on.has_failed = true;
  }
  spent_[member].time += now() - from;
  spent_[member].weight += of.weights[share];
  at_[static_cast<std::size_t>(what.zone)] = 2 * next_launch(on, what.zone, what.launch + 1);
  --on.left;
}

/// Its own zones, then those of others. False where none can go on.
bool cpu_pool::work_on(job& on, std::size_t member) {
  claim next = find(on, order_.zones_of[member]);
  if (next.zone < 0) next = find_other(on, member);
  if (next.zone < 0) return false;
  std::uint32_t expected = 2 * next.launch;
  if (at_[static_cast<std::size_t>(next.zone)].compare_exchange_strong(expected, expected + 1))
    do_share(on, next, member);
  return true;
}

void cpu_pool::run(std::span<const shared_launch* const> launches) {
  job here{.launches = launches};
  for (const shared_launch* const each : launches) here.left += each->weights.size();
  if (here.left == 0) return;
  // Nobody is inside.
  for (std::size_t zone = 0; zone < at_.size(); ++zone)
    at_[zone] = 2 * next_launch(here, static_cast<int>(zone), 0);
  job_ = &here;
  ++jobs_;
  while (here.left != 0)
    if (!work_on(here, 0)) {
      const std::size_t seen = here.left;
      spin_until([&] { return here.left.load(std::memory_order_relaxed) != seen; });
    }
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
    const std::size_t left = next != nullptr ? next->left.load() : 0;
    if (next != nullptr && !has_worked && left != 0)
      spin_until([&] { return next->left.load(std::memory_order_relaxed) != left; });
    --inside_;
    if (has_worked) since = now();
    if (left != 0) continue;
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
  for (spent_by_member& each : spent_) {
    all.push_back({elapsed(0, each.time), each.weight});
    each = {};
  }
  return all;
}

}  // namespace yoke::detail
