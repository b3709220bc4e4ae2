#include "mask_at_load.hpp"

#include <algorithm>
#include <errno.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <memory>
#include <sched.h>

#include <yoke/affinity.hpp>
#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>

namespace yoke {

namespace {

/// A mask with less room than the system has CPUs is refused with EINVAL; one with so much never.
constexpr int most_cpus = 1 << 20;

struct free_cpu_set {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

/// An affinity mask for CPUs 0 .. cpus-1. Of few CPUs it needs no memory of the heap.
class cpu_mask {
 public:
  explicit cpu_mask(int count) : bytes_{CPU_ALLOC_SIZE(count)} {
    if (count > CPU_SETSIZE) own_.reset(CPU_ALLOC(count));
    CPU_ZERO_S(bytes_, set());
  }
  cpu_set_t* set() { return own_ ? own_.get() : &small_; }
  void add(int cpu) { CPU_SET_S(cpu, bytes_, set()); }
  bool has(int cpu) { return CPU_ISSET_S(cpu, bytes_, set()); }
  int count() { return CPU_COUNT_S(bytes_, set()); }
  bool read() { return sched_getaffinity(0, bytes_, set()) == 0; }
  bool apply() { return sched_setaffinity(0, bytes_, set()) == 0; }

 private:
  std::size_t bytes_;
  cpu_set_t small_{};
  std::unique_ptr<cpu_set_t, free_cpu_set> own_;
};

/// Where the mask at load is not known: before main at least.
[[gnu::constructor(101)]] void capture_allowed_cpus() { allowed_cpus_at_start(); }

std::vector<int> cpus_at_load() {
  const std::span<const unsigned long> mask = detail::mask_at_load();
  constexpr int bits = std::numeric_limits<unsigned long>::digits;
  std::vector<int> cpus;
  for (int cpu = 0; cpu < bits * std::ssize(mask); ++cpu)
    if ((mask[static_cast<std::size_t>(cpu / bits)] >> (cpu % bits)) & 1) cpus.push_back(cpu);
  return cpus.empty() ? affinity_of_this_thread() : cpus;
}

detail::earlier_cpus& at_start() {
  static detail::earlier_cpus mask = [] {
    // Loaded anew, the library meets a thread that it has bound itself; in a child, one that its parent has.
    if (auto before = detail::cpus_before_binding()) return *before;
    return detail::earlier_cpus{cpus_at_load()};
  }();
  return mask;
}

}  // namespace

std::vector<int> allowed_cpus_at_start() { return at_start().cpus; }

void keep_to_cpus(std::vector<int> cpus) {
  std::ranges::sort(cpus);
  std::vector<int>& allowed = at_start().cpus;
  if (cpus.empty() || !std::ranges::includes(allowed, cpus))
    throw usage_error{fmt::format("keep_to_cpus: CPUs {{{}}}; some of {{{}}} are accepted",
                                  fmt::join(cpus, ","), fmt::join(allowed, ","))};
  if (!bind_this_thread(cpus))
    throw usage_error{fmt::format("keep_to_cpus: the system refuses CPUs {{{}}}", fmt::join(cpus, ","))};
  allowed = std::move(cpus);
}

void detail::leave_place_of_parent() {
  static const bool has_left = at_start().by_parent && bind_this_thread(at_start().cpus);
  static_cast<void>(has_left);
}

bool bind_this_thread(std::span<const int> cpus) noexcept {
  cpu_mask mask{std::ranges::max(cpus) + 1};
  for (const int cpu : cpus) mask.add(cpu);
  return mask.apply();
}

bool is_bound_to(std::span<const int> cpus) noexcept {
  for (int count = std::max(std::ranges::max(cpus) + 1, CPU_SETSIZE); count <= most_cpus; count *= 2) {
    cpu_mask mask{count};
    if (mask.read())
      return mask.count() == std::ssize(cpus) &&
             std::ranges::all_of(cpus, [&](int cpu) { return mask.has(cpu); });
    if (errno != EINVAL) return false;
  }
  return false;
}

bool is_on(std::span<const int> cpus) noexcept {
  return std::ranges::find(cpus, sched_getcpu()) != cpus.end();
}

void unbind_this_thread() {
  // The kernel refuses only when a cgroup has taken all of these CPUs away; the thread then stays where it
  // is.
  (void)bind_this_thread(at_start().cpus);
}

std::vector<int> affinity_of_this_thread() {
  for (int count = CPU_SETSIZE;; count *= 2) {
    cpu_mask mask{count};
    if (!mask.read()) {
      if (errno == EINVAL && count < most_cpus) continue;
      throw error{fmt::format("sched_getaffinity failed with errno {}", errno)};
    }
    std::vector<int> cpus;
    for (int cpu = 0; cpu < count; ++cpu) {
      if (mask.has(cpu)) cpus.push_back(cpu);
    }
    return cpus;
  }
}

}  // namespace yoke
