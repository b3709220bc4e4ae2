/// Efficiency against the size of tasks, of Yoke beside libomp and StarPU on the same CPUs in one run.
///
///   yoke-bench-task-size [--cus NxM] [--seconds S] [--repetitions N] [--sizes N] [--json FILE]
///
/// Efficiency: time that the tasks take one CPU alone / (CUs * time of the pass). METG(50%) is the smallest
/// size with which half is reached (Slaughter et al., Task Bench, SC 2020).
#include "contender.hpp"
#include "program/command_line.hpp"
#include "record/record.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/yoke.hpp>

namespace {

using record::ordered_json;

struct arguments {
  std::string cus;
  double seconds = 0.01;  ///< of a pass, about
  int repetitions = 15;
  int sizes = 14;
  std::string json_file;
};

constexpr int smallest = 16, least_tasks_of_cu = 8, most_tasks_of_cu = 1 << 15;

template <class Work>
double time_of(const Work& work) {
  const yoke::ticks from = yoke::now();
  work();
  return yoke::elapsed(from, yoke::now());
}

/// Of one iteration on a CPU that does nothing else: the best of several, since disturbances only delay.
double iteration_time() {
  constexpr int iterations = 1 << 20;
  double best = 1;
  for (int n = 0; n < 10; ++n)
    best = std::min(best, time_of([] { bench::compute(iterations); }) / iterations);
  return best;
}

bench::grain grain_of(int size, double iteration, int n_cus, double seconds) {
  const int iterations = smallest << size;
  const double tasks = seconds / (iterations * iteration);
  const int of_cu = std::clamp(static_cast<int>(tasks), least_tasks_of_cu, most_tasks_of_cu);
  return {of_cu * n_cus, iterations};
}

struct point {
  bench::grain of;
  std::vector<double> seconds;  ///< of the passes
};

struct series {
  std::string name;
  std::vector<point> points;
};

point measure(const bench::contender& who, const bench::grain& of, int repetitions) {
  const bench::pass run = who.prepare(of);
  run();
  point found{of, {}};
  for (int n = 0; n < repetitions; ++n) found.seconds.push_back(time_of(run));
  return found;
}

/// Of each size all contenders, one after the other, so that what disturbs the machine meets them all.
std::vector<series> measure_all(const std::vector<bench::contender>& all, const arguments& in,
                                double iteration, int n_cus) {
  std::vector<series> found;
  for (const bench::contender& who : all) found.push_back({who.name, {}});
  for (int size = 0; size < in.sizes; ++size)
    for (std::size_t n = 0; n < all.size(); ++n)
      found[n].points.push_back(
          measure(all[n], grain_of(size, iteration, n_cus, in.seconds), in.repetitions));
  return found;
}

double efficiency(const point& at, double seconds, double iteration, int n_cus) {
  return at.of.tasks * (at.of.iterations * iteration) / (n_cus * seconds);
}
double best_efficiency(const point& at, double iteration, int n_cus) {
  return efficiency(at, std::ranges::min(at.seconds), iteration, n_cus);
}

/// Seconds of the smallest task with which half is reached from there on, between two sizes by their
/// logarithms.
std::optional<double> metg(const series& of, double iteration, int n_cus) {
  std::optional<double> size;
  for (std::size_t i = of.points.size(); i-- > 0;) {
    const double here = best_efficiency(of.points[i], iteration, n_cus);
    const double seconds = of.points[i].of.iterations * iteration;
    if (here < 0.5) {
      if (!size) return std::nullopt;
      const double above = best_efficiency(of.points[i + 1], iteration, n_cus);
      return seconds * std::pow(2.0, (0.5 - here) / (above - here));
    }
    size = seconds;
  }
  return size;
}

void print(const std::vector<series>& all, double iteration, int n_cus) {
  fmt::print("{:<16} {:>12}  efficiency by size of a task\n{:<16} {:>12} ", "", "METG(50%)", "", "");
  for (const point& at : all.front().points) fmt::print(" {:>7.2g}us", at.of.iterations * iteration * 1e6);
  fmt::print("\n");
  for (const series& each : all) {
    const auto size = metg(each, iteration, n_cus);
    fmt::print("{:<16} {:>12} ", each.name, size ? fmt::format("{:.3g} us", *size * 1e6) : "-");
    for (const point& at : each.points) fmt::print(" {:>9.3f}", best_efficiency(at, iteration, n_cus));
    fmt::print("\n");
  }
}

ordered_json as_json(const series& of, double iteration, int n_cus) {
  ordered_json points = ordered_json::array();
  for (const point& at : of.points)
    points.push_back({{"task_s", at.of.iterations * iteration},
                      {"tasks", at.of.tasks},
                      {"efficiency", best_efficiency(at, iteration, n_cus)},
                      {"seconds", at.seconds}});
  const auto size = metg(of, iteration, n_cus);
  return {
      {"name", of.name}, {"metg_s", size ? ordered_json(*size) : ordered_json(nullptr)}, {"points", points}};
}

void write(const std::string& path, const yoke::runtime& rt, const std::vector<series>& all,
           double iteration) {
  ordered_json out{{"schema", "yoke-task-size/1"},
                   {"record", record::of_run(rt)},
                   {"cus", rt.units().shape().text()},
                   {"iteration_s", iteration},
                   {"series", ordered_json::array()}};
  for (const series& each : all) out["series"].push_back(as_json(each, iteration, rt.units().size()));
  record::write_json(path, out);
}

std::vector<bench::contender> all_contenders(yoke::runtime& rt) {
  std::vector<bench::contender> all = bench::of_yoke(rt);
  for (const auto& more :
       {bench::of_groups(rt), bench::of_openmp(rt.units().size()), bench::of_starpu(rt.units().size())})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

void run(const arguments& in) {
  yoke::runtime_options options{.devices = "none"};
  if (!in.cus.empty()) options.cus = yoke::sourced{in.cus, "--cus"};
  yoke::runtime rt{options};
  const yoke::configuration shape = rt.units().shape();
  if (shape.cpus_per_unit != 1 || shape.gpu_units > 0)
    throw yoke::config_error{fmt::format("{}: CPU CUs of one CPU each are compared, as 2x1", shape.text())};
  const double iteration = iteration_time();
  const std::vector<series> found = measure_all(all_contenders(rt), in, iteration, rt.units().size());
  print(found, iteration, rt.units().size());
  if (!in.json_file.empty()) write(in.json_file, rt, found, iteration);
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  bench::command_line app{
      "yoke-bench-task-size",
      "Efficiency against the size of tasks: Yoke beside libomp and, where it was found, StarPU."};
  app.add("--cus", in.cus, "CPU compute units, Nx1 (default: each CPU)");
  app.add("--seconds", in.seconds, "of a pass, about", bench::between(1e-6, 3600.0));
  app.add("--repetitions", in.repetitions, "passes of each size", bench::between(1, 10000));
  app.add("--sizes", in.sizes, "sizes of a task, each twice the one before", bench::between(1, 20));
  app.add("--json", in.json_file, "also write the figures to this file");
  return app.run(argc, argv, [&] {
    run(in);
    return 0;
  });
}
