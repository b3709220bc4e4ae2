#include "memory_limits.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <string>

#include <yoke/error.hpp>

namespace yoke::scheduling {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 2;

/// Puts one task after another where there is room.
class packer {
 public:
  packer(const workload& work, std::span<const unit> units)
      : work_{work}, limits_{work, units}, load_(units.size()), shares_(units.size()) {}

  void put(task_id task, unit_id unit) {
    limits_.take(task, unit);
    load_[index(unit)] += weight_of(work_, task);
    shares_[index(unit)].push_back(task);
  }

  /// The unit with room for `task` and the least work.
  std::optional<unit_id> unit_for(task_id task) const {
    std::optional<unit_id> best;
    for (int u = 0; u < static_cast<int>(load_.size()); ++u) {
      const unit_id candidate{u};
      if (limits_.fits(task, candidate) && (!best || load_[index(candidate)] < load_[index(*best)]))
        best = candidate;
    }
    return best;
  }

  bool relieve(unit_id unit);
  bool is_overfull(unit_id unit) const { return limits_.free_at(unit) < 0; }

  assignment shares() && {
    for (std::vector<task_id>& share : shares_) std::sort(share.begin(), share.end());
    return std::move(shares_);
  }

 private:
  void remove(task_id task, unit_id unit) {
    limits_.give_back(task, unit);
    load_[index(unit)] -= weight_of(work_, task);
    std::erase(shares_[index(unit)], task);
  }

  const workload& work_;
  memory_limits limits_;
  std::vector<double> load_;
  assignment shares_;
};

std::vector<task_id> largest_first(std::vector<task_id> tasks, const workload& work) {
  std::sort(tasks.begin(), tasks.end(), [&](task_id a, task_id b) {
    const std::size_t bytes_a = work.bytes[index(a)];
    const std::size_t bytes_b = work.bytes[index(b)];
    return bytes_a != bytes_b ? bytes_a > bytes_b : a < b;
  });
  return tasks;
}

/// Moves tasks of `unit` elsewhere until its space is no longer overfull; false when it still is.
bool packer::relieve(unit_id unit) {
  for (const task_id task : largest_first(shares_[index(unit)], work_)) {
    if (!is_overfull(unit)) break;
    if (const std::optional<unit_id> to = unit_for(task)) {
      remove(task, unit);
      put(task, *to);
    }
  }
  return !is_overfull(unit);
}

std::optional<assignment> repaired(const assignment& shares, const workload& work,
                                   std::span<const unit> units) {
  packer pack{work, units};
  for (std::size_t u = 0; u < shares.size(); ++u)
    for (const task_id task : shares[u]) pack.put(task, unit_id{static_cast<int>(u)});
  for (int u = 0; u < static_cast<int>(units.size()); ++u) pack.relieve(unit_id{u});
  for (int u = 0; u < static_cast<int>(units.size()); ++u)
    if (pack.is_overfull(unit_id{u})) return std::nullopt;
  return std::move(pack).shares();
}

std::optional<assignment> packed(const workload& work, std::span<const unit> units) {
  packer pack{work, units};
  for (const task_id task : largest_first(all_tasks(work.n_tasks), work)) {
    const std::optional<unit_id> to = pack.unit_for(task);
    if (!to) return std::nullopt;
    pack.put(task, *to);
  }
  return std::move(pack).shares();
}

[[noreturn]] void refuse(const workload& work, std::span<const unit> units, std::string_view schedule_name) {
  const std::size_t total = std::accumulate(work.bytes.begin(), work.bytes.end(), std::size_t{0});
  const std::size_t largest = *std::max_element(work.bytes.begin(), work.bytes.end());
  const memory_limits limits{work, units};
  std::string spaces;
  std::vector<space_id> seen;
  std::int64_t all_free = 0;
  for (int u = 0; u < static_cast<int>(units.size()); ++u) {
    const space_id space = units[static_cast<std::size_t>(u)].space;
    if (std::find(seen.begin(), seen.end(), space) != seen.end()) continue;
    seen.push_back(space);
    const std::int64_t free = limits.free_at(unit_id{u});
    spaces += fmt::format("{}space {} {}", spaces.empty() ? "" : ", ", static_cast<int>(space),
                          free == unlimited ? "unlimited" : fmt::format("{} bytes", free));
    all_free += std::min(free, unlimited - all_free);
  }
  throw out_of_memory{
      fmt::format("{}: {} tasks of {} bytes together (the largest {}) do not fit into the memory of the "
                  "units: {}; use more devices, CPU CUs or a smaller problem",
                  schedule_name, work.n_tasks, total, largest, spaces),
      total, static_cast<std::size_t>(all_free)};
}

}  // namespace

memory_limits::memory_limits(const workload& work, std::span<const unit> units)
    : bytes_(work.bytes.begin(), work.bytes.end()), gpu_bytes_{bytes_} {
  if (!bytes_.empty())
    for (std::size_t t = 0; t < work.gpu_bytes.size(); ++t)
      gpu_bytes_[t] += static_cast<std::int64_t>(work.gpu_bytes[t]);
  std::vector<space_id> spaces;
  for (const unit& u : units) {
    on_gpu_.push_back(u.kind == unit_kind::gpu ? 1 : 0);
    const auto known = std::find(spaces.begin(), spaces.end(), u.space);
    const auto slot = static_cast<std::size_t>(known - spaces.begin());
    if (known == spaces.end()) {
      spaces.push_back(u.space);
      free_.push_back(unlimited);
    }
    slot_of_.push_back(slot);
    if (u.memory > 0) free_[slot] = std::min(free_[slot], static_cast<std::int64_t>(u.memory));
  }
  any_ = can_be_met(units);
}

bool memory_limits::can_be_met(std::span<const unit> units) const {
  const auto all = [](const std::vector<std::int64_t>& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  };
  const std::int64_t on_cpus = all(bytes_), on_gpus = all(gpu_bytes_);
  for (std::size_t u = 0; u < units.size(); ++u)
    if ((on_gpu_[u] != 0 ? on_gpus : on_cpus) > free_[slot_of_[u]]) return true;
  return false;
}

std::optional<assignment> try_fit(assignment shares, const workload& work, std::span<const unit> units) {
  if (!memory_limits{work, units}.any()) return shares;
  if (std::optional<assignment> result = repaired(shares, work, units)) return result;
  return packed(work, units);
}

assignment fit_into_memory(assignment shares, const workload& work, std::span<const unit> units,
                           std::string_view schedule_name) {
  if (std::optional<assignment> result = try_fit(std::move(shares), work, units)) return *std::move(result);
  refuse(work, units, schedule_name);
}

}  // namespace yoke::scheduling
