// The same loop in libomp: what Yoke's dynamic is measured against.
#include "bench.hpp"

namespace {

/// `pass()` returns how many tasks the calling thread had.
template <class Pass>
void measure(benchmark::State& state, int n_cus, const Pass& pass) {
  bench::measure(state, n_cus, bench::share::equal,
                 [&] { return bench::on_all_cus(n_cus, [&](int) { return pass(); }); });
}

void omp_dynamic(benchmark::State& state, int n_cus) {
  measure(state, n_cus, [] {
    long long n = 0;
#pragma omp for schedule(dynamic, 1) nowait
    for (int task = 0; task < bench::n_tasks; ++task) {
      benchmark::DoNotOptimize(task);
      ++n;
    }
    return n;
  });
}

void omp_dynamic_monotonic(benchmark::State& state, int n_cus) {
  measure(state, n_cus, [] {
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
void omp_dynamic_timed(benchmark::State& state, int n_cus) {
  measure(state, n_cus, [] {
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
void omp_task(benchmark::State& state, int n_cus) {
  struct alignas(128) counter {
    long long n = 0;
  };
  std::array<counter, 2> ran;
  bench::measure(state, n_cus, bench::share::equal, [&] {
    ran = {};
    return bench::on_all_cus(n_cus, [&](int cu) {
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

void bench::add_openmp_costs(yoke::runtime& rt) {
  const auto add = [n_cus = int{rt.units().size()}](const char* name, void (*work)(benchmark::State&, int)) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { work(state, n_cus); })
        ->UseManualTime()
        ->Iterations(100);
  };
  add("omp_dynamic", omp_dynamic);
  add("omp_dynamic_monotonic", omp_dynamic_monotonic);
  add("omp_dynamic_timed", omp_dynamic_timed);
  add("omp_task", omp_task);
}
