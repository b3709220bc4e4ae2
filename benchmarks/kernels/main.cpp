/// What this machine can do, and how much of it the phases of the host solvers get.
#include "common/pack_width.hpp"
#include "common/problem.hpp"
#include "machine.hpp"
#include "phase_needs.hpp"
#include "phases.hpp"
#include "program/command_line.hpp"
#include "record/record.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

namespace {

using json = nlohmann::ordered_json;

struct arguments {
  std::string class_letter = "A";
  int threads = omp_get_max_threads();
  int steps = 20;
  std::string json_file;
};

struct ceilings {
  double memory = 0;  ///< triad, arrays as large as all fields of the class, bytes per second
  double flops = 0;
};

std::size_t bytes_of_fields(const npb::problem& what) {
  std::size_t doubles = 0;
  for (const npb::zone& z : what.zones) doubles += 3 * z.shape.field_size();
  return doubles * sizeof(double);
}

ceilings measure_machine(const arguments& in, json& out) {
  const npb::problem sp = npb::make_problem(npb::benchmark_kind::sp, in.class_letter.front());
  const std::size_t as_fields = bytes_of_fields(sp) / static_cast<std::size_t>(in.threads);
  const ceilings top{kernels::triad(in.threads, as_fields), kernels::fma_rate(in.threads)};
  const double cached = kernels::triad(in.threads, 384 << 10), far = kernels::triad(in.threads, 192 << 20);
  fmt::print("{} threads, packs of {} doubles\n", in.threads, npb::has_packs_of_eight() ? 8 : 4);
  fmt::print("triad: 384 KiB a thread {:.1f} GB/s, {} MiB (as class {}) {:.1f} GB/s, 192 MiB {:.1f} GB/s\n",
             cached / 1e9, as_fields >> 20, in.class_letter, top.memory / 1e9, far / 1e9);
  fmt::print("fma: {:.1f} GFLOP/s\n\n", top.flops / 1e9);
  out["triad_gbs"] = {{"cached", cached / 1e9}, {"as_the_class", top.memory / 1e9}, {"far", far / 1e9}};
  out["fma_gflops"] = top.flops / 1e9;
  return top;
}

void measure_phases(npb::benchmark_kind kind, const arguments& in, const ceilings& top, json& out) {
  const npb::problem what = npb::make_problem(kind, in.class_letter.front());
  const std::vector<kernels::phase_needs> phases = kernels::needs_of(kind);
  const std::vector<double> seconds = kernels::time_of_phases(what, in.threads, in.steps);
  double step = 0;
  for (const double s : seconds) step += s;
  for (std::size_t n = 0; n < phases.size(); ++n) {
    const kernels::phase_needs& p = phases[n];
    const double rate = in.threads / seconds[n];  // points per second of all threads
    fmt::print("{:<6} {:<9} {:8.2f} {:5.0f}% {:8.0f} {:6.1f} {:9.1f} {:5.0f}% {:8.0f} {:8.1f} {:5.0f}%\n",
               what.name, p.name, seconds[n] * 1e9, 100 * seconds[n] / step, p.flops, p.divisions,
               rate * p.flops / 1e9, 100 * rate * p.flops / top.flops, p.doubles, rate * p.doubles * 8 / 1e9,
               100 * rate * p.doubles * 8 / top.memory);
    out["phases"].push_back({{"benchmark", what.name},
                             {"phase", p.name},
                             {"core_ns_per_point", seconds[n] * 1e9},
                             {"flops_per_point", p.flops},
                             {"divisions_per_point", p.divisions},
                             {"doubles_per_point", p.doubles},
                             {"gflops", rate * p.flops / 1e9},
                             {"gbs", rate * p.doubles * 8 / 1e9}});
  }
}

void measure(const arguments& in) {
  json out{{"schema", "yoke-kernels/1"},
           {"record", record::of_program()},
           {"class", in.class_letter},
           {"threads", in.threads},
           {"steps", in.steps}};
  const ceilings top = measure_machine(in, out);
  fmt::print("{:<6} {:<9} {:>8} {:>6} {:>8} {:>6} {:>9} {:>6} {:>8} {:>8} {:>6}\n", "", "phase", "core ns",
             "share", "flops", "div", "GFLOP/s", "of fma", "doubles", "GB/s", "triad");
  for (const npb::benchmark_kind kind : npb::all_benchmarks) measure_phases(kind, in, top, out);
  if (in.json_file.empty()) return;
  record::write_json(in.json_file, out);
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  bench::command_line app{
      "yoke-bench-kernels",
      "Triad and multiply-add rates of this machine, and what each phase of the host solvers of BT, SP and "
      "LU gets of them: core time, operations and least bytes of an interior point."};
  app.add("--class", in.class_letter, "class whose zones are run", bench::one_of({"S", "W", "A", "B", "C"}));
  app.add("--threads", in.threads, "threads, each with zones of its own", bench::between(1, 1024));
  app.add("--steps", in.steps, "time steps", bench::between(1, 100000));
  app.add("--json", in.json_file, "also write the figures to this file");
  return app.run(argc, argv, [&] {
    measure(in);
    return 0;
  });
}
