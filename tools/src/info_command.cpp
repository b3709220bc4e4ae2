#include "commands.hpp"
#include "info_links.hpp"
#include "layout.hpp"
#include "rank_mates.hpp"

#include <fmt/format.h>
#include <map>
#include <set>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>
#include <yoke/places_text.hpp>
#include <yoke/settings.hpp>

namespace tools {

namespace {

std::string size_text(std::size_t bytes) {
  constexpr std::size_t gib = std::size_t{1} << 30;
  constexpr std::size_t mib = std::size_t{1} << 20;
  if (bytes == 0) return "unknown";
  if (bytes >= gib) return fmt::format("{:.4g} GiB", static_cast<double>(bytes) / gib);
  if (bytes >= mib) return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / mib);
  return fmt::format("{} KiB", bytes >> 10);
}

std::size_t count_sockets(const yoke::topology& machine) {
  std::set<int> sockets;
  for (const yoke::cpu_info& each : machine.cpus()) sockets.insert(each.socket);
  return sockets.size();
}

/// Cores of each kind, the fastest first.
std::map<int, int, std::greater<>> kinds_of(const yoke::topology& machine) {
  std::map<int, int, std::greater<>> kinds;
  for (const yoke::cpu_info& each : machine.cpus()) kinds[each.kind] += each.smt_rank == 0 ? 1 : 0;
  return kinds;
}

void print_cpus(const yoke::topology& machine) {
  fmt::print("machine\n  {} socket{}, {} cores, {} CPUs{}, numbered {}\n", count_sockets(machine),
             count_sockets(machine) == 1 ? "" : "s", machine.n_cores(), machine.n_cpus(),
             machine.is_hyperthreaded() ? " (several of a core)" : "", name_of(machine.how_numbered()));
  if (const auto kinds = kinds_of(machine); kinds.size() > 1) {
    fmt::print("  cores of {} kinds, the fastest first:", kinds.size());
    for (const auto& [kind, cores] : kinds) fmt::print(" {}", cores);
    fmt::print("; no compute unit mixes them\n");
  }
  fmt::print("  CPUs of the process  {}\n", yoke::cpu_list_text(machine.usable_cpus(true)));
  for (const auto& each : machine.numa_nodes())
    fmt::print("  NUMA {:<3} {:>10}  CPUs {}\n", each.node, size_text(each.memory),
               yoke::cpu_list_text(each.cpus));
}

void print_caches(const yoke::topology& machine) {
  std::map<std::tuple<int, std::size_t, std::size_t>, int, std::greater<>> alike;
  for (const auto& each : machine.caches()) ++alike[{each.level, each.bytes, each.cpus.size()}];
  for (const auto& [cache, count] : alike) {
    const auto& [level, bytes, cpus] = cache;
    fmt::print("  L{} {} x {}, for {} CPU{} each\n", level, count, size_text(bytes), cpus,
               cpus == 1 ? "" : "s");
  }
}

void print_accelerators(const yoke::topology& machine) {
  fmt::print("accelerators\n");
  if (machine.accelerators().empty()) fmt::print("  none on the PCI bus\n");
  for (const auto& each : machine.accelerators()) {
    fmt::print("  {}  {}  {}, memory {}", each.pci, name_of(each.kind), each.model, size_text(each.memory));
    if (each.link > 0) fmt::print(", link {:.1f} GB/s", each.link);
    fmt::print(", near the CPUs {}\n", yoke::cpu_list_text(each.near));
  }
}

json describe(const yoke::device& device) {
  const yoke::device_info& info = device.info();
  return {{"device", info.name},
          {"model", info.model},
          {"memory", info.memory},
          {"free", device.memory_free()},
          {"processors", info.processors}};
}

/// The slices that YOKE_DEVICES names, as they are granted.
json slices_here() {
  json all = json::array();
  const yoke::settings variables = yoke::settings::from_environment();
  if (!variables.devices) return all;
  const yoke::device_list list = yoke::parse_device_list(*variables.devices);
  std::map<std::string, std::vector<yoke::device_request>> of_device;
  for (const yoke::device_request& each : list.requests)
    if (each.is_slice()) of_device[yoke::name_of_device(each)].push_back(each);
  for (const auto& [name, slices] : of_device) {
    const yoke::backend& of = *slices.front().of;
    const auto options = of.options ? variables.find(of.options->variable.name) : std::nullopt;
    const auto whole = of.open(slices.front(), options);
    for (const auto& slice : of.split(*whole, slices)) all.push_back(describe(*slice));
  }
  return all;
}

/// What drivers say, of this machine alone.
json devices_here() {
  json all = json::array();
  for (const yoke::backend& each : yoke::all_backends()) {
    if (each.emulated) continue;
    std::string why;
    const int count = each.count(why);
    if (count == 0) all.push_back({{"backend", each.name}, {"devices", 0}, {"why", why}});
    for (int i = 0; i < count; ++i) all.push_back(describe(*each.open({.of = &each, .index = i})));
  }
  for (const json& slice : slices_here()) all.push_back(slice);
  return all;
}

void print_devices(const json& devices) {
  fmt::print("devices\n");
  for (const json& each : devices) {
    if (each.contains("why")) {
      fmt::print("  {}: {}\n", each["backend"].get<std::string>(), each["why"].get<std::string>());
      continue;
    }
    fmt::print("  {}  {}, memory {}, free {}, {} processors\n", each["device"].get<std::string>(),
               each["model"].get<std::string>(), size_text(each["memory"]), size_text(each["free"]),
               each["processors"].get<int>());
  }
}

json cpus_json(const yoke::topology& machine) {
  json all = json::array();
  for (const yoke::cpu_info& each : machine.cpus()) {
    all.push_back({{"cpu", each.cpu},
                   {"core", each.core},
                   {"numa", each.numa_node},
                   {"socket", each.socket},
                   {"cache", each.cache},
                   {"kind", each.kind},
                   {"thread", each.smt_rank}});
  }
  return all;
}

json machine_json(const yoke::topology& machine) {
  json all{{"sockets", count_sockets(machine)},
           {"cores", machine.n_cores()},
           {"cpus", cpus_json(machine)},
           {"numbered", name_of(machine.how_numbered())}};
  if (!machine.told_by().empty()) all["told_by"] = machine.told_by();
  for (const auto& each : machine.numa_nodes())
    all["numa_nodes"].push_back({{"node", each.node}, {"memory", each.memory}, {"cpus", each.cpus}});
  for (const auto& each : machine.caches())
    all["caches"].push_back({{"level", each.level}, {"bytes", each.bytes}, {"cpus", each.cpus}});
  all["accelerators"] = json::array();
  for (const auto& each : machine.accelerators()) {
    all["accelerators"].push_back({{"pci", each.pci},
                                   {"kind", name_of(each.kind)},
                                   {"model", each.model},
                                   {"memory", each.memory},
                                   {"link", each.link},
                                   {"near", each.near}});
  }
  return all;
}

yoke::sourced cus_of_environment() {
  return yoke::settings::from_environment().cus.value_or(yoke::sourced{});
}

std::string why_without_configuration(const layout& made) {
  std::string why = made.shape.cpu_units > 0 ? "  every core is a CPU compute unit" : "";
  if (made.shape.gpu_units > 0)
    why += fmt::format("{}each GPU keeps a core near it for its managing thread",
                       made.shape.cpu_units > 0 ? "; " : "  ");
  return why + "\n";
}

void print_units(const layout& made, const yoke::sourced& cus, const yoke::topology& machine) {
  if (cus.value.empty())
    fmt::print("compute units without a configuration: {}\n{}", made.shape.text(),
               why_without_configuration(made));
  else
    fmt::print("compute units of {}\n", cus.quoted());
  fmt::print("{}", picture_of(made, machine));
  for (const std::string& each : made.remarks) fmt::print("  note: {}\n", each);
}

/// What a launcher says of this process, and ranks of one node do to each other; null without one.
json ranks_here() {
  std::optional<launch> me;
  const std::vector<std::string> notes = notes_on_ranks("info", "", "", me);
  if (!me) return nullptr;
  return {{"rank", me->rank}, {"place", me->place}, {"ranks_of_node", me->n_of_node}, {"notes", notes}};
}

void print_ranks(const json& ranks) {
  if (ranks.is_null()) return;
  fmt::print("rank {}, {} of {} on this node\n", ranks["rank"].get<int>(), ranks["place"].get<int>() + 1,
             ranks["ranks_of_node"].get<int>());
  for (const json& each : ranks["notes"]) fmt::print("  note: {}\n", each.get<std::string>());
}

}  // namespace

