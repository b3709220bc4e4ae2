// The same loop in libomp: what Yoke's dynamic is measured against.
#include "bench.hpp"

namespace {

/// `pass()` returns how many tasks the calling thread had.
template <class Pass>
void measure(benchmark::State& state, const Pass& pass) {
  bench::measure(state, bench::share::equal, [&] { return bench::on_all_cus([&](int) { return pass(); }); });
}

void omp_dynamic(benchmark::State& state) {
  measure(state, [] {
    long long n = 0;
#pragma omp for schedule(dynamic, 1) nowait
    for (int task = 0; task < bench::n_tasks; ++task) {
      benchmark::DoNotOptimize(task);
      ++n;
    }
    return n;
  });
}

void omp_dynamic_monotonic(benchmark::State& state) {
  measure(state, [] {
    long long n = 0;
#pragma omp for schedule(monotonic : dynamic, 1) nowait
    for (int task = 0; task < bench::n_tasks; ++task) {
      benchmark::DoNotOptimize(task);
      ++n;
    }
    return n;
  });
}

/// With a reading of the clock before and after each task, as Yoke's timing takes them.
void omp_dynamic_timed(benchmark::State& state) {
  measure(state, [] {
    long long n = 0;
#pragma omp for schedule(dynamic, 1) nowait
    for (int task = 0; task < bench::n_tasks; ++task) {
      const yoke::ticks from = yoke::now();
      benchmark::DoNotOptimize(task);
      const yoke::ticks time = yoke::now() - from;
      benchmark::DoNotOptimize(time);
      ++n;
    }
    return n;
  });
}

/// One thread makes the tasks, all run them.
void omp_task(benchmark::State& state) {
  struct alignas(128) counter {
    long long n = 0;
  };
  std::array<counter, 2> ran;
  bench::measure(state, bench::share::equal, [&] {
    ran = {};
    return bench::on_all_cus([&](int cu) {
#pragma omp single
      for (int task = 0; task < bench::n_tasks; ++task) {
#pragma omp task firstprivate(task) shared(ran)
        {
          benchmark::DoNotOptimize(task);
          ++ran[static_cast<std::size_t>(int{yoke::cu::cu_id()})].n;
        }
      }
      return ran[static_cast<std::size_t>(cu)].n;
    });
  });
}

}  // namespace

BENCHMARK(omp_dynamic)->UseManualTime()->Iterations(100);
BENCHMARK(omp_dynamic_monotonic)->UseManualTime()->Iterations(100);
BENCHMARK(omp_dynamic_timed)->UseManualTime()->Iterations(100);
BENCHMARK(omp_task)->UseManualTime()->Iterations(100);
