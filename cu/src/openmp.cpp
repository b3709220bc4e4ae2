#include <algorithm>
#include <map>
#include <mutex>
#include <omp.h>

#include <yoke/openmp.hpp>
#include <yoke/settings.hpp>

namespace yoke::openmp {

namespace {

const char* name_of(omp_proc_bind_t policy) {
  switch (static_cast<int>(policy)) {
    case omp_proc_bind_false:
      return "false";
    case omp_proc_bind_true:
      return "true";
    case omp_proc_bind_master:
      return "master";
    case omp_proc_bind_close:
      return "close";
    case omp_proc_bind_spread:
      return "spread";
    default:
      return "unknown";
  }
}

/// What Yoke wrote into each variable, to tell it from what the user set. Made on first use: the start-up
/// constructor comes before this file's initializers.
struct written_variables {
  std::mutex mutex;
  std::map<std::string, std::string> values;
};

written_variables& written() {
  static written_variables all;
  return all;
}

bool is_users(const written_variables& all, const char* variable) {
  const auto value = detail::get_environment(variable);
  if (!value) return false;
  const auto ours = all.values.find(variable);
  return ours == all.values.end() || ours->second != *value;
}

void write(written_variables& all, const char* variable, const std::string& value) {
  if (is_users(all, variable)) return;
  detail::set_environment(variable, value);
  all.values[variable] = value;
}

}  // namespace

int outer_thread() noexcept { return std::max(omp_get_ancestor_thread_num(1), 0); }

int level() noexcept { return omp_get_level(); }

int team_size() noexcept { return omp_get_num_threads(); }

std::vector<place> places_in_force() {
  std::vector<place> places(static_cast<std::size_t>(omp_get_num_places()));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int index = static_cast<int>(i);
    places[i].resize(static_cast<std::size_t>(omp_get_place_num_procs(index)));
    omp_get_place_proc_ids(index, places[i].data());
    std::ranges::sort(places[i]);
  }
  return places;
}

std::string binding_in_force() {
  const std::string outer = name_of(omp_get_proc_bind());
  std::string inner;
  // A team of one runs on the calling thread, yet has the next item of the list.
#pragma omp parallel num_threads(1)
  inner = name_of(omp_get_proc_bind());
  return inner == outer ? outer : outer + "," + inner;
}

int max_active_levels() { return omp_get_max_active_levels(); }

int thread_limit() { return omp_get_thread_limit(); }

bool is_set_by_user(const char* variable) {
  written_variables& all = written();
  const std::scoped_lock lock{all.mutex};
  return is_users(all, variable);
}

void set_environment(const std::vector<place>& places) {
  written_variables& all = written();
  const std::scoped_lock lock{all.mutex};
  write(all, "KMP_HOT_TEAMS_MAX_LEVEL", "2");
  if (is_users(all, "OMP_PLACES")) return;
  write(all, "OMP_PLACES", places_text(places));
  write(all, "OMP_PROC_BIND", "close,master");
}

}  // namespace yoke::openmp
