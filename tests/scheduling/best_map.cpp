/// The best map of a machine: exact for tasks that are alike, else by longest-first, by filling units up to
/// a time that is bisected, and by moves and exchanges from there.

#include "machines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace machines {

namespace {

constexpr seconds never = std::numeric_limits<seconds>::infinity();

/// Tasks put on units.
class placing {
 public:
  explicit placing(const machine& on)
      : on_{&on}, weight_(on.units.size()), count_(on.units.size()), bytes_(on.units.size()) {}

  seconds finish(std::size_t u) const { return finish(u, weight_[u], count_[u]); }
  seconds finish_with(std::size_t u, double weight) const {
    return finish(u, weight_[u] + weight, count_[u] + 1);
  }
  seconds finish_exchanging(std::size_t u, double less, double more) const {
    return finish(u, weight_[u] - less + more, count_[u]);
  }
  seconds finish_without(std::size_t u, double weight) const {
    return finish(u, weight_[u] - weight, count_[u] - 1);
  }
  bool fits(int task, std::size_t u, std::size_t leaving = 0) const {
    return on_->units[u].memory == 0 || bytes_[u] + bytes_of(task) <= on_->units[u].memory + leaving;
  }
  std::size_t bytes_of(int task) const {
    return on_->work.bytes.empty() ? 0 : on_->work.bytes[static_cast<std::size_t>(task)];
  }
  double weight_of(int task) const { return yoke::weight_of(on_->work, task_id{task}); }
  void put(int task, std::size_t u) { change(task, u, 1); }
  void take(int task, std::size_t u) { change(task, u, -1); }
  seconds makespan() const { return finish(latest()); }
  std::size_t latest() const {
    std::size_t late = 0;
    for (std::size_t u = 1; u < weight_.size(); ++u)
      if (finish(u) > finish(late)) late = u;
    return late;
  }

 private:
  seconds finish(std::size_t u, double weight, int count) const {
    const int launches = on_->is_gpu(u) ? std::min(count, 1) : count;
    return count == 0 ? 0 : launches * on_->speeds[u].launch + on_->speeds[u].per_weight * weight;
  }
  void change(int task, std::size_t u, int sign) {
    weight_[u] += sign * weight_of(task);
    count_[u] += sign;
    bytes_[u] += static_cast<std::size_t>(sign) * bytes_of(task);
  }

  const machine* on_;
  std::vector<double> weight_;
  std::vector<int> count_;
  std::vector<std::size_t> bytes_;
};

struct map {
  placing at;
  std::vector<std::size_t> unit_of;
};

std::vector<int> longest_first(const machine& on) {
  std::vector<int> tasks(static_cast<std::size_t>(on.work.n_tasks));
  std::iota(tasks.begin(), tasks.end(), 0);
  std::ranges::sort(tasks, {}, [&](int task) { return std::pair{-weight_of(on.work, task_id{task}), task}; });
  return tasks;
}

map first_finished(const machine& on, std::span<const int> tasks, std::span<const std::size_t> units) {
  map made{placing{on}, std::vector<std::size_t>(tasks.size())};
  for (const int task : tasks) {
    std::size_t best = 0;
    seconds earliest = never;
    for (const std::size_t u : units) {
      const seconds end = made.at.finish_with(u, made.at.weight_of(task));
      if (end < earliest && made.at.fits(task, u)) {
        earliest = end;
        best = u;
      }
    }
    made.at.put(task, best);
    made.unit_of[static_cast<std::size_t>(task)] = best;
  }
  return made;
}

/// The longest tasks to the slowest unit that has time for them: each unit filled up to `limit`.
bool fill(const machine& on, std::span<const int> tasks, std::span<const std::size_t> units, seconds limit,
          map& made) {
  made = {placing{on}, std::vector<std::size_t>(tasks.size())};
  for (const int task : tasks) {
    const auto to = std::ranges::find_if(units, [&](std::size_t u) {
      return made.at.finish_with(u, made.at.weight_of(task)) <= limit && made.at.fits(task, u);
    });
    if (to == units.end()) return false;
    made.at.put(task, *to);
    made.unit_of[static_cast<std::size_t>(task)] = *to;
  }
  return true;
}

map filled(const machine& on, std::span<const int> tasks, std::span<const std::size_t> units, seconds bound,
           map best) {
  seconds low = bound, high = best.at.makespan();
  map trial{placing{on}, {}};
  for (int step = 0; step < 14 && high - low > 1e-3 * low; ++step) {
    const seconds middle = (low + high) / 2;
    if (fill(on, tasks, units, middle, trial)) {
      high = std::min(middle, trial.at.makespan());
      best = trial;
    } else {
      low = middle;
    }
  }
  return best;
}

/// Moves a task of the latest unit, or exchanges it for one of another unit, so that both are earlier.
bool improve(map& of, const machine& on) {
  const std::size_t late = of.at.latest();
  const seconds now = of.at.finish(late) * (1 - 1e-9);
  const int n = on.work.n_tasks;
  for (int task = 0; task < n; ++task) {
    if (of.unit_of[static_cast<std::size_t>(task)] != late) continue;
    const double weight = of.at.weight_of(task);
    for (std::size_t u = 0; u < on.units.size(); ++u)
      if (u != late && of.at.fits(task, u) && of.at.finish_with(u, weight) < now) {
        of.at.take(task, late);
        of.at.put(task, u);
        of.unit_of[static_cast<std::size_t>(task)] = u;
        return true;
      }
    for (int other = 0; other < n; ++other) {
      const std::size_t u = of.unit_of[static_cast<std::size_t>(other)];
      const double back = of.at.weight_of(other);
      if (u == late || of.at.finish_exchanging(late, weight, back) >= now ||
          of.at.finish_exchanging(u, back, weight) >= now || !of.at.fits(task, u, of.at.bytes_of(other)) ||
          !of.at.fits(other, late, of.at.bytes_of(task)))
        continue;
      of.at.take(task, late), of.at.put(task, u);
      of.at.take(other, u), of.at.put(other, late);
      std::swap(of.unit_of[static_cast<std::size_t>(task)], of.unit_of[static_cast<std::size_t>(other)]);
      return true;
    }
  }
  return false;
}

/// The time in which all units together could do the work if tasks could be cut.
bool is_enough(const machine& on, seconds time, double all, double largest) {
  double done = 0;
  bool takes_largest = false;
  for (std::size_t u = 0; u < on.units.size(); ++u) {
    const speed& s = on.speeds[u];
    const bool gpu = on.is_gpu(u);
    const double launches = gpu ? s.launch : s.launch / largest;  // a CPU CU launches once for each task
    done += gpu ? std::max(0.0, (time - s.launch) / s.per_weight) : time / (s.per_weight + launches);
    takes_largest = takes_largest || s.launch + s.per_weight * largest <= time;
  }
  return takes_largest && done >= all;
}

seconds lower_bound(const machine& on) {
  double all = 0, largest = 0;
  for (int t = 0; t < on.work.n_tasks; ++t) {
    all += weight_of(on.work, task_id{t});
    largest = std::max(largest, weight_of(on.work, task_id{t}));
  }
  seconds low = 0, high = 1e-9;
  while (!is_enough(on, high, all, largest)) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const seconds middle = (low + high) / 2;
    (is_enough(on, middle, all, largest) ? high : low) = middle;
  }
  return low;
}

