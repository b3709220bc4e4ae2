/// The cost of Yoke itself, beside libomp's on the same machine in the same run.
///
///   yoke-bench-schedulers [Google Benchmark's options]
#include "bench.hpp"
#include "record/record.hpp"

#include <cstdio>
#include <exception>

namespace bench {

// Google Benchmark hands a measurement its state and nothing else.
yoke::runtime& runtime() {
  static const bool two = yoke::topology::of_this_machine().usable_cpus(false).size() >= 2;
  static yoke::runtime one{yoke::runtime_options{.cus = yoke::sourced{two ? "2x1" : "1x1", "the benchmark"}}};
  return one;
}

}  // namespace bench

int main(int argc, char** argv) {
  try {
    bench::runtime();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "yoke-bench-schedulers: %s\n", problem.what());
    return 2;
  }
  // Google Benchmark takes texts only.
  benchmark::AddCustomContext("record", record::of_run(bench::runtime()).dump());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("yoke-bench-schedulers: stdout cannot be written: what was printed there is lost\n", stderr);
  return 1;
}
