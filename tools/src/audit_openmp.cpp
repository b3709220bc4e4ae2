#include "audit.hpp"
#include "system_texts.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/openmp.hpp>
#include <yoke/places_text.hpp>

namespace tools {

namespace {

void audit_places(const audit_subject& of, const std::string& text, findings& found) {
  const yoke::places_reading read = yoke::read_places({text, "OMP_PLACES"}, of.around.machine);
  if (read.meaning == yoke::places_meaning::fatal || read.meaning == yoke::places_meaning::fallback)
    found.push_back({true, read.remark, "unset OMP_PLACES"});
  if (!read.dropped.empty())
    found.push_back({true,
                     fmt::format("OMP_PLACES={}: this process may not use the CPUs {}; OpenMP drops them",
                                 text, yoke::cpu_list_text(read.dropped)),
                     "unset OMP_PLACES"});
  if (!of.shape || read.places.empty()) return;
  try {
    check_user_places(*of.shape, of.cus, read, of.around.machine, {});
  } catch (const yoke::config_error& refusal) {
    found.push_back({true, refusal.what(), "unset OMP_PLACES OMP_PROC_BIND"});
  }
}

void audit_ignored_places(const audit_subject& of, findings& found) {
  for (const char* name : {"KMP_AFFINITY", "GOMP_CPU_AFFINITY"}) {
    if (const std::string* value = of.around.find(name))
      found.push_back({true, fmt::format("{}={}: OpenMP then ignores OMP_PLACES", name, *value),
                       fmt::format("unset {}", name)});
  }
}

void audit_levels(const audit_subject& of, findings& found) {
  if (!of.shape || of.shape->cpus_per_unit < 2) return;
  const std::string* levels = of.around.find("OMP_MAX_ACTIVE_LEVELS");
  if (levels != nullptr && (*levels == "1" || *levels == "0"))
    found.push_back({true,
                     fmt::format("OMP_MAX_ACTIVE_LEVELS={}: inner teams would have one thread, not {}",
                                 *levels, of.shape->cpus_per_unit),
                     "unset OMP_MAX_ACTIVE_LEVELS"});
  const std::string* nested = of.around.find("OMP_NESTED");
  if (nested != nullptr && (lower(*nested) == "false" || *nested == "0"))
    found.push_back(
        {true, fmt::format("OMP_NESTED={}: inner teams would have one thread", *nested), "unset OMP_NESTED"});
  const std::string* hot = of.around.find("KMP_HOT_TEAMS_MAX_LEVEL");
  if (hot != nullptr && (*hot == "0" || *hot == "1"))
    found.push_back(
        {false,
         fmt::format("KMP_HOT_TEAMS_MAX_LEVEL={}: inner teams are created again for each region", *hot),
         "unset KMP_HOT_TEAMS_MAX_LEVEL"});
}

void audit_thread_limits(const audit_subject& of, findings& found) {
  for (const char* name : yoke::openmp::limiting_variables) {
    const std::string* value = of.around.find(name);
    if (value == nullptr) continue;
    const std::string how = yoke::openmp::how_it_limits({*value, name}, of.threads());
    if (how.empty()) continue;
    const std::string needs = of.shape
                                  ? fmt::format("{} needs {} threads", of.shape->text(), of.threads())
                                  : fmt::format("compute units of all cores need {} threads", of.threads());
    found.push_back(
        {true, fmt::format("{}={} {}: {}", name, *value, how, needs), fmt::format("unset {}", name)});
  }
}

/// What makes teams small that programs open themselves; those of Yoke say how many threads they need.
void audit_programs_teams(const audit_subject& of, findings& found) {
  for (const char* name : {"KMP_HW_SUBSET", "KMP_PLACE_THREADS"}) {
    if (const std::string* value = of.around.find(name))
      found.push_back(
          {false,
           fmt::format("{}={}: OpenMP knows a part of the CPUs alone, so that regions of a program "
                       "get fewer threads, and Yoke binds the threads of compute units itself",
                       name, *value),
           fmt::format("unset {}", name)});
  }
  const std::string* dynamic = of.around.find("OMP_DYNAMIC");
  if (dynamic != nullptr && (lower(*dynamic) == "true" || *dynamic == "1"))
    found.push_back(
        {false, fmt::format("OMP_DYNAMIC={}: OpenMP may give regions of a program fewer threads", *dynamic),
         "unset OMP_DYNAMIC"});
}

void audit_waiting(const audit_subject& of, findings& found) {
  const std::string* policy = of.around.find("OMP_WAIT_POLICY");
  if (policy != nullptr && lower(*policy) == "passive")
    found.push_back(
        {false, "OMP_WAIT_POLICY=passive: threads sleep between regions, which costs some 50 us each time",
         "unset OMP_WAIT_POLICY"});
  const std::string* time = of.around.find("KMP_BLOCKTIME");
  if (time != nullptr && *time == "0")
    found.push_back({false, "KMP_BLOCKTIME=0: threads sleep at once between regions", "unset KMP_BLOCKTIME"});
}

/// What libomp does not survive; of affinities, more is said elsewhere.
void audit_values(const audit_subject& of, findings& found) {
  for (const std::string& name : yoke::openmp::checked_variables()) {
    const std::string* value = of.around.find(name);
    if (value == nullptr || name.ends_with("_AFFINITY")) continue;
    try {
      yoke::openmp::check_variable({*value, name});
    } catch (const yoke::config_error& refusal) {
      found.push_back({true, refusal.what(), fmt::format("unset {}", name)});
    }
  }
}

}  // namespace

void audit_openmp(const audit_subject& of, findings& found) {
  if (const std::string* places = of.around.find("OMP_PLACES")) audit_places(of, *places, found);
  if (const std::string* bind = of.around.find("OMP_PROC_BIND");
      bind != nullptr && lower(*bind).starts_with("false"))
    found.push_back(
        {true,
         fmt::format("OMP_PROC_BIND={}: threads must not be bound, but compute units bind theirs", *bind),
         "export OMP_PROC_BIND=close,master"});
  audit_values(of, found);
  audit_ignored_places(of, found);
  audit_levels(of, found);
  audit_thread_limits(of, found);
  audit_programs_teams(of, found);
  audit_waiting(of, found);
}

}  // namespace tools
