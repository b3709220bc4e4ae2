#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <yoke/error.hpp>
#include <yoke/places_text.hpp>

namespace yoke {

namespace {

/// What is wrong with the places; empty when nothing is.
std::string mistake_in_places(const configuration& wanted, const std::vector<place>& places,
                              const topology& machine) {
  const auto units = static_cast<std::size_t>(wanted.units());
  if (places.size() < units) {
    return fmt::format("OMP_PLACES gives {} places, {} are needed", places.size(), units);
  }
  std::set<int> taken;
  for (std::size_t i = 0; i < units; ++i) {
    const place& cpus = places[i];
    const std::string name = fmt::format("place {} of OMP_PLACES, {},", i, places_text({cpus}));
    const bool is_cpu = i < static_cast<std::size_t>(wanted.cpu_units);
    if (is_cpu && cpus.size() != static_cast<std::size_t>(wanted.cpus_per_unit)) {
      return fmt::format("{} has {} CPUs, CPU compute unit {} has {}", name, cpus.size(), i,
                         wanted.cpus_per_unit);
    }
    if (cpus.empty()) return fmt::format("{} has no CPU", name);
    for (const int cpu : cpus) {
      if (!machine.allows(cpu))
        return fmt::format("{} has CPU {}, which this process may not use", name, cpu);
      if (is_cpu && !taken.insert(cpu).second) {
        return fmt::format("{} has CPU {}, which an earlier CPU compute unit has", name, cpu);
      }
    }
  }
  return "";
}

}  // namespace

bool keeps_inner_teams(std::string_view binding) {
  return binding == "close,master" || binding == "close,primary";
}

void check_user_places(const configuration& wanted, const sourced& origin, const places_reading& users,
                       const topology& machine, const std::vector<place>& suggestion) {
  const std::string mistake = mistake_in_places(wanted, users.places, machine);
  if (mistake.empty()) return;
  std::string message = fmt::format("{}: {}", origin.quoted(), mistake);
  if (!users.dropped.empty())
    message += fmt::format(", as this process may not use the CPU{} {}", users.dropped.size() == 1 ? "" : "s",
                           cpu_list_text(users.dropped));
  if (!users.remark.empty()) message += fmt::format(" ({})", users.remark);
  message += "; unset OMP_PLACES and OMP_PROC_BIND";
  if (!suggestion.empty())
    message +=
        fmt::format(", or set\n  OMP_PLACES=\"{}\"\n  OMP_PROC_BIND=close,master", places_text(suggestion));
  throw config_error{message + machine.remark()};
}

}  // namespace yoke
