#include "prediction.hpp"

#include "best_makespan.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include <yoke/scheduling.hpp>
#include <yoke/simulator.hpp>

namespace paper {

namespace {

/// By then schedules that measure have settled; the mean of the passes after `first_counted`.
constexpr int passes = 12, first_counted = 8;

double mean_points(npb::benchmark_kind kind, char letter) {
  const auto zones = npb::make_problem(kind, letter).zones;
  const auto add = [](double sum, const npb::zone& z) {
    return sum + static_cast<double>(z.shape.interior_points());
  };
  return std::accumulate(zones.begin(), zones.end(), 0.0, add) / static_cast<double>(zones.size());
}

std::vector<double> rates_of(const node& on) {
  std::vector<double> rates;
  for (const yoke::speed& each : on.speeds) rates.push_back(1 / each.per_weight);
  return rates;
}

/// Of equal zones: the least of all times at which some unit can finish and all units together have done all.
yoke::seconds of_equal_zones(const node& on) {
  const double weight = on.zones.weights.front();
  const auto all_are_done = [&](yoke::seconds time) {
    double done = 0;
    for (const yoke::speed& each : on.speeds) done += std::floor(time / (each.per_weight * weight) + 1e-9);
    return done >= on.zones.n_tasks;
  };
  yoke::seconds least = std::numeric_limits<double>::infinity();
  for (const yoke::speed& each : on.speeds) {
    int few = 0, many = on.zones.n_tasks;  // zones of this unit: too few, enough
    while (many - few > 1) {
      const int middle = (few + many) / 2;
      (all_are_done(middle * each.per_weight * weight) ? many : few) = middle;
    }
    least = std::min(least, many * each.per_weight * weight);
  }
  return least;
}

yoke::seconds of_one_cpu(const measured& by, std::size_t zones) {
  return static_cast<double>(zones) * at(by.cpu, 1) + by.communication.front();
}

/// Expected bytes that change their space between two steps, where a zone's CU is drawn anew in each.
double bytes_moved(const measured& by, const yoke::configuration& cus) {
  const double cpus = cus.cpu_units / by.cpu_time(cus), gpu = 1 / by.gpu;
  const double all = cpus + cus.gpu_units * gpu;
  double stays = cpus / all * (cpus / all);
  for (int g = 0; g < cus.gpu_units; ++g) stays += gpu / all * (gpu / all);
  return by.bytes * (1 - stays);
}

yoke::seconds step_of(const measured& by, const yoke::configuration& cus) {
  return makespan(node{by, 'D', cus}, "memorizing") +
         by.communication[static_cast<std::size_t>(cus.gpu_units)];
}

}  // namespace

node::node(const measured& by, char letter, const yoke::configuration& cus) {
  const npb::problem what = npb::make_problem(by.kind, letter);
  const double one = mean_points(by.kind, 'D');
  zones.n_tasks = static_cast<int>(what.zones.size());
  for (const npb::zone& z : what.zones)
    zones.weights.push_back(static_cast<double>(z.shape.interior_points()) / one);
  for (int n = 0; n < cus.cpu_units; ++n) {
    units.push_back({.cpus = cus.cpus_per_unit});
    speeds.push_back({.launch = 0, .per_weight = by.cpu_time(cus)});
  }
  for (int n = 0; n < cus.gpu_units; ++n) {
    units.push_back({.kind = yoke::unit_kind::gpu, .space = yoke::space_id{1 + n}});
    speeds.push_back({.launch = 0, .per_weight = by.gpu});
  }
}

yoke::seconds makespan(const node& on, const std::string& schedule) {
  const auto plan = yoke::scheduling::make(schedule, on.zones, on.units);
  const auto seen = yoke::simulate(*plan, on.zones, static_cast<int>(on.units.size()),
                                   yoke::linear_time(on.zones, on.speeds), passes);
  yoke::seconds sum = 0;
  for (int pass = first_counted; pass < passes; ++pass)
    sum += seen[static_cast<std::size_t>(pass)].makespan();
  return sum / (passes - first_counted);
}

least_makespan quick_best_makespan_of(const node& on) {
  const auto [least, most] = std::ranges::minmax(on.zones.weights);
  if (least == most) return {of_equal_zones(on), true};
  const std::vector<double> rates = rates_of(on);
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  return {std::max(sum(on.zones.weights) / sum(rates), most / std::ranges::max(rates)), false};
}

least_makespan best_makespan_of(const node& on) {
  const least_makespan quick = quick_best_makespan_of(on);
  if (quick.is_exact) return quick;
  const bench::makespan_bound found = bench::best_makespan(on.zones.weights, rates_of(on));
  return {found.value, found.exact};
}

double speedup(const measured& by, const yoke::configuration& cus, const std::string& schedule) {
  const node on{by, 'D', cus};
  const bool together = schedule == "static-hybrid";
  const std::string asked = together ? fmt::format("static-hybrid,pcf={}", by.pcf_of(cus)) : schedule;
  const yoke::seconds communication =
      by.communication[together ? 0 : static_cast<std::size_t>(cus.gpu_units)];
  return of_one_cpu(by, on.zones.weights.size()) / (makespan(on, asked) + communication);
}

double predicted(const evaluation& said, const claim& what) {
  const measured& by = said.benchmarks.at(what.benchmark);
  std::vector<double> found;
  for (const std::string& cus : what.of)
    found.push_back(speedup(by, yoke::parse_configuration({cus, "evaluation.json"}), what.schedule));
  return what.which == "lowest" ? std::ranges::min(found) : std::ranges::max(found);
}

double slowdown_without_memory(const measured& by, const yoke::configuration& cus, double bandwidth) {
  const yoke::seconds step = step_of(by, cus);
  return (step + bytes_moved(by, cus) / bandwidth) / step;
}

double bandwidth_of_slowdown(const measured& by, const yoke::configuration& cus, double times) {
  return bytes_moved(by, cus) / (step_of(by, cus) * (times - 1));
}

}  // namespace paper
