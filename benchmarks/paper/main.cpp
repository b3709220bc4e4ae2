/// The paper's evaluation re-derived from its own times of a zone, and what it could not ask.
///
///   yoke-bench-paper [--beyond] [--json FILE]
#include "prediction.hpp"
#include "program/command_line.hpp"
#include "record/record.hpp"

#include <fmt/format.h>

#include <yoke/scheduling.hpp>

namespace {

using record::ordered_json;

struct asked_of {
  std::string cus;
  char letter;
};
/// The paper's node, and one of four such sockets: beyond 64 CPUs a zone takes as long as at 64.
const std::vector<asked_of> nodes{{"16x1+1", 'D'},  {"32x1+1", 'D'},  {"48x1+1", 'D'}, {"63x1+1", 'D'},
                                  {"16x1+2", 'D'},  {"32x1+2", 'D'},  {"48x1+2", 'D'}, {"62x1+2", 'D'},
                                  {"256x1+8", 'D'}, {"256x1+8", 'E'}, {"256x1+8", 'F'}};

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

ordered_json claims(const paper::evaluation& said) {
  fmt::print("{:<4} {:<14} {:>7} {:>9} {:>7}  {}\n", "", "schedule", "paper", "simulated", "ratio", "");
  ordered_json rows = ordered_json::array();
  for (const paper::claim& each : said.claims) {
    const double found = paper::predicted(said, each);
    fmt::print("{:<4} {:<14} {:>7.2f} {:>9.2f} {:>7.3f}  {}{}\n", each.benchmark, each.schedule, each.speedup,
               found, found / each.speedup, each.which.empty() ? "" : each.which + " of ", joined(each.of));
    rows.push_back({{"benchmark", each.benchmark},
                    {"of", each.of},
                    {"schedule", each.schedule},
                    {"which", each.which},
                    {"paper", each.speedup},
                    {"simulated", found},
                    {"why", each.why}});
  }
  return rows;
}

ordered_json without_memory(const paper::evaluation& said) {
  ordered_json rows = ordered_json::array();
  for (const paper::slowdown& each : said.not_memorizing) {
    const paper::measured& by = said.benchmarks.at(each.benchmark);
    const yoke::configuration cus = yoke::parse_configuration({each.cus, "evaluation.json"});
    const double fast = paper::bandwidth_of_slowdown(by, cus, each.least);
    const double slow = paper::bandwidth_of_slowdown(by, cus, each.most);
    const double at_one = paper::slowdown_without_memory(by, cus, 1e9);
    fmt::print(
        "{} {}, zones dealt out anew in each step: {:.1f} times slower at 1 GB/s; the paper's {:g} to {:g} "
        "times are "
        "{:.2f} to {:.2f} GB/s\n",
        each.benchmark, each.cus, at_one, each.least, each.most, fast * 1e-9, slow * 1e-9);
    rows.push_back({{"benchmark", each.benchmark},
                    {"cus", each.cus},
                    {"paper", {each.least, each.most}},
                    {"at_1_gbs", at_one},
                    {"gbs", {fast * 1e-9, slow * 1e-9}}});
  }
  return rows;
}

ordered_json one_node(const paper::measured& by, const asked_of& where) {
  const yoke::configuration cus = yoke::parse_configuration({where.cus, "nodes"});
  const paper::node on{by, where.letter, cus};
  const paper::least_makespan best = paper::best_makespan_of(on);
  ordered_json over = ordered_json::object();
  for (const yoke::scheduling::schedule_info& each : yoke::scheduling::all())
    over[std::string{each.name}] = paper::makespan(on, std::string{each.name}) / best.value;
  return {{"class", std::string{where.letter}},
          {"cus", where.cus},
          {"best_s", best.value},
          {"exact", best.is_exact},
          {"makespan_over_best", over}};
}

ordered_json beyond(const paper::evaluation& said) {
  ordered_json rows = ordered_json::array();
  for (const std::string benchmark : {"sp", "bt"})
    for (const asked_of& where : nodes) {
      ordered_json row{{"benchmark", benchmark}};
      row.update(one_node(said.benchmarks.at(benchmark), where));
      fmt::print("{} {} {:<8} best {:.4g} s:", benchmark, where.letter, where.cus,
                 row["best_s"].get<double>());
      for (const auto& [name, ratio] : row["makespan_over_best"].items())
        fmt::print(" {} {:.3f}", name, ratio.get<double>());
      fmt::print("\n");
      rows.push_back(std::move(row));
    }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  bool further = false;
  bench::command_line app{"yoke-bench-paper",
                          "The paper's evaluation re-derived from its own times of a zone, in virtual time."};
  app.add_flag("--beyond", further,
               "also every schedule on its node and on larger ones, beside the best makespan");
  app.add("--json", path, "also write the figures to this file");
  return app.run(argc, argv, [&] {
    const paper::evaluation said = paper::read_evaluation();
    ordered_json found{{"schema", "yoke-paper/1"}, {"record", record::of_program()}};
    found["claims"] = claims(said);
    found["not_memorizing"] = without_memory(said);
    if (further) found["beyond"] = beyond(said);
    if (!path.empty()) record::write_json(path, found);
    return 0;
  });
}
