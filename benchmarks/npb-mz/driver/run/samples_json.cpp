#include "samples_json.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace npb {

namespace {

using nlohmann::ordered_json;

double quantile(const std::vector<double>& ordered, double part) {
  return ordered[static_cast<std::size_t>(std::lround(part * static_cast<double>(ordered.size() - 1)))];
}

ordered_json statistics(std::vector<double> times) {
  std::ranges::sort(times);
  const auto count = static_cast<double>(times.size());
  double mean = 0, squares = 0;
  for (const double time : times) mean += time / count;
  for (const double time : times) squares += (time - mean) * (time - mean);
  ordered_json quantiles = ordered_json::array();
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) quantiles.push_back(quantile(times, part));
  return {{"samples", times.size()},
          {"mean_s", mean},
          {"deviation_s", count > 1 ? std::sqrt(squares / (count - 1)) : 0},
          {"quantiles_s", std::move(quantiles)}};
}

/// What was seen of one zone, or of one CU.
struct series {
  std::vector<double> seconds;
  std::vector<int> units;
  bool apportioned = false;

  void add(const yoke::task_sample& sample) {
    seconds.push_back(sample.time);
    units.push_back(sample.unit);
    apportioned |= sample.is_apportioned;
  }
  ordered_json json(int id) const {
    ordered_json out{{"id", id}, {"apportioned", apportioned}};
    out.update(statistics(seconds));
    return out;
  }
};

}  // namespace

ordered_json samples_json(const run_result& r) {
  std::map<int, series> zones, units;
  for (const yoke::task_sample& sample : r.samples) {
    zones[sample.task].add(sample);
    units[sample.unit].add(sample);
  }
  ordered_json tasks = ordered_json::array(), of_units = ordered_json::array();
  for (const auto& [id, of] : zones) {
    tasks.push_back(of.json(id));
    tasks.back()["seconds"] = of.seconds;
    tasks.back()["units"] = of.units;
  }
  for (const auto& [id, of] : units) of_units.push_back(of.json(id));
  return {{"tasks", std::move(tasks)}, {"units", std::move(of_units)}};
}

}  // namespace npb
