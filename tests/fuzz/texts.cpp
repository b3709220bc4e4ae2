// What users write into variables and options, and what a process before this one has left: the first
// character ('0' to '>') chooses the parser, the rest is the text.

#include "../../base/src/process_stat.hpp"
#include "../../base/src/synthetic_text.hpp"
#include "../../runtime/src/plugin_name.hpp"
#include "driver/run/options.hpp"
#include "machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/device_list.hpp>
#include <yoke/emulated.hpp>
#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>
#include <yoke/openmp.hpp>
#include <yoke/places_text.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/settings.hpp>
#include <yoke/topology.hpp>
#include <yoke/visible_devices.hpp>

namespace {

void must(bool what, const char* text) {
  if (what) return;
  std::fprintf(stderr, "not so: %s\n", text);
  std::abort();
}

void read_configuration(const std::string& text) {
  const yoke::configuration shape = yoke::parse_configuration({text, "YOKE_CUS"});
  must(yoke::parse_configuration({shape.text(), "x"}) == shape, "a configuration's text reads back the same");
}

void read_places(const std::string& text) {
  static const yoke::topology machine = yoke::topology::synthetic("pack:2 l3:2 core:2 pu:2");
  const yoke::places_reading found = yoke::read_places({text, "OMP_PLACES"}, machine);
  if (found.places.empty()) return;
  const yoke::places_reading again = yoke::read_places({yoke::short_places_text(found.places), "x"}, machine);
  must(yoke::places_text(again.places) == yoke::places_text(found.places), "places read back the same");
}

/// `option`: as "--grid=".
npb::options npb_options(const std::string& option, const std::string& text) {
  const std::string given = option + text;
  const std::array<const char*, 2> arguments{"sp-mz", given.c_str()};
  std::string told;
  return npb::parse_options(arguments.size(), arguments.data(), "sp-mz", told).value();
}

void read_grid(const std::string& text) {
  const npb::grid_size n = npb_options("--grid=", text).grid.value();
  must(n.x > 0 && n.y > 0 && n.z > 0, "a grid that is accepted has points");
}

void read_zones(const std::string& text) {
  const npb::zone_grid n = npb_options("--zones=", text).zones.value();
  must(n.x > 0 && n.y > 0, "zones that are accepted are some");
}

/// "03,4": the variable of number '0' is "3,4".
void read_openmp_variable(const std::string& text) {
  static const std::vector<std::string> names = yoke::openmp::checked_variables();
  if (text.empty()) return;
  const auto which = static_cast<unsigned char>(text[0] - '0') % names.size();
  yoke::openmp::check_variable({text.substr(1), names[which]});
}

void read_visible_devices(const std::string& text) {
  static const yoke::driver_numbering by{.kind = yoke::accelerator_kind::cuda,
                                         .lists = {"CUDA_VISIBLE_DEVICES"}};
  if (text.find('\0') != std::string::npos) return;
  yoke::detail::set_environment("CUDA_VISIBLE_DEVICES", text);
  const std::vector<std::size_t> seen = yoke::visible_positions(by, 4);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    must(seen[i] < 4, "a device that is seen is there");
    must(yoke::name_of_visible(by, static_cast<int>(i)) == std::to_string(seen[i]),
         "it has the name of its position");
  }
}

/// What a process before this one may have left.
void read_mark(const std::string& text) {
  if (text.find('\0') != std::string::npos) return;
  yoke::detail::set_environment("_YOKE_SET", text);
  yoke::detail::is_set_by_user("OMP_PLACES");
  yoke::detail::cpus_before_binding();
}

/// A name without a colon has a file alone; nothing is loaded.
void read_plugin(const std::string& text) {
  const std::string name{yoke::detail::schedule_name_in(text)};
  const auto found = yoke::detail::plugin_named_in(text);
  if (!found)
    return must(name.find_first_of("/:") == std::string::npos, "what may be a file is none of ours");
  const bool has_colon = name.find(':') != std::string::npos;
  must(found->prefix + (has_colon ? ":" : "") + found->schedule == name, "a plugin's name has two parts");
  must(found->schedule.find(':') == std::string::npos, "the last colon divides");
}

/// Of a small machine, as hwloc takes a second for a large one.
void read_synthetic(const std::string& text) {
  constexpr int most = 256;
  yoke::detail::check_synthetic({text, "--machine"}, most);
  const yoke::topology machine = yoke::topology::synthetic(text);
  must(machine.n_cpus() > 0 && machine.n_cpus() <= most, "a machine that is accepted has CPUs");
  const std::vector<int> cpus = machine.usable_cpus(true);
  must(std::set(cpus.begin(), cpus.end()).size() == cpus.size(), "no two CPUs have one number");
  must(std::ranges::min(cpus) >= 0, "numbers of CPUs are not negative");
}

/// A line of /proc/PID/stat.
void read_process(const std::string& text) {
  const yoke::detail::process_seen seen = yoke::detail::process_in(text);
  must(seen.parent.find(' ') == std::string::npos, "a parent is one field");
  must(seen.identity.find(':') != std::string::npos, "an identity has two parts");
}

constexpr std::array<void (*)(const std::string&), 15> parsers{
    read_configuration,
    read_places,
    [](const std::string& text) { yoke::parse_device_list({text, "YOKE_DEVICES"}); },
    [](const std::string& text) { yoke::parse_emulated_options({text, "YOKE_EMULATED"}); },
    [](const std::string& text) { yoke::scheduling::check(text, "YOKE_SCHEDULE"); },
    [](const std::string& text) { yoke::parse_flag({text, "YOKE_SMT"}); },
    [](const std::string& text) { tools::parse_cpu_list(text, "--cpus"); },
    read_grid,
    read_zones,
    read_openmp_variable,
    read_visible_devices,
    read_mark,
    read_plugin,
    read_synthetic,
    read_process};

}  // namespace

/// hwloc keeps 32 bytes of a description with NUMA nodes in brackets that it refuses.
// NOLINTNEXTLINE(readability-identifier-naming,bugprone-reserved-identifier): LeakSanitizer's name
extern "C" const char* __lsan_default_suppressions() { return "leak:libhwloc.so"; }

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || data[0] < '0') return -1;
  const std::string text{reinterpret_cast<const char*>(data) + 1, size - 1};
  try {
    parsers[(data[0] - '0') % parsers.size()](text);
  } catch (const yoke::config_error&) {  // a mistake in the text
  }
  return 0;
}
