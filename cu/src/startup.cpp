// Places are prepared before libomp reads its environment: by a constructor when YOKE_CUS is set, else when a
// runtime is made. Both live in this file, so that whoever prepares places links the constructor, too, from a
// static archive as well.
#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <mutex>

#include <yoke/compute_units.hpp>
#include <yoke/device_list.hpp>
#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>

namespace yoke {

namespace {

struct startup_state {
  std::mutex mutex;
  std::string refusal;          ///< why the constructor could not do what YOKE_CUS says
  bool is_reloaded = false;     ///< a Yoke that is gone has set the places of this process
  std::vector<place> verified;  ///< what libomp had when a configuration was first verified
};

/// Made on first use: the constructor below comes before this file's initializers.
startup_state& state() {
  static startup_state only;
  return only;
}

bool are_emulated(const std::optional<sourced>& devices) {
  if (!devices) return false;
  const device_list list = parse_device_list(*devices);
  return !list.requests.empty() && std::ranges::all_of(list.requests, [](const device_request& each) {
    return each.backend == backend_kind::emulated;
  });
}

/// Runs before static initializers of ordinary priority, as one of them might start libomp.
[[gnu::constructor(102)]] void prepare_at_start() noexcept {
  state().is_reloaded = detail::has_marked_this_process();
  if (!detail::get_environment("YOKE_CUS")) return;
  try {
    const settings given = settings::from_environment();
    prepare_places(parse_configuration(*given.cus), *given.cus, are_emulated(given.devices));
  } catch (const std::exception& failure) {
    // Whoever makes a runtime prepares the places again and meets this error then; it is kept for the case
    // that OpenMP starts in between.
    state().refusal = failure.what();
  }
}

std::vector<place> sorted(std::vector<place> places) {
  for (place& each : places) std::ranges::sort(each);
  return places;
}

/// Whether the places begin with `wanted`; libomp puts thread i of a smaller team on place i all the same.
bool begins_with(const std::vector<place>& places, const std::vector<place>& wanted) {
  return places.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), places.begin());
}

[[noreturn]] void refuse_late(const configuration& wanted, const sourced& origin,
                              const std::vector<place>& in_force, const std::vector<place>& asked) {
  if (!state().verified.empty() || state().is_reloaded) {
    throw config_error{
        fmt::format("{}: needs the places {}, but an earlier runtime of this process has fixed them as {}; "
                    "OpenMP reads its "
                    "places once, so make all runtimes of a process with the same configuration",
                    origin.quoted(), places_text(asked), places_text(in_force))};
  }
  const std::string found = in_force.empty() ? "(none)" : places_text(in_force);
  std::string message = fmt::format(
      "{}: OpenMP had started before the configuration was given, with the places {} instead of {}",
      origin.quoted(), found, places_text(asked));
  if (state().refusal.empty()) {
    message += fmt::format(
        ". It starts at the top of the first function that contains an OpenMP construct, often main: set "
        "YOKE_CUS={} in the environment of the program, or move the construct out of main",
        wanted.text());
  } else {
    message += fmt::format(
        ". At the start of the program YOKE_CUS was refused ({}): what it depends on must then be in the "
        "environment, too, as YOKE_DEVICES",
        state().refusal);
  }
  throw config_error{message};
}

void check_limits(const configuration& wanted, const sourced& origin) {
  if (wanted.cpus_per_unit > 1 && openmp::max_active_levels() < 2) {
    throw config_error{
        fmt::format("{}: only one level of parallel regions may be active, so that inner teams "
                    "would run alone; unset OMP_MAX_ACTIVE_LEVELS and OMP_NESTED",
                    origin.quoted())};
  }
  const int threads = wanted.cpu_units * wanted.cpus_per_unit + wanted.gpu_units;
  if (openmp::thread_limit() < threads) {
    throw config_error{fmt::format("{}: needs {} threads, OMP_THREAD_LIMIT allows {}", origin.quoted(),
                                   threads, openmp::thread_limit())};
  }
}

}  // namespace

place_assignment prepare_places(const configuration& wanted, const sourced& origin, bool emulated_devices) {
  const std::optional<sourced> smt = settings::from_environment().smt;
  const bool use_smt = smt && parse_flag(*smt);
  openmp::check_variables();
  place_assignment assigned;
  try {
    assigned = assign_places(wanted, origin, topology::of_this_machine(), use_smt, emulated_devices);
  } catch (const config_error&) {
    // The user's own places may be ones that Yoke would not hand out.
    if (!openmp::is_set_by_user("OMP_PLACES")) throw;
  }
  openmp::set_environment(assigned.places);
  return assigned;
}

std::vector<place> verify_places(const configuration& wanted, const sourced& origin,
                                 const place_assignment& prepared) {
  const omp_places in_force{openmp::places_in_force(), openmp::binding_in_force()};
  const std::scoped_lock lock{state().mutex};
  if (openmp::is_set_by_user("OMP_PLACES") || openmp::is_set_by_user("OMP_PROC_BIND")) {
    check_user_places(wanted, origin, in_force, topology::of_this_machine(), prepared.places);
  } else if (!begins_with(in_force.places, sorted(prepared.places)) || in_force.binding != "close,master") {
    refuse_late(wanted, origin, in_force.places, prepared.places);
  }
  check_limits(wanted, origin);
  if (state().verified.empty()) state().verified = in_force.places;
  return {in_force.places.begin(), in_force.places.begin() + wanted.units()};
}

}  // namespace yoke
