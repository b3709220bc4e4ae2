/// How far each schedule is from the best makespan that whole zones allow, in virtual time: every CPU CU
/// takes one second for a unit of weight, every GPU CU 1/PCF.
///
///   yoke-bench-makespan [--benchmark bt|sp|lu] [--class A] [--cus NxM+G] [--pcf X] [--json FILE]
#include "best_makespan.hpp"
#include "common/problem.hpp"
#include "common/program.hpp"
#include "record/number_option.hpp"
#include "record/record.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include <yoke/configuration.hpp>
#include <yoke/error.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/simulator.hpp>

namespace {

struct arguments {
  std::string benchmark = "bt";
  std::string class_letter = "A";
  std::string cus = "2x1";
  double pcf = 40;
  std::string json_file;
};

/// From pass 5 on the schedules that measure have decided; the mean of these.
constexpr int passes = 12, first_counted = 8;

npb::benchmark_kind kind_of(const std::string& name) {
  return name == "bt"   ? npb::benchmark_kind::bt
         : name == "sp" ? npb::benchmark_kind::sp
                        : npb::benchmark_kind::lu;
}

yoke::workload zones_of(const npb::problem& what) {
  yoke::workload work{.n_tasks = static_cast<int>(what.zones.size())};
  for (const npb::zone& z : what.zones)
    work.weights.push_back(static_cast<double>(z.shape.interior_points()));
  return work;
}

/// The units of a configuration and how much weight each does in a second.
struct machine {
  std::vector<yoke::unit> units;
  std::vector<double> rates;

  machine(const yoke::configuration& shape, double pcf) {
    for (int n = 0; n < shape.cpu_units; ++n) {
      units.push_back({.cpus = shape.cpus_per_unit});
      rates.push_back(1);
    }
    for (int n = 0; n < shape.gpu_units; ++n) {
      units.push_back({.kind = yoke::unit_kind::gpu, .space = yoke::space_id{1 + n}});
      rates.push_back(pcf);
    }
  }
};

double settled_makespan(std::string_view schedule, const yoke::workload& work, const machine& on) {
  std::vector<yoke::speed> speeds;
  for (const double rate : on.rates) speeds.push_back({.launch = 0, .per_weight = 1 / rate});
  const auto plan = yoke::scheduling::make(schedule, work, on.units);
  const auto seen =
      yoke::simulate(*plan, work, static_cast<int>(on.units.size()), yoke::linear_time(work, speeds), passes);
  double sum = 0;
  for (int pass = first_counted; pass < passes; ++pass)
    sum += seen[static_cast<std::size_t>(pass)].makespan();
  return sum / (passes - first_counted);
}

void write(const arguments& in, const bench::makespan_bound& best, const nlohmann::ordered_json& of_best) {
  const nlohmann::ordered_json out{{"schema", "yoke-makespan/1"},
                                   {"record", record::of_program()},
                                   {"benchmark", in.benchmark},
                                   {"class", in.class_letter},
                                   {"cus", in.cus},
                                   {"pcf", in.pcf},
                                   {"exact", best.exact},
                                   {"best", best.value},
                                   {"makespan_over_best", of_best}};
  record::write_json(in.json_file, out);
}

void compare(const arguments& in) {
  const npb::problem what = npb::make_problem(kind_of(in.benchmark), in.class_letter.front());
  const yoke::workload work = zones_of(what);
  const machine on{yoke::parse_configuration({in.cus, "--cus"}), in.pcf};
  const bench::makespan_bound best = bench::best_makespan(work.weights, on.rates);
  const auto [least, most] = std::ranges::minmax(work.weights);
  fmt::print("{} class {}, {}, PCF {}: {} zones, the largest {:.1f} times the smallest\n", what.name,
             in.class_letter, in.cus, in.pcf, work.n_tasks, most / least);
  fmt::print("best makespan {:.6g} ({})\n", best.value,
             best.exact ? "of whole zones, exact" : "a lower bound, as if zones could be cut");
  nlohmann::ordered_json of_best = nlohmann::ordered_json::object();
  for (const yoke::scheduling::schedule_info& schedule : yoke::scheduling::all()) {
    const double ratio = settled_makespan(schedule.name, work, on) / best.value;
    fmt::print("{:<14} {:.4f} of the best\n", schedule.name, ratio);
    of_best[std::string{schedule.name}] = ratio;
  }
  if (!in.json_file.empty()) write(in, best, of_best);
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  CLI::App app{"How far each schedule is from the best makespan that whole zones allow, in virtual time."};
  app.add_option("--benchmark", in.benchmark, "whose zones")
      ->capture_default_str()
      ->check(CLI::IsMember({"bt", "sp", "lu"}));
  app.add_option("--class", in.class_letter, "class")
      ->capture_default_str()
      ->check(CLI::IsMember({"S", "W", "A", "B", "C", "D", "E", "F"}));
  app.add_option("--cus", in.cus, "configuration NxM+G")->capture_default_str();
  app.add_option("--pcf", in.pcf, "time of a zone on a CPU CU / on a GPU CU")
      ->capture_default_str()
      ->check(record::number_in(1e-6, 1e6));
  app.add_option("--json", in.json_file, "also write the figures to this file");
  return npb::run_main("yoke-bench-makespan", [&](npb::result_printer&) {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
      return app.exit(problem) == 0 ? 0 : 2;
    }
    compare(in);
    return 0;
  });
}
