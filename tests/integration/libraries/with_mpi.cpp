// A program of MPI: each process has compute units on the CPUs that its launcher gave it.
//   mpirun -n 2 with_mpi CUS
#include "census.hpp"

#include <algorithm>
#include <atomic>
#include <mpi.h>

#include <yoke/affinity.hpp>

namespace {

constexpr int tasks = 100, most_cpus = 1024;

/// How many CPUs compute units of several processes have.
int shared_cpus(const yoke::runtime& rt) {
  std::vector<int> uses(most_cpus);
  for (const yoke::compute_unit& unit : rt.units().all())
    for (const int cpu : unit.cpus) ++uses[static_cast<std::size_t>(cpu)];
  MPI_Allreduce(MPI_IN_PLACE, uses.data(), most_cpus, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return static_cast<int>(std::ranges::count_if(uses, [](int each) { return each > 1; }));
}

int sum_of_all(yoke::runtime& rt) {
  auto loop = rt.make_loop("dynamic", {.n_tasks = tasks});
  std::atomic<int> sum{0};
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    if (!yoke::is_bound_to(rt.units().calling().cpus)) return;
    for (const int task : batch) sum += task;
  });
  int mine = sum, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  bool right = false;
  {
    yoke::runtime rt{argv[1]};
    const int shared = shared_cpus(rt), sum = sum_of_all(rt);
    right = shared == 0 && sum == size * tasks * (tasks - 1) / 2;
    std::printf("rank %d of %d: sum %d, %d CPUs shared by ranks, OMP_PLACES %s\n", rank, size, sum, shared,
                std::getenv("OMP_PLACES"));
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
