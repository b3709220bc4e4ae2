/// A thread with a team of its own, beside a run: it counts primes by OpenMP on the CPUs that no compute unit
/// has.
///
///   YOKE_CUS=1x1 ./beside
#include <cstdio>
#include <exception>
#include <future>
#include <omp.h>
#include <vector>

#include <yoke/bind_team.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int n_tasks = 64, last = 100'000, primes_below = 9592;

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

struct count {
  int primes = 0, threads = 0;
};

/// As a library would that knows nothing of the run.
count count_primes() {
  int primes = 0, threads = 0;
#pragma omp parallel reduction(+ : primes)
  {
#pragma omp single nowait
    threads = omp_get_num_threads();
#pragma omp for schedule(dynamic, 1000)
    for (int n = 0; n < last; ++n) primes += is_prime(n) ? 1 : 0;
  }
  return {primes, threads};
}

/// CPUs of the units for the program. For the component whole cores that are left, else the CPUs that are;
/// the last one for both where none is.
yoke::hosting deal_out(const yoke::runtime& rt) {
  std::vector<int> cpus;
  for (const yoke::compute_unit& unit : rt.units().all())
    cpus.insert(cpus.end(), unit.cpus.begin(), unit.cpus.end());
  const yoke::hosted component = yoke::hosted::component(0);
  yoke::hosting cores;
  cores.assign_cpus(yoke::hosted::main(), cpus);
  if (!cores.free_cores().empty())
    cores.assign_free_cores(component);
  else if (!cores.free_cpus().empty())
    cores.assign_free_cpus(component);
  else
    cores.assign_cpus(component, {cpus.back()});
  return cores;
}

int run() {
  yoke::runtime rt;
  const yoke::hosting cores = deal_out(rt);
  std::future<count> beside = std::async(std::launch::async, [&] {
    yoke::bind_team(cores, yoke::hosted::component(0));  // this thread, and the team of its regions
    return count_primes();
  });
  std::vector<int> done(n_tasks);
  yoke::task_loop loop = rt.make_loop({.n_tasks = n_tasks});
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const int task : batch) ++done[task];
  });
  const count found = beside.get();
  const bool is_right = found.primes == primes_below && done == std::vector<int>(n_tasks, 1) &&
                        found.threads == static_cast<int>(cores.cpus_of(yoke::hosted::component(0)).size());
  std::printf("%d primes by %d threads beside %d units: %s\n", found.primes, found.threads, rt.units().size(),
              is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

}  // namespace

int main() try { return run(); } catch (const std::exception& problem) {
  std::fprintf(stderr, "beside: %s\n", problem.what());
  return 1;
}
