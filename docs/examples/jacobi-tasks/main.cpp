/// Jacobi's method for Poisson's equation, with a residual every 50 iterations, under a schedule or under
/// each of them in turn.
///
///   YOKE_CUS=2x1+1 YOKE_DEVICES=emulated:1 ./jacobi-tasks [n [iterations [blocks]]]
///   YOKE_CUS=2x1+1 YOKE_DEVICES=emulated:1 ./jacobi-tasks compare [n [iterations [blocks]]]
///
/// The first form checks itself against a serial solution, which it must equal exactly. The second one runs
/// every schedule five times by turns and says which share of the best one's rate each has reached.
#include "field.hpp"
#include "kernel.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <system_error>

namespace {

constexpr int every = 50, rounds = 5;

struct problem {
  int n = 2000;
  int iterations = 200;
  int blocks = 40;
};

struct solution {
  double seconds = 0;
  double residual = 0;  ///< of the last iteration that was looked at
  std::vector<double> values;
};

bool is_looked_at(int k, const problem& p) { return (k + 1) % every == 0 || k + 1 == p.iterations; }

solution solve(yoke::runtime& rt, yoke::task_loop& loop, const problem& p) {
  jacobi::field field{rt, p.n, p.blocks};
  solution found;
  const yoke::ticks begin = yoke::now();
  for (int k = 0; k < p.iterations; ++k) {
    rt.run(loop, [&](std::span<const yoke::task_id> batch) {
      for (const yoke::task_id task : batch) {
        field.bring_here(task, k);
        field.compute(task, k);
        if (is_looked_at(k, p)) field.find_residual(task, k);
      }
    });
    if (is_looked_at(k, p)) found.residual = field.residual();
  }
  found.seconds = yoke::elapsed(begin, yoke::now());
  found.values = field.gather(p.iterations);
  return found;
}

solution solve_serially(const problem& p) {
  const auto n = static_cast<std::size_t>(p.n);
  std::vector<double> now(n * n), next(n * n);
  for (std::size_t i = 0; i < n * n; ++i)
    now[i] = jacobi::initial(static_cast<std::int64_t>(i % n), static_cast<std::int64_t>(i / n));
  for (int k = 0; k < p.iterations; ++k) {
    for (std::size_t i = 0; i < n * n; ++i) {
      const std::size_t x = i % n, y = i / n;
      next[i] = jacobi::relax(x > 0 ? now[i - 1] : 0, x + 1 < n ? now[i + 1] : 0, y > 0 ? now[i - n] : 0,
                              y + 1 < n ? now[i + n] : 0);
    }
    now.swap(next);
  }
  double residual = 0;
  for (std::size_t i = 0; i < n * n; ++i) residual = std::max(residual, std::abs(now[i] - next[i]));
  return {.seconds = 0, .residual = residual, .values = std::move(now)};
}

yoke::workload work_of(yoke::runtime& rt, const problem& p) {
  const jacobi::field field{rt, p.n, p.blocks};
  return {.n_tasks = p.blocks,
          .weights = field.weights(),
          .bytes = field.bytes(),
          .name = "jacobi " + std::to_string(p.n),
          .passes = p.iterations};
}

int solve_once(const problem& p) {
  yoke::runtime rt;
  yoke::task_loop loop = rt.make_loop(work_of(rt, p));
  const solution found = solve(rt, loop, p);
  loop.print_schedule();
  loop.print_cu_times();
  const solution serial = solve_serially(p);
  const bool equal = found.values == serial.values && found.residual == serial.residual;
  std::printf("jacobi, %d x %d in %d blocks, %d iterations in %.3f s, residual %.6e: %s\n", p.n, p.n,
              p.blocks, p.iterations, found.seconds, found.residual,
              equal ? "equal to the serial solution" : "DIFFERS from the serial solution");
  return equal ? 0 : 1;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Each schedule begins anew in each round, as in a first run.
int compare(const problem& p) {
  yoke::runtime rt{{.profile = "none"}};
  const yoke::workload work = work_of(rt, p);
  std::vector<std::string> names;
  for (const yoke::scheduling::schedule_info& info : yoke::scheduling::all()) names.emplace_back(info.name);
  std::map<std::string, std::vector<double>> seconds;
  for (int round = 0; round < rounds; ++round) {
    for (const std::string& name : names) {
      yoke::task_loop loop = rt.make_loop(name, work);
      seconds[name].push_back(solve(rt, loop, p).seconds);
    }
    std::ranges::reverse(names);
  }
  const auto of_best =
      std::ranges::min_element(seconds, {}, [](const auto& one) { return median(one.second); });
  for (const auto& [name, times] : seconds) {
    std::vector<double> shares;
    for (std::size_t round = 0; round < times.size(); ++round)
      shares.push_back(of_best->second[round] / times[round]);
    std::printf("%-14s %8.3f s, share of the best (%s) %.3f\n", name.c_str(), median(times),
                of_best->first.c_str(), median(shares));
  }
  return 0;
}

int usage() {
  std::fputs("usage: jacobi-tasks [compare] [n [iterations [blocks]]], each at least 1, blocks at most n\n",
             stderr);
  return 2;
}

/// Whole numbers above 0; false for anything else.
bool read_numbers(int argc, char** argv, int first, problem& p) {
  int* const numbers[]{&p.n, &p.iterations, &p.blocks};
  if (argc - first > 3) return false;
  for (int i = first; i < argc; ++i) {
    char* end = nullptr;
    const long value = std::strtol(argv[i], &end, 10);
    if (*end != '\0' || value < 1 || value > 100'000) return false;
    *numbers[i - first] = static_cast<int>(value);
  }
  return p.blocks <= p.n;
}

}  // namespace

int main(int argc, char** argv) {
  problem p;
  const bool compares = argc > 1 && std::string{argv[1]} == "compare";
  if (!read_numbers(argc, argv, compares ? 2 : 1, p)) return usage();
  try {
    const int status = compares ? compare(p) : solve_once(p);
    if (std::fflush(stdout) != 0) throw std::system_error{errno, std::generic_category(), "stdout"};
    return status;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "jacobi-tasks: %s\n", problem.what());
    return 1;
  }
}
