#include <algorithm>
#include <fmt/format.h>
#include <omp.h>

#include <yoke/environment_mark.hpp>
#include <yoke/openmp.hpp>

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

constinit thread_local int outer_thread_in_region = -1;

}  // namespace

int outer_thread() noexcept {
  if (outer_thread_in_region >= 0) return outer_thread_in_region;
  return std::max(omp_get_ancestor_thread_num(1), 0);
}

bool in_region() noexcept { return outer_thread_in_region >= 0 || level() > 0; }

outer_region::outer_region(int outer_thread) noexcept { outer_thread_in_region = outer_thread; }
outer_region::~outer_region() { outer_thread_in_region = -1; }

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

void keep_inner_teams() {
  if (is_set_by_user("KMP_HOT_TEAMS_MAX_LEVEL")) return;
  const bool may_warn = !is_set_by_user("KMP_WARNINGS");
  if (may_warn) kmp_set_warnings_off();  // it warns where it is too late, which is found out otherwise
  kmp_set_defaults("KMP_HOT_TEAMS_MAX_LEVEL=2");
  if (may_warn) kmp_set_warnings_on();
}

void allow_levels(int levels) {
  if (omp_get_max_active_levels() < levels) omp_set_max_active_levels(levels);
}

void set_team_size(int threads) { omp_set_num_threads(threads); }

void rest_behind_region() {
  constexpr int usual = 200, short_time = 1;  // ms
  if (omp_get_thread_num() == 0) return;      // what the first thread sets stays, and is the program's
  if (kmp_get_blocktime() == usual) kmp_set_blocktime(short_time);
}

exact_teams::exact_teams(int levels)
    : levels_before_{omp_get_max_active_levels()}, dynamic_before_{omp_get_dynamic()} {
  allow_levels(levels);
  if (dynamic_before_ != 0) omp_set_dynamic(0);
}
exact_teams::~exact_teams() {
  if (dynamic_before_ != 0) omp_set_dynamic(dynamic_before_);
  if (omp_get_max_active_levels() != levels_before_) omp_set_max_active_levels(levels_before_);
}

int max_active_levels() { return omp_get_max_active_levels(); }

int thread_limit() { return omp_get_thread_limit(); }

std::string why_team_is_small(int wanted) {
  if (const std::string limit = limit_in_environment(wanted); !limit.empty()) return limit + "; unset it";
  if (const int limit = thread_limit(); limit < wanted)
    return fmt::format(
        "the limit is {} threads; raise or unset OMP_THREAD_LIMIT, or thread_limit of an "
        "enclosing teams construct",
        limit);
  return "its settings allow more, so the system may have refused threads; look at the limits of the process "
         "(ulimit -u, pids.max of its cgroup)";
}

bool is_set_by_user(const char* variable) { return detail::is_set_by_user(variable); }

void set_hot_teams() { detail::set_as_yoke("KMP_HOT_TEAMS_MAX_LEVEL", "2"); }

void set_environment(const std::vector<place>& places) {
  set_hot_teams();
  if (is_set_by_user("OMP_PLACES")) return;
  detail::set_as_yoke("OMP_PLACES", places_text(places));
  detail::set_as_yoke("OMP_PROC_BIND", "close,master");
}

}  // namespace yoke::openmp
