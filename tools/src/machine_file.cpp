#include "machine_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include <yoke/error.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

using yoke::unit_kind;
using yoke::detail::amounts, yoke::detail::amounts_or_none, yoke::detail::deviations, yoke::detail::factors;

constexpr const char* schema = "yoke-machine/1";

yoke::unit_kind kind_of(json_fields& in) {
  const std::string text = in.text("kind");
  if (text != "cpu" && text != "gpu") in.refuse("kind", fmt::format("\"{}\": cpu or gpu", text));
  return text == "gpu" ? unit_kind::gpu : unit_kind::cpu;
}

yoke::link_speed read_link(json_fields in) {
  const yoke::link_speed link{in.number("bandwidth", amounts), in.number("latency", amounts_or_none, 0)};
  in.finish();
  return link;
}

yoke::slowdown read_slowdown(json_fields& in) {
  yoke::slowdown by;
  const json* points = in.list("slowdown");
  if (points == nullptr) return by;
  for (const json& point : *points) {
    const bool is_pair =
        point.is_array() && point.size() == 2 && point[0].is_number_integer() && point[1].is_number();
    const bool fits = is_pair && point[0] >= 1 && point[0] <= std::numeric_limits<int>::max() &&
                      factors.has(point[1].get<double>()) && (by.empty() || point[0] > by.back().first);
    if (!fits)
      in.refuse(
          "slowdown",
          fmt::format(
              "{} is not accepted; [units, factor] in ascending order, as [16, 1.2], and a factor is {}",
              yoke::detail::json_text(point), factors.accepted()));
    by.emplace_back(point[0].get<int>(), point[1].get<double>());
  }
  return by;
}

unit_group read_group(json_fields in) {
  unit_group group;
  yoke::simulated_unit& one = group.one;
  one.seen.kind = kind_of(in);
  group.count = in.whole("count", 1);
  one.alone = {in.number("launch", amounts_or_none, 0), in.number("per_weight", amounts)};
  one.noise = in.number("noise", deviations, 0);
  one.drift = in.number("drift", deviations, 0);
  group.slowed_by = read_slowdown(in);
  if (one.seen.kind == unit_kind::cpu) {
    group.team = in.number("team", amounts_or_none, group.team);
  } else {
    one.seen.memory = in.bytes("memory");
    one.seen.processors = in.whole("processors", 1, 1);
    if (auto link = in.object("link")) one.to_host = read_link(std::move(*link));
  }
  in.finish();
  return group;
}

yoke::speed_change read_change(json_fields in) {
  const yoke::speed_change change{yoke::unit_id{in.whole("unit", 0)}, in.whole("pass", 0),
                                  in.number("speed", amounts_or_none)};
  in.finish();
  return change;
}

template <class Read>
auto read_list(json_fields& in, const std::string& path, const std::string& name, const Read& read) {
  std::vector<decltype(read(std::declval<json_fields>()))> all;
  if (const json* list = in.list(name))
    for (std::size_t n = 0; n < list->size(); ++n)
      all.push_back(read(json_fields{(*list)[n], fmt::format("{}: {}[{}].", path, name, n)}));
  return all;
}

/// The curve of units of `cpus` CPUs each, from that of CPUs.
yoke::slowdown by_units(const yoke::slowdown& by_cpus, int cpus, int units) {
  yoke::slowdown by;
  if (!by_cpus.empty())
    for (int n = 1; n <= units; ++n) by.emplace_back(n, yoke::slowdown_at(by_cpus, n * cpus));
  return by;
}

/// Adds up to `wanted` units of `cpus` CPUs; returns how many it added.
int add_units(yoke::simulated_machine& machine, const unit_group& group, int cpus, int wanted) {
  const bool is_gpu = group.one.seen.kind == unit_kind::gpu;
  const int units = std::min(wanted, group.count / cpus);
  yoke::simulated_unit one = group.one;
  one.seen.cpus = cpus;
  one.alone.per_weight /= 1 + group.team * (cpus - 1);
  one.group = static_cast<int>(machine.slowdowns.size());
  for (int n = 0; n < units; ++n) {
    if (is_gpu) {
      const auto gpus =
          std::ranges::count_if(machine.units, [](const auto& u) { return u.seen.kind == unit_kind::gpu; });
      one.seen.space = yoke::space_id{static_cast<int>(1 + gpus)};
    }
    machine.units.push_back(one);
  }
  if (units > 0) machine.slowdowns.push_back(by_units(group.slowed_by, cpus, units));
  return units;
}

