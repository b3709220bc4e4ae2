// The program that a user writes first: a runtime at the top of a main which has OpenMP constructs of its
// own, so that libomp starts before the runtime is made.
#include <cstdio>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/yoke.hpp>

int main(int, char** argv) {
  yoke::runtime rt{argv[1]};
  std::vector<double> x(1000, 1.0);
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 2;

  auto loop = rt.make_loop("static", {.n_tasks = 100});
  int wrong = 0;
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    const int threads = yoke::cu::n_inner_cpus();
    const yoke::place& cpus = rt.units().calling().cpus;
    int elsewhere = 0, present = 0;
#pragma omp parallel num_threads(threads) reduction(+ : elsewhere, present)
    {
      elsewhere += yoke::is_bound_to(cpus) ? 0 : 1;
      present += 1;
    }
    if (elsewhere != 0 || present != threads) {
#pragma omp atomic
      wrong += 1;
    }
    for (const yoke::task_id task : batch)
      for (int i = 0; i < 10; ++i) x[static_cast<std::size_t>(10 * task + i)] += 1;
  });

  // The program's own region finds the threads where the run has left them, whatever OMP_PROC_BIND says.
#pragma omp parallel num_threads(yoke::cu::n_cus()) reduction(+ : wrong)
  wrong += yoke::is_bound_to(rt.units().calling().cpus) ? 0 : 1;

  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i];
  std::printf("sum %g, %d batches or threads on wrong CPUs, %lld threads put back\n", sum, wrong,
              rt.thread_placement().mended);
  return sum == 3000 && wrong == 0 && rt.thread_placement().mended == 0 ? 0 : 1;
}
