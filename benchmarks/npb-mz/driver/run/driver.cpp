#include "driver.hpp"

#include "driver/step/team_of.hpp"
#include "launched.hpp"
#include "options.hpp"
#include "program/program.hpp"
#include "protocol.hpp"
#include "record/record.hpp"
#include "result.hpp"
#include "zoned_protocol.hpp"

#include <fmt/format.h>
#include <string>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>

namespace npb {

namespace {

problem problem_for(benchmark_kind kind, const options& asked) {
  problem p = make_problem(kind, asked.problem_class);
  if (!asked.grid && !asked.zones) return p;
  const grid_size grid = asked.grid.value_or(grid_size{p.gx, p.gy, p.gz});
  const zone_grid zones =
      asked.zones.value_or(zone_grid{static_cast<int>(p.x_sizes.size()), static_cast<int>(p.y_sizes.size())});
  return make_custom_problem(kind, asked.problem_class, {grid.x, grid.y, grid.z, zones.x, zones.y});
}

void print(bench::result_printer& out, const run_result& r, const options& asked) {
  out.print(asked.quiet ? fmt::format(" Verification     = {:>24}\n", to_string(r.verdict)) : report(r));
  if (asked.explain) out.print(explanation(r));
}

/// Mop/s, nominal ones, of a server's core of 2023 with 16 or 32 of them at work, over what N×M promises: 10
/// to 13 thousand in SP, 22 to 33 in BT, 13 to 25 in LU.
double rate_of_a_core(benchmark_kind kind) {
  switch (kind) {
    case benchmark_kind::sp:
      return 10e3;
    case benchmark_kind::bt:
      return 25e3;
    default:
      return 20e3;
  }
}

double core_seconds(const problem& p, const options& asked) {
  return p.nominal_mop(asked.steps.value_or(p.niter) + 1) / rate_of_a_core(p.kind);
}

run_result run(yoke::runtime& rt, yoke::ranks* among, const benchmark& what, const options& asked,
               yoke::ticks begin) {
  return asked.over_zones ? run_over_zones(rt, among, what, asked) : run_protocol(rt, what, asked, begin);
}

int run(bench::result_printer& out, yoke::ranks* among, const options& asked, benchmark_kind kind,
        std::unique_ptr<benchmark> (*make)(problem)) {
  const yoke::ticks begin = yoke::now();
  const std::unique_ptr<benchmark> what = make(problem_for(kind, asked));
  yoke::runtime rt{yoke::runtime_options{.cus = asked.cus,
                                         .devices = asked.devices,
                                         .schedule = asked.schedule,
                                         .trace = asked.trace,
                                         .profile = asked.profile,
                                         .weights = what->what().weights(),
                                         .team = team_of(what->what()),
                                         .core_seconds = core_seconds(what->what(), asked)}};
  const run_result r = run(rt, among, *what, asked, begin);
  if (among == nullptr || among->rank() == 0) {
    print(out, r, asked);
    if (asked.json_file) record::write_json(*asked.json_file, json(r, rt));
    rt.write_trace();
  }
  return r.verdict == verification::unsuccessful ? 1 : 0;
}

}  // namespace

int run_program(int argc, const char* const* argv, benchmark_kind kind,
                std::unique_ptr<benchmark> (*make)(problem)) {
  const std::string program = short_name(kind) + "-mz";
  return bench::run_main(program, [&](bench::result_printer& out) {
    const std::unique_ptr<yoke::ranks> among = launched_ranks();
    const bool is_first = among == nullptr || among->rank() == 0;
    std::string text;
    std::optional<options> asked;
    try {
      asked = parse_options(argc, argv, program, text, among == nullptr ? 1 : among->size(),
                            among == nullptr ? 0 : among->rank());
    } catch (const yoke::config_error&) {
      if (is_first) throw;
      return 2;  // as all ranks, one of which says why
    }
    if (asked) return run(out, among.get(), *asked, kind, make);
    if (is_first) out.print(text);
    return 0;
  });
}

}  // namespace npb
