#include "layout.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/device_affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/places_text.hpp>
#include <yoke/settings.hpp>

namespace tools {

namespace {

/// A device of a GPU CU, and what is near it.
struct gpu {
  std::string name;
  std::vector<int> near{};
  bool is_emulated = false;
};

gpu describe(const yoke::accelerator_info& at, int index) {
  return {.name = fmt::format("{}:{} ({})", name_of(at.kind), index, at.pci), .near = at.near};
}

/// The GPUs on the bus, as a program would number them.
std::vector<gpu> gpus_of(const yoke::topology& machine) {
  std::vector<gpu> all;
  int cuda = 0;
  int hip = 0;
  for (const yoke::accelerator_info& each : machine.accelerators()) {
    if (each.kind == yoke::accelerator_kind::cuda) all.push_back(describe(each, cuda++));
    if (each.kind == yoke::accelerator_kind::hip) all.push_back(describe(each, hip++));
  }
  return all;
}

std::vector<gpu> gpus_named(const std::string& devices, const yoke::topology& machine) {
  const yoke::device_list list = yoke::parse_device_list({devices, "--devices"});
  if (list.automatic) return gpus_of(machine);
  const auto near = yoke::cpus_near(list.requests, machine);
  std::vector<gpu> all;
  for (std::size_t i = 0; i < list.requests.size(); ++i) {
    const yoke::device_request& each = list.requests[i];
    all.push_back({yoke::name_of(each), near[i], each.of->emulated});
  }
  return all;
}

/// All that the drivers give to this process, which may be fewer than there are on the bus.
std::string devices_found() {
  std::string all;
  for (const yoke::backend& each : yoke::all_backends()) {
    std::string why;
    const int count = each.emulated ? 0 : each.count(why);
    for (int i = 0; i < count; ++i)
      all += i > 0 ? fmt::format(",{}", i) : fmt::format("{}{}:0", all.empty() ? "" : ";", each.name);
  }
  return all.empty() ? "none" : all;
}

yoke::configuration default_for(const yoke::topology& machine, bool smt, const std::vector<gpu>& gpus) {
  const auto emulated = static_cast<int>(std::ranges::count(gpus, true, &gpu::is_emulated));
  return default_configuration(machine, smt, static_cast<int>(gpus.size()) - emulated, emulated);
}

}  // namespace

layout lay_out(const yoke::topology& machine, bool smt, const yoke::sourced& cus,
               const std::string& devices) {
  const std::vector<gpu> gpus = devices.empty() ? gpus_of(machine) : gpus_named(devices, machine);
  layout made;
  made.shape = cus.value.empty() ? default_for(machine, smt, gpus) : parse_configuration(cus);
  const auto wanted = static_cast<std::size_t>(made.shape.gpu_units);
  yoke::device_cpus near;
  for (std::size_t i = 0; i < std::min(wanted, gpus.size()); ++i) {
    near.push_back(gpus[i].near);
    made.devices.push_back(gpus[i].name);
  }
  const bool emulated = wanted > 0 && gpus.size() >= wanted && std::ranges::all_of(gpus, &gpu::is_emulated);
  const yoke::sourced named{made.shape.text(), cus.value.empty() ? "default" : cus.origin};
  yoke::place_assignment assigned = assign_places(made.shape, named, machine, smt, emulated, near);
  made.places = std::move(assigned.places);
  made.remarks = remarks_on(made.shape, made.places, machine, smt, near);
  if (gpus.size() < wanted)
    made.remarks.push_back(fmt::format("the machine has {} GPU{} for {} GPU compute unit{}", gpus.size(),
                                       gpus.size() == 1 ? "" : "s", wanted, wanted == 1 ? "" : "s"));
  if (!assigned.note.empty()) made.remarks.insert(made.remarks.begin(), assigned.note);
  return made;
}

std::string devices_of(const std::string& option) {
  const std::optional<yoke::sourced> variable = yoke::settings::from_environment().devices;
  const std::string named = option.empty() && variable ? variable->value : option;
  return named.empty() || named == "auto" ? devices_found() : named;
}

bool smt_of(bool option) {
  const std::optional<yoke::sourced> variable = yoke::settings::from_environment().smt;
  return option || (variable && yoke::parse_flag(*variable));
}

json as_json(const layout& of) {
  json units = json::array();
  for (std::size_t i = 0; i < of.places.size(); ++i) {
    const bool is_gpu = std::cmp_greater_equal(i, of.shape.cpu_units);
    json unit{{"unit", i}, {"kind", is_gpu ? "gpu" : "cpu"}, {"cpus", of.places[i]}};
    const std::size_t gpu = i - static_cast<std::size_t>(of.shape.cpu_units);
    if (is_gpu && gpu < of.devices.size()) unit["device"] = of.devices[gpu];
    units.push_back(std::move(unit));
  }
  return {{"configuration", of.shape.text()},
          {"OMP_PLACES", yoke::short_places_text(of.places)},
          {"OMP_PROC_BIND", "close,master"},
          {"units", std::move(units)},
          {"remarks", of.remarks}};
}

std::string table_of(const layout& of) {
  std::string text;
  for (std::size_t i = 0; i < of.places.size(); ++i) {
    const bool is_gpu = std::cmp_greater_equal(i, of.shape.cpu_units);
    const std::size_t gpu = i - static_cast<std::size_t>(of.shape.cpu_units);
    text +=
        fmt::format("  CU {:<4} {}  CPUs {}", i, is_gpu ? "GPU" : "CPU", yoke::cpu_list_text(of.places[i]));
    if (is_gpu) text += "  " + (gpu < of.devices.size() ? of.devices[gpu] : "no device");
    text += "\n";
  }
  return text;
}

}  // namespace tools
