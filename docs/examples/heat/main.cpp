/// The heat equation on CPU and GPU CUs, checked against a serial solution, which it must equal exactly.
///
///   YOKE_CUS=1x1+1 YOKE_DEVICES=emulated:1 ./heat [short|explicit [steps]]
#include "blocks.hpp"
#include "kernel.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>

namespace {

constexpr int nx = 130, ny = 97, bx = 5, by = 3;  // blocks of different sizes

/// The short form: the runtime opens the region, and waits for a GPU CU's stream.
void step_short(yoke::runtime& rt, yoke::task_loop& loop, heat::grid& grid, int step) {
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const yoke::task_id task : batch) {
      heat::bring_here(grid.at(task), step);
      heat::compute(grid.at(task), step);
    }
  });
}

/// What one CU does in the explicit form (González & Morancho, Figure 9).
void run_tasks(yoke::task_loop& loop, heat::grid& grid, int step) {
  yoke::task_id task = loop.get_task();
  while (task != yoke::no_task) {
    heat::bring_here(grid.at(task), step);
    loop.execute_task(task);
    heat::compute(grid.at(task), step);
    if (yoke::cu::is_gpu()) yoke::cu::synchronize();
    loop.commit_task(task);
    task = loop.get_task();
  }
}

/// It is a function of its own because libomp starts at the top of a function with an OpenMP construct, and
/// must not start before the runtime is made. No exception may leave the region: the first one, of a device
/// that fails say, is thrown behind it.
void step_explicit(yoke::task_loop& loop, heat::grid& grid, int step) {
  std::exception_ptr failure;
#pragma omp parallel num_threads(yoke::cu::n_gpus() + yoke::cu::n_cpus())
  try {
    run_tasks(loop, grid, step);
  } catch (...) {
#pragma omp critical
    if (failure == nullptr) failure = std::current_exception();
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

std::vector<double> serial_solution(int steps) {
  std::vector<double> now(static_cast<std::size_t>(nx) * ny), next(now.size());
  const auto value = [&](int x, int y) {
    return x < 0 || y < 0 || x >= nx || y >= ny ? 0.0 : now[static_cast<std::size_t>(y) * nx + x];
  };
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) now[static_cast<std::size_t>(y) * nx + x] = heat::initial(x, y);
  }
  for (int step = 0; step < steps; ++step) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        next[static_cast<std::size_t>(y) * nx + x] =
            heat::advance(value(x, y), value(x - 1, y), value(x + 1, y), value(x, y - 1), value(x, y + 1));
      }
    }
    now.swap(next);
  }
  return now;
}

int run(bool explicit_form, int steps) {
  yoke::runtime rt;
  heat::grid grid{rt, nx, ny, bx, by};
  yoke::task_loop loop = rt.make_loop({.n_tasks = grid.n_blocks(), .weights = grid.weights()});
  for (int step = 0; step < steps; ++step) {
    if (explicit_form) {
      step_explicit(loop, grid, step);
    } else {
      step_short(rt, loop, grid, step);
    }
  }
  loop.print_schedule();
  loop.print_cu_times();
  const bool equal = grid.gather(steps) == serial_solution(steps);
  std::printf("heat, %s form, %d steps of %d blocks: %s\n", explicit_form ? "explicit" : "short", steps,
              grid.n_blocks(), equal ? "equal to the serial solution" : "DIFFERS from the serial solution");
  if (std::fflush(stdout) != 0) throw std::system_error{errno, std::generic_category(), "stdout"};
  return equal ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string form = argc > 1 ? argv[1] : "short";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 25;
  if ((form != "short" && form != "explicit") || steps < 1) {
    std::fprintf(stderr, "usage: heat [short|explicit [steps]], steps at least 1\n");
    return 2;
  }
  try {
    return run(form == "explicit", steps);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "heat: %s\n", problem.what());
    return 1;
  }
}
