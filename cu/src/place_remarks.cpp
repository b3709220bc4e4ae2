#include "core_dealer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include <yoke/places_text.hpp>

namespace yoke {

namespace {

template <class Number>
std::set<int> numbers_of(const place& cpus, const topology& machine, Number number) {
  std::set<int> all;
  for (const int cpu : cpus) all.insert(machine.info_of(cpu).*number);
  return all;
}

void add_spans(std::vector<std::string>& lines, std::size_t unit, const place& cpus,
               const topology& machine) {
  const std::set<int> nodes = numbers_of(cpus, machine, &cpu_info::numa_node);
  if (nodes.size() > 1)
    lines.push_back(fmt::format("CPU compute unit {} spans the NUMA nodes {}", unit, fmt::join(nodes, ", ")));
}

bool is_far(int cpu, const device_cpus& near, std::size_t gpu) {
  return gpu < near.size() && !near[gpu].empty() && std::ranges::count(near[gpu], cpu) == 0;
}

}  // namespace

std::vector<std::string> remarks_on(const configuration& wanted, const std::vector<place>& places,
                                    const topology& machine, bool smt, const device_cpus& near) {
  std::vector<std::string> lines;
  const auto cpu_units = static_cast<std::size_t>(wanted.cpu_units);
  for (std::size_t i = 0; i < cpu_units; ++i) add_spans(lines, i, places[i], machine);
  for (std::size_t i = cpu_units; i < places.size(); ++i) {
    if (is_far(places[i].front(), near, i - cpu_units))
      lines.push_back(fmt::format("GPU compute unit {} is managed by CPU {}, which is not near its device", i,
                                  places[i].front()));
  }
  std::vector<int> unused = machine.usable_cpus(smt);
  for (const place& each : places)
    std::erase_if(unused, [&](int cpu) { return std::ranges::count(each, cpu) > 0; });
  if (!unused.empty())
    lines.push_back(fmt::format("no compute unit has the CPU{} {}", unused.size() == 1 ? "" : "s",
                                cpu_list_text(unused)));
  return lines;
}

}  // namespace yoke
