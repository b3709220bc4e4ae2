// The same loop in libomp: what Yoke's dynamic is measured against.
#include "bench.hpp"

namespace {

double tasks_per_cu() { return static_cast<double>(bench::n_tasks) / bench::n_cus(); }

void omp_dynamic(benchmark::State& state) {
  bench::measure(state, tasks_per_cu(), [] {
    return bench::seconds_on_all_cus([](int) {
#pragma omp for schedule(dynamic, 1) nowait
      for (int task = 0; task < bench::n_tasks; ++task) benchmark::DoNotOptimize(task);
    });
  });
}

void omp_dynamic_monotonic(benchmark::State& state) {
  bench::measure(state, tasks_per_cu(), [] {
    return bench::seconds_on_all_cus([](int) {
#pragma omp for schedule(monotonic : dynamic, 1) nowait
      for (int task = 0; task < bench::n_tasks; ++task) benchmark::DoNotOptimize(task);
    });
  });
}

/// With a reading of the clock before and after each task, as Yoke's timing takes them.
void omp_dynamic_timed(benchmark::State& state) {
  bench::measure(state, tasks_per_cu(), [] {
    return bench::seconds_on_all_cus([](int) {
#pragma omp for schedule(dynamic, 1) nowait
      for (int task = 0; task < bench::n_tasks; ++task) {
        const yoke::ticks from = yoke::now();
        benchmark::DoNotOptimize(task);
        const yoke::ticks time = yoke::now() - from;
        benchmark::DoNotOptimize(time);
      }
    });
  });
}

void omp_task(benchmark::State& state) {
  bench::measure(state, tasks_per_cu(), [] {
    return bench::seconds_on_all_cus([](int) {
#pragma omp single
      for (int task = 0; task < bench::n_tasks; ++task) {
#pragma omp task firstprivate(task)
        benchmark::DoNotOptimize(task);
      }
    });
  });
}

}  // namespace

BENCHMARK(omp_dynamic)->UseManualTime()->Iterations(100);
BENCHMARK(omp_dynamic_monotonic)->UseManualTime()->Iterations(100);
BENCHMARK(omp_dynamic_timed)->UseManualTime()->Iterations(100);
BENCHMARK(omp_task)->UseManualTime()->Iterations(100);