/// How many equal tasks a unit does in `time`.
double count_within(const machine& on, std::size_t u, seconds time) {
  const speed& s = on.speeds[u];
  const double weight = weight_of(on.work, task_id{0});
  const double each = s.per_weight * weight + (on.is_gpu(u) ? 0 : s.launch);
  const double tasks = std::floor((time - (on.is_gpu(u) ? s.launch : 0)) / each * (1 + 1e-12));
  const bool limited = on.units[u].memory > 0 && !on.work.bytes.empty();
  const double most =
      limited ? std::floor(static_cast<double>(on.units[u].memory) / static_cast<double>(on.work.bytes[0]))
              : on.work.n_tasks;
  return std::clamp(tasks, 0.0, most);
}

seconds best_of_equal(const machine& on, seconds bound) {
  const auto is_enough = [&](seconds time) {
    double tasks = 0;
    for (std::size_t u = 0; u < on.units.size(); ++u) tasks += count_within(on, u, time);
    return tasks >= on.work.n_tasks;
  };
  seconds low = bound / 2, high = bound;
  while (!is_enough(high)) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const seconds middle = (low + high) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

/// All CPU CUs with 0, 1, 2 … GPU CUs, slowest first.
std::vector<std::vector<std::size_t>> sets_of_units(const machine& on) {
  std::vector<std::size_t> cpus, gpus;
  for (std::size_t u = 0; u < on.units.size(); ++u) (on.is_gpu(u) ? gpus : cpus).push_back(u);
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t n = 0; n <= gpus.size(); ++n) {
    sets.push_back(cpus);
    sets.back().insert(sets.back().end(), gpus.begin(), gpus.begin() + static_cast<std::ptrdiff_t>(n));
    std::ranges::sort(sets.back(), {}, [&](std::size_t u) { return std::pair{-on.speeds[u].per_weight, u}; });
  }
  return sets;
}

}  // namespace

best_pass best_of(const machine& on) {
  best_pass best{.found = never, .bound = lower_bound(on)};
  if (on.work.weights.empty()) {
    best.found = best_of_equal(on, best.bound);
    return best;
  }
  const std::vector<int> tasks = longest_first(on);
  for (const std::vector<std::size_t>& units : sets_of_units(on)) {
    const map greedy = first_finished(on, tasks, units);
    for (map made : {greedy, filled(on, tasks, units, best.bound, greedy)}) {
      for (int step = 0; step < 300 && made.at.makespan() > 1.003 * best.bound; ++step)
        if (!improve(made, on)) break;
      best.found = std::min(best.found, made.at.makespan());
    }
  }
  return best;
}

}  // namespace machines
