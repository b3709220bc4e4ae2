/// The cost of Yoke itself, beside libomp's on the same machine in the same run.
///
///   yoke-bench-schedulers [Google Benchmark's options]
#include "bench.hpp"
#include "record/record.hpp"

#include <cstdio>
#include <exception>

#include <yoke/text.hpp>

namespace {

yoke::runtime_options on_two_cpus() {
  const bool two = yoke::topology::of_this_machine().usable_cpus(false).size() >= 2;
  return {.cus = yoke::sourced{two ? "2x1" : "1x1", "the benchmark"}};
}

/// Whether the command line was understood.
bool measure(int argc, char** argv) {
  yoke::runtime rt{on_two_cpus()};
  bench::add_task_costs(rt);
  bench::add_openmp_costs(rt);
  bench::add_lookup_costs(rt);
  // Google Benchmark takes texts only.
  benchmark::AddCustomContext("record", yoke::detail::json_text(record::of_run(rt)));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return false;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (!measure(argc, argv)) return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "yoke-bench-schedulers: %s\n", problem.what());
    return 2;
  }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("yoke-bench-schedulers: stdout cannot be written: what was printed there is lost\n", stderr);
  return 1;
}
