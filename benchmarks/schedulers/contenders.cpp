// Yoke and libomp.
#include "contender.hpp"

#include <benchmark/benchmark.h>
#include <memory>

#include <yoke/task_loop.hpp>

namespace bench {

void compute(int iterations) {
  // A task of this thread cannot begin before the last one ends. Not an argument, for each contender would
  // find it in its own way, by the number of a thread, CU or worker, and that would be measured too.
  thread_local double value = 1;
  for (int i = 0; i < iterations; ++i) {
    value = value * 1.0000001 + 1e-9;
    benchmark::DoNotOptimize(value);
  }
}

namespace {

contender by_schedule(yoke::runtime& rt, const std::string& schedule) {
  return {"yoke " + schedule, [&rt, schedule](const grain& of) -> pass {
            auto loop = std::make_shared<yoke::task_loop>(rt.make_loop(schedule, {.n_tasks = of.tasks}));
            return [&rt, loop, of] {
              rt.run(*loop, [&](std::span<const yoke::task_id> batch) {
                for (std::size_t i = 0; i < batch.size(); ++i) compute(of.iterations);
              });
            };
          }};
}

void omp_static(const grain& of, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int task = 0; task < of.tasks; ++task) compute(of.iterations);
}

void omp_dynamic(const grain& of, int threads) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int task = 0; task < of.tasks; ++task) compute(of.iterations);
}

/// One thread makes the tasks, all run them.
void omp_tasks(const grain& of, int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int task = 0; task < of.tasks; ++task) {
#pragma omp task firstprivate(of)
    compute(of.iterations);
  }
}

contender by_openmp(const std::string& name, int threads, void (*run)(const grain&, int)) {
  return {name, [=](const grain& of) -> pass { return [=] { run(of, threads); }; }};
}

}  // namespace

std::vector<contender> of_yoke(yoke::runtime& rt) {
  return {by_schedule(rt, "static"), by_schedule(rt, "dynamic"), by_schedule(rt, "memorizing")};
}

std::vector<contender> of_openmp(int threads) {
  return {by_openmp("libomp static", threads, omp_static), by_openmp("libomp dynamic", threads, omp_dynamic),
          by_openmp("libomp tasks", threads, omp_tasks)};
}

}  // namespace bench
