#include "evaluation.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace paper {

extern const char* const evaluation_json;

namespace {

using json = nlohmann::json;

constexpr double milli = 1e-3;

npb::benchmark_kind kind_of(const std::string& name) {
  if (name == "sp") return npb::benchmark_kind::sp;
  return name == "bt" ? npb::benchmark_kind::bt : npb::benchmark_kind::lu;
}

by_cpus table(const json& rows, double unit) {
  by_cpus values;
  for (const json& row : rows) values.emplace_back(row.at(0), row.at(1).get<double>() * unit);
  return values;
}

measured read_measured(const std::string& name, const json& of) {
  measured m{.kind = kind_of(name),
             .gpu = of.at("gpu_ms").get<double>() * milli,
             .cpu = table(of.at("cpu_ms"), milli),
             .pcf = table(of.at("pcf"), 1),
             .communication = {},
             .bytes = of.at("gigabytes").get<double>() * 1e9};
  for (const json& time : of.at("communication_ms")) m.communication.push_back(time.get<double>() * milli);
  return m;
}

}  // namespace

double at(const by_cpus& values, double cpus) {
  const auto above = std::ranges::lower_bound(values, cpus, {}, &std::pair<double, double>::first);
  if (above == values.begin()) return values.front().second;
  if (above == values.end()) return values.back().second;
  const auto [x0, y0] = *std::prev(above);
  const auto [x1, y1] = *above;
  return y0 + (y1 - y0) * (cpus - x0) / (x1 - x0);
}

yoke::seconds measured::cpu_time(const yoke::configuration& cus) const {
  return at(cpu, cus.cpu_units * cus.cpus_per_unit);
}

double measured::pcf_of(const yoke::configuration& cus) const {
  const int cpus = cus.cpu_units * cus.cpus_per_unit;
  const auto given = std::ranges::find(pcf, cpus, &std::pair<double, double>::first);
  return given != pcf.end() ? given->second : cpu_time(cus) / gpu;
}

evaluation read_evaluation() {
  const json all = json::parse(evaluation_json);
  evaluation said;
  for (const auto& [name, of] : all.at("benchmarks").items())
    said.benchmarks.emplace(name, read_measured(name, of));
  for (const json& c : all.at("claims"))
    said.claims.push_back({c.at("benchmark"), c.at("of"), c.at("schedule"), c.value("which", ""),
                           c.at("speedup"), c.value("why", "")});
  for (const json& s : all.at("not_memorizing"))
    said.not_memorizing.push_back({s.at("benchmark"), s.at("cus"), s.at("least"), s.at("most")});
  return said;
}

}  // namespace paper