int run_info(const info_options& options) {
  if (options.links && !options.machine.is_this())
    throw yoke::config_error{fmt::format(
        "--links: only links of this machine can be measured; leave out --machine {}", options.machine.text)};
  const yoke::topology machine = machine_of(options.machine);
  const yoke::sourced cus = options.machine.is_this() ? cus_of_environment() : yoke::sourced{};
  const layout made = options.machine.is_this()
                          ? lay_out(machine, smt_of(options.machine.smt), cus, devices_of(""))
                          : lay_out(machine, options.machine.smt, cus, "");
  const json devices = options.machine.is_this() ? devices_here() : json::array();
  const json links = options.machine.is_this() ? links_here(options.links) : json::array();
  const json ranks = options.machine.is_this() ? ranks_here() : json{};
  if (options.json) {
    json all{
        {"machine", machine_json(machine)}, {"devices", devices}, {"links", links}, {"units", as_json(made)}};
    if (!ranks.is_null()) all["ranks"] = ranks;
    print_json(all);
    return fine;
  }
  if (!machine.told_by().empty()) fmt::print("described by {}, not this machine\n", machine.told_by());
  print_cpus(machine);
  print_caches(machine);
  print_accelerators(machine);
  if (options.machine.is_this()) print_devices(devices);
  print_links(links);
  print_units(made, cus, machine);
  print_ranks(ranks);
  return fine;
}

}  // namespace tools
