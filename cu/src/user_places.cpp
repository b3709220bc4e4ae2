#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <yoke/error.hpp>
#include <yoke/places.hpp>

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

bool is_right_binding(std::string_view binding) {
  return binding == "close,master" || binding == "close,primary";
}

}  // namespace

void check_user_places(const configuration& wanted, const sourced& origin, const omp_places& in_force,
                       const topology& machine, const std::vector<place>& suggestion) {
  const std::string in_places = mistake_in_places(wanted, in_force.places, machine);
  if (in_places.empty() && is_right_binding(in_force.binding)) return;
  std::string message = fmt::format("{}: ", origin.quoted());
  if (!in_places.empty()) {
    message += in_places;
  } else {
    message += fmt::format(
        "the binding in force is OMP_PROC_BIND={}, which would not keep inner teams inside "
        "their compute unit",
        in_force.binding);
  }
  const std::vector<place>& better = in_places.empty() ? in_force.places : suggestion;
  if (!better.empty()) {
    message +=
        fmt::format("; unset both variables, or set\n  OMP_PLACES=\"{}\"\n  OMP_PROC_BIND=close,master",
                    places_text(better));
  }
  throw config_error{message};
}

}  // namespace yoke