/// Each is simulated; and their number is an int.
void check_number_of_units(const machine_file& machine, const json_fields& in) {
  constexpr std::int64_t most = 65'536;
  std::int64_t all = 0;
  for (const unit_group& group : machine.groups) all += group.count;
  if (all > most) in.refuse("groups", fmt::format("have {} units together; {} at most", all, most));
}

json link_json(const yoke::link_speed& link) {
  return {{"bandwidth", link.bandwidth}, {"latency", link.latency}};
}

json group_json(const unit_group& group) {
  const yoke::simulated_unit& one = group.one;
  const bool is_gpu = one.seen.kind == unit_kind::gpu;
  json out{{"kind", is_gpu ? "gpu" : "cpu"},
           {"count", group.count},
           {"per_weight", one.alone.per_weight},
           {"launch", one.alone.launch},
           {"noise", one.noise}};
  if (one.drift > 0) out["drift"] = one.drift;
  if (!group.slowed_by.empty()) out["slowdown"] = group.slowed_by;
  if (!is_gpu) out["team"] = group.team;
  if (one.seen.memory > 0) out["memory"] = one.seen.memory;
  if (one.seen.processors > 1) out["processors"] = one.seen.processors;
  if (one.to_host.bandwidth > 0) out["link"] = link_json(one.to_host);
  return out;
}

}  // namespace

int machine_file::count(unit_kind kind) const {
  int sum = 0;
  for (const unit_group& group : groups)
    if (group.one.seen.kind == kind) sum += group.count;
  return sum;
}

yoke::configuration machine_file::whole() const {
  const int cpus = count(unit_kind::cpu);
  return {.cpu_units = cpus, .cpus_per_unit = cpus > 0 ? 1 : 0, .gpu_units = count(unit_kind::gpu)};
}

yoke::simulated_machine machine_file::with(const yoke::configuration& cus) const {
  yoke::simulated_machine machine{.between_devices = between_devices, .changes = changes};
  int cpu_units = cus.cpu_units, gpu_units = cus.gpu_units;
  for (const unit_group& group : groups)
    if (group.one.seen.kind == unit_kind::cpu && cpu_units > 0)
      cpu_units -= add_units(machine, group, cus.cpus_per_unit, cpu_units);
  for (const unit_group& group : groups)
    if (group.one.seen.kind == unit_kind::gpu) gpu_units -= add_units(machine, group, 1, gpu_units);
  if (cpu_units > 0 || gpu_units > 0)
    throw yoke::config_error{fmt::format("{}: {} has {} CPUs and {} GPUs", cus.text(), name,
                                         count(unit_kind::cpu), count(unit_kind::gpu))};
  std::erase_if(machine.changes, [&](const auto& c) { return c.unit >= std::ssize(machine.units); });
  return machine;
}

machine_file read_machine(const std::string& path) { return read_machine(read_json(path), path); }

machine_file read_machine(const json& all, const std::string& origin) {
  json_fields in{all, origin + ": "};
  if (const std::string found = in.text("schema"); found != schema)
    in.refuse("schema", fmt::format("\"{}\" is no machine; \"{}\"", found, schema));
  machine_file machine{.name = in.text("name", origin),
                       .groups = read_list(in, origin, "groups", read_group)};
  in.text("source", "");
  if (auto link = in.object("between_devices")) machine.between_devices = read_link(std::move(*link));
  if (auto network = in.object("network")) machine.network = read_network(std::move(*network));
  machine.changes = read_list(in, origin, "changes", read_change);
  std::ranges::sort(machine.changes, {}, &yoke::speed_change::pass);
  if (machine.groups.empty()) in.refuse("groups", "at least one group of units is needed");
  check_number_of_units(machine, in);
  in.finish();
  return machine;
}

json as_json(const machine_file& machine) {
  json out{{"schema", schema}, {"name", machine.name}, {"groups", json::array()}};
  for (const unit_group& group : machine.groups) out["groups"].push_back(group_json(group));
  if (machine.between_devices.bandwidth > 0) out["between_devices"] = link_json(machine.between_devices);
  return out;
}

}  // namespace tools
