// Where machines come from: this one, a description, a file.
#include "driver_files.hpp"
#include "synthetic_text.hpp"
#include "topology_hwloc.hpp"
#include "xml_of_hwloc.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/settings.hpp>

namespace yoke {

namespace {

machine_parts parts_of(detail::machine_read machine) {
  std::vector<accelerator_info> accelerators = detail::accelerators_of(machine);
  return {.cpus = std::move(machine.cpus),
          .numa_nodes = std::move(machine.numa_nodes),
          .caches = std::move(machine.caches),
          .accelerators = std::move(accelerators)};
}

std::string told_by() {
  std::string all;
  for (const auto& [name, value] : detail::variables_of_hwloc())
    all += fmt::format("{}{}={}", all.empty() ? "" : " ", name, value);
  return all;
}

topology load_this_machine(bool accelerators) {
  const std::vector<int> allowed = allowed_cpus_at_start();
  machine_parts parts = parts_of(detail::read_this_machine(accelerators).value_or(detail::machine_read{}));
  parts.told_by = told_by();
  parts.accelerators = detail::told_by_drivers(std::move(parts.accelerators), "/");
  topology confined = topology{parts}.confined_to(allowed);
  if (!confined.cpus().empty()) return confined;
  // hwloc knows nothing of these CPUs (no /sys, or HWLOC_ variables describe another machine).
  std::vector<cpu_info> cpus;
  for (const int cpu : allowed) cpus.push_back({.cpu = cpu, .core = cpu, .cache = cpu});
  return topology{{.cpus = std::move(cpus), .told_by = parts.told_by}};
}

/// What is known already need not be read again.
constinit std::atomic<bool> has_read_bus{false};

/// The process may have been left fewer CPUs since it was loaded (keep_to_cpus).
topology of_allowed(const topology& loaded) {
  const std::vector<int> allowed = allowed_cpus_at_start();
  return std::ssize(allowed) < loaded.n_cpus() ? loaded.confined_to(allowed) : loaded;
}

topology without_accelerators(const topology& machine) {
  return topology{{.cpus = machine.cpus(),
                   .numa_nodes = machine.numa_nodes(),
                   .caches = machine.caches(),
                   .told_by = machine.told_by()}};
}

}  // namespace

namespace detail {

std::vector<std::pair<std::string, std::string>> variables_of_hwloc() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const char* name : machine_variables)
    if (std::optional<std::string> value = get_environment(name)) all.emplace_back(name, *std::move(value));
  return all;
}

}  // namespace detail

std::string topology::remark() const {
  return told_by().empty() ? "" : fmt::format("; hwloc describes the machine of {}, not this one", told_by());
}

topology topology::of_this_machine() {
  static const topology machine =
      has_read_bus ? without_accelerators(with_accelerators()) : load_this_machine(false);
  return of_allowed(machine);
}

topology topology::with_accelerators() {
  static const topology machine = [] {
    topology loaded = load_this_machine(true);
    has_read_bus = true;
    return loaded;
  }();
  return of_allowed(machine);
}

topology topology::synthetic(const std::string& description) {
  detail::check_synthetic({description, "synthetic description"});
  if (std::optional<detail::machine_read> machine = detail::read_synthetic(description))
    return topology{parts_of(*std::move(machine))};
  throw config_error{
      fmt::format("\"{}\" is no hwloc synthetic description; one is \"numa:2 core:4 pu:2\"", description)};
}

namespace {

/// More than any machine's description has; empty where it cannot be read.
std::string beginning_of(const std::string& path) {
  std::string text(std::size_t{64} << 20, '\0');
  std::ifstream file{path, std::ios::binary};
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

}  // namespace

topology topology::from_xml(const std::string& file) {
  if (std::optional<detail::machine_read> machine = detail::read_xml(file))
    return topology{parts_of(*std::move(machine))};
  const std::string text = beginning_of(file);
  if (const std::optional<std::string> older = detail::as_of_hwloc_2(text))
    if (std::optional<detail::machine_read> machine = detail::read_xml_text(*older))
      return topology{parts_of(*std::move(machine))};
  if (const std::string version = detail::version_of_xml(text); !version.empty())
    throw config_error{fmt::format(
        "{}: is in version {} of hwloc's files, and cannot be read; on its machine hwloc 3 writes one that "
        "can with: lstopo --export-xml-flags v2 machine.xml",
        file, version)};
  throw config_error{
      fmt::format("{}: no machine as hwloc writes it; one is made by: lstopo machine.xml", file)};
}

}  // namespace yoke
