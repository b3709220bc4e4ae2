#include "calibration.hpp"

#include "task_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <yoke/error.hpp>

namespace tools {

namespace {

using yoke::seconds;
using yoke::unit_kind;

/// What the units of a kind did in a run together.
struct kind_seen {
  int units = 0;
  double work = 0;  ///< weights of the tasks that they ran
  double advance = 0;
  double exchange = 0;
  double busiest = 0;
  double noise = 0;
};

struct run_seen {
  kind_seen cpus{}, gpus{};
  int cpus_per_unit = 1;
  double steps = 0;
  double seconds = 0;
  double bytes = 0;   ///< to and from devices, through host memory
  double direct = 0;  ///< between devices

  kind_seen& of(unit_kind kind) { return kind == unit_kind::gpu ? gpus : cpus; }
  /// Of a step, beyond what the busiest unit did: waiting for others and the loop itself.
  double beyond() const { return std::max(0.0, (seconds - std::max(cpus.busiest, gpus.busiest)) / steps); }
};

unit_kind kind_of(const json& unit) { return unit.at("kind") == "gpu" ? unit_kind::gpu : unit_kind::cpu; }

/// Files that do not tell the work of a unit have the map of the last step: GPUs keep their tasks, and the
/// CPU CUs had the rest.
void add_work_by_map(run_seen& seen, const json& run, const std::string& path,
                     const std::vector<double>& weights) {
  const json& units = run.at("units");
  for (const json& task : run.at("tasks")) {
    json_fields in{task, path + ": tasks: "};
    const unit_kind kind = kind_of(units.at(static_cast<std::size_t>(in.whole("unit", 0))));
    seen.of(kind).work += seen.steps * weights.at(static_cast<std::size_t>(in.whole("id", 0)));
  }
}

/// Relative spread of the times of a task, by the middle half of them: a thread that was preempted once is no
/// noise. Mean of the tasks that were timed by themselves.
double noise_of(const json& run) {
  constexpr double quartiles_apart = 1.349;  // deviations, of a normal distribution
  double sum = 0, count = 0;
  for (const json& task : run.at("samples").at("tasks")) {
    const json& quantiles = task.at("quantiles_s");
    const double median = quantiles.at(2);
    if (task.at("apportioned") || median <= 0) continue;
    sum += (quantiles.at(3).get<double>() - quantiles.at(1).get<double>()) / (quartiles_apart * median);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

void add_units(run_seen& seen, const json& run) {
  for (const json& unit : run.at("units")) {
    kind_seen& kind = seen.of(kind_of(unit));
    ++kind.units;
    kind.advance += unit.at("advance_s").get<double>();
    kind.exchange += unit.at("exchange_s").get<double>();
    kind.busiest = std::max(kind.busiest, unit.at("busy_s").get<double>());
    if (unit.contains("work")) kind.work += unit.at("work").get<double>();
  }
}

run_seen look_at(const json& run, const std::string& path, const yoke::workload& work) {
  run_seen seen{.steps = run.at("iterations"), .seconds = run.at("seconds")};
  const auto shape = yoke::parse_configuration({run.at("cus").get<std::string>(), path + ": cus"});
  seen.cpus_per_unit = std::max(1, shape.cpus_per_unit);
  add_units(seen, run);
  if (seen.cpus.work + seen.gpus.work == 0) add_work_by_map(seen, run, path, work.weights);
  for (const json& moved : run.at("bytes")) {
    json_fields in{moved, path + ": bytes: "};
    const bool is_direct = in.whole("from", 0) > 0 && in.whole("to", 0) > 0;
    (is_direct ? seen.direct : seen.bytes) += moved.at("n").get<double>();
  }
  if (run.contains("samples")) seen.cpus.noise = noise_of(run);
  return seen;
}

struct read_run {
  json run;
  std::string path;
  yoke::workload work;
};

read_run read_one(const std::string& path) {
  json run = read_json(path);
  if (json_fields{run, path + ": "}.text("schema", "") != "yoke-npb/1")
    throw yoke::config_error{fmt::format("{}: no run of NPB-MZ; a file that --json of sp-mz wrote", path)};
  yoke::workload work = tasks_of_run(run, path);
  return {std::move(run), path, std::move(work)};
}

run_seen seen_of(const read_run& from) {
  try {
    return look_at(from.run, from.path, from.work);
  } catch (const json::exception& problem) {
    throw yoke::config_error{fmt::format("{}: {}", from.path, problem.what())};
  } catch (const std::out_of_range&) {
    throw yoke::config_error{fmt::format("{}: one of its \"tasks\" has an \"id\" that {} does not have",
                                         from.path, from.work.name)};
  }
}

seconds unit_pace(const run_seen& run) { return (run.cpus.advance + run.cpus.exchange) / run.cpus.work; }
int cpus_at_work(const run_seen& run) { return run.cpus.units * run.cpus_per_unit; }

/// What each further CPU of a CU adds, by runs on as many CPUs as CUs of one CPU and of several; the mean.
std::optional<double> team_of(const std::vector<run_seen>& runs) {
  double sum = 0, pairs = 0;
  for (const run_seen& one : runs)
    for (const run_seen& team : runs) {
      const bool is_pair = one.cpus_per_unit == 1 && team.cpus_per_unit > 1 && one.cpus.work > 0 &&
                           team.cpus.work > 0 && cpus_at_work(one) == cpus_at_work(team);
      if (!is_pair) continue;
      sum += (unit_pace(one) / unit_pace(team) - 1) / (team.cpus_per_unit - 1);
      ++pairs;
    }
  if (pairs == 0) return std::nullopt;
  return std::max(0.0, sum / pairs);
}

/// Seconds for a weight of 1 on one CPU, by CPUs at work: the mean of the runs on so many.
std::map<int, double> cpu_speeds(const std::vector<run_seen>& runs, double team) {
  std::map<int, std::pair<double, int>> sums;
  for (const run_seen& run : runs) {
    if (run.cpus.work <= 0) continue;
    auto& [sum, count] = sums[cpus_at_work(run)];
    sum += unit_pace(run) * (1 + team * (run.cpus_per_unit - 1));
    ++count;
  }
  std::map<int, double> by;
  for (const auto& [cpus, seen] : sums) by[cpus] = seen.first / seen.second;
  return by;
}

void add_cpus(machine_file& machine, const std::vector<run_seen>& runs) {
  unit_group group;
  group.team = team_of(runs).value_or(group.team);
  const std::map<int, double> by = cpu_speeds(runs, group.team);
  if (by.empty()) return;
  group.count = by.rbegin()->first;
  group.one.alone.per_weight = by.begin()->second;
  if (by.size() > 1)
    for (const auto& [cpus, speed] : by) group.slowed_by.emplace_back(cpus, speed / by.begin()->second);
  for (const run_seen& run : runs) group.one.noise = std::max(group.one.noise, run.cpus.noise);
  machine.groups.push_back(group);
}

/// Mean of those runs in which GPUs had work.
template <class Value>
double mean_of(const std::vector<run_seen>& runs, const Value& value) {
  double sum = 0;
  int count = 0;
  for (const run_seen& run : runs)
    if (run.gpus.work > 0) sum += value(run), ++count;
  return count > 0 ? sum / count : 0;
}

void add_gpus(machine_file& machine, const std::vector<run_seen>& runs) {
  unit_group group;
  for (const run_seen& run : runs) group.count = std::max(group.count, run.gpus.units);
  const double per_weight = mean_of(runs, [](const run_seen& r) { return r.gpus.advance / r.gpus.work; });
  if (group.count == 0 || per_weight <= 0) return;
  group.one.seen.kind = unit_kind::gpu;
  group.one.alone = {mean_of(runs, [](const run_seen& r) { return r.beyond(); }), per_weight};
  const auto rate_of = [&](double run_seen::* bytes) {
    return mean_of(runs, [&](const run_seen& r) {
      return r.gpus.exchange > 0 && r.*bytes > 0 ? (r.bytes + r.direct) / r.gpus.exchange : 0;
    });
  };
  group.one.to_host.bandwidth = rate_of(&run_seen::bytes);
  machine.between_devices.bandwidth = rate_of(&run_seen::direct);
  machine.groups.push_back(group);
}

}  // namespace

machine_file calibrate(const std::vector<std::string>& paths) {
  std::vector<run_seen> seen;
  std::string tasks;
  for (const std::string& path : paths) {
    const read_run run = read_one(path);
    if (!tasks.empty() && run.work.name != tasks)
      throw yoke::config_error{
          fmt::format("{}: is of {}, the runs before it are of {}", path, run.work.name, tasks)};
    tasks = run.work.name;
    seen.push_back(seen_of(run));
  }
  machine_file machine{.name = fmt::format("machine of {}", fmt::join(paths, ", "))};
  add_cpus(machine, seen);
  add_gpus(machine, seen);
  if (machine.groups.empty())
    throw yoke::config_error{fmt::format("{}: no unit ran a task", fmt::join(paths, ", "))};
  static_cast<void>(read_machine(as_json(machine), machine.name));  // refuses what no machine can have
  return machine;
}

}  // namespace tools
