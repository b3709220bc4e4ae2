#pragma once
/// What the measurements share.

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <chrono>
#include <span>

#include <yoke/yoke.hpp>

namespace bench {

/// What is measured, by file. All of it runs on the CUs of `rt`: two of CPUs, or one where there is one CPU
/// only.
void add_task_costs(yoke::runtime& rt);
void add_openmp_costs(yoke::runtime& rt);
void add_lookup_costs(yoke::runtime& rt);

/// Few enough that the records of tasks have cache lines of their own, enough to be long against a clock.
constexpr int n_tasks = 1 << 14;

/// One pass of all CUs.
struct round {
  double seconds = 0;      ///< from the first CU's start to the last one's end; the region itself left out
  long long most = 0;      ///< tasks of the CU that had most
  bool contended = false;  ///< each CU had a good part of the tasks, so they met each other
};

/// Runs `work(cu)`, which returns how many tasks it had, on so many CUs at once.
template <class Work>
round on_all_cus(int n_cus, const Work& work) {
  using clock = std::chrono::steady_clock;
  struct alignas(128) span {
    clock::time_point from, to;
    long long tasks = 0;
  };
  std::array<span, 2> spans;
#pragma omp parallel num_threads(n_cus)
  {
    const int cu = yoke::cu::cu_id();
#pragma omp barrier
    spans[cu].from = clock::now();
    spans[cu].tasks = work(cu);
    spans[cu].to = clock::now();
  }
  const auto used = std::span{spans}.first(static_cast<std::size_t>(n_cus));
  const auto from = std::ranges::min(used, {}, &span::from).from;
  const auto to = std::ranges::max(used, {}, &span::to).to;
  const auto [least, most] = std::ranges::minmax(used, {}, &span::tasks);
  return {std::chrono::duration<double>(to - from).count(), most.tasks, 3 * least.tasks >= most.tasks};
}

/// Measures one round after the other. The time shown is that of one task on one CU: where tasks are shared
/// out anew in each round, of an equal share. The best round is shown too, because a shared machine disturbs
/// upwards only; rounds in which one CU was away and the other met nobody count for it only where there were
/// no others.
enum class share { equal, of_the_busiest };
template <class Round>
void measure(benchmark::State& state, int n_cus, share by, const Round& do_round) {
  double best = 1, best_alone = 1;
  int contended = 0;
  for (auto _ : state) {
    const round done = do_round();
    const double tasks =
        by == share::equal ? static_cast<double>(n_tasks) / n_cus : static_cast<double>(done.most);
    const double each = done.seconds / tasks;
    state.SetIterationTime(each);
    if (done.contended) ++contended;
    double& of_its_kind = done.contended ? best : best_alone;
    of_its_kind = std::min(of_its_kind, each);
  }
  state.counters["best_ns"] = (contended > 0 ? best : best_alone) * 1e9;
  state.counters["contended"] = contended;
}

}  // namespace bench
