#pragma once
/// What the measurements share.

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <chrono>
#include <optional>

#include <yoke/yoke.hpp>

namespace bench {

/// All measurements run on two CPU CUs, or on one where there is one CPU only.
yoke::runtime& runtime();
inline int n_cus() { return runtime().units().size(); }

/// Few enough that the records of tasks have cache lines of their own, enough to be long against a clock.
constexpr int n_tasks = 1 << 14;

/// Runs `work(cu)` on all CUs at once and returns the seconds of the slowest, start and end of the region
/// left out.
template <class Work>
double seconds_on_all_cus(const Work& work) {
  using clock = std::chrono::steady_clock;
  struct alignas(128) span {
    clock::time_point from, to;
  };
  std::array<span, 2> spans;
#pragma omp parallel num_threads(n_cus())
  {
    const int cu = yoke::cu::cu_id();
#pragma omp barrier
    spans[cu].from = clock::now();
    work(cu);
    spans[cu].to = clock::now();
  }
  auto from = spans[0].from;
  auto to = spans[0].to;
  for (int cu = 1; cu < n_cus(); ++cu) {
    from = std::min(from, spans[cu].from);
    to = std::max(to, spans[cu].to);
  }
  return std::chrono::duration<double>(to - from).count();
}

/// Measures one round after the other: `round()` returns its seconds, in which each CU did `tasks_per_cu`.
/// The time shown is that of one task on one CU; the best round is shown too, because a shared machine
/// disturbs upwards only.
template <class Round>
void measure(benchmark::State& state, double tasks_per_cu, const Round& round) {
  double best = 1;
  for (auto _ : state) {
    const double each = round() / tasks_per_cu;
    best = std::min(best, each);
    state.SetIterationTime(each);
  }
  state.counters["best_ns"] = best * 1e9;
}

}  // namespace bench
