// Places are prepared before libomp reads its environment: by a constructor when YOKE_CUS is set, else when a
// runtime is made. Both live in this file, so that whoever prepares places links the constructor, too, from a
// static archive as well.
#include <algorithm>
#include <exception>
#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/compute_units.hpp>
#include <yoke/device_affinity.hpp>
#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>
#include <yoke/places_text.hpp>

namespace yoke {

namespace {

bool are_emulated(const std::optional<sourced>& devices) {
  if (!devices) return false;
  const device_list list = parse_device_list(*devices);
  return !list.requests.empty() &&
         std::ranges::all_of(list.requests, [](const device_request& each) { return each.of->emulated; });
}

/// The devices that GPU CUs will take; of `auto` as many as could be.
std::vector<device_request> devices_named(const std::optional<sourced>& devices, int gpu_units) {
  device_list list = devices ? parse_device_list(*devices) : device_list{.automatic = true, .requests = {}};
  if (!list.automatic) return std::move(list.requests);
  for (const backend& each : all_backends()) {
    for (int i = 0; each.automatic && i < gpu_units; ++i) list.requests.push_back({.of = &each, .index = i});
  }
  list.requests.resize(std::min(list.requests.size(), static_cast<std::size_t>(gpu_units)));
  return std::move(list.requests);
}

void prepare_from_environment() {
  const settings given = settings::from_environment();
  given.check_names(backend_settings());
  if (!given.cus) return;
  const configuration wanted = parse_configuration(*given.cus);
  prepare_places(wanted, *given.cus, are_emulated(given.devices),
                 devices_named(given.devices, wanted.gpu_units));
}

/// Runs before static initializers of ordinary priority, as one of them might start libomp.
[[gnu::constructor(102)]] void prepare_at_start() noexcept {
  openmp::forget_dead_namesake();
  try {
    openmp::set_hot_teams();
    if (detail::get_environment("YOKE_CUS")) prepare_from_environment();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    // Whoever makes a runtime prepares the places again and meets this error then.
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

places_reading read_users_places() {
  return read_places({detail::get_environment("OMP_PLACES").value_or(""), "OMP_PLACES"},
                     topology::of_this_machine());
}

void refuse_fatal_places() {
  if (!openmp::is_set_by_user("OMP_PLACES")) return;
  if (const places_reading read = read_users_places(); read.meaning == places_meaning::fatal)
    throw config_error{read.remark};
}

/// What the user's OMP_PLACES means. libomp may have others: it knows only the CPUs that the first thread had
/// when it started, and libgomp in a library binds that thread before.
places_reading users_places(const std::vector<place>& in_force) {
  places_reading read = read_users_places();
  if (read.meaning != places_meaning::exact) read.places = in_force;
  return read;
}

void check_user_binding(const sourced& origin, const std::string& in_force) {
  if (!openmp::is_set_by_user("OMP_PROC_BIND") || !in_force.starts_with("false")) return;
  throw config_error{fmt::format(
      "{}: OMP_PROC_BIND={} says that threads must not be bound, but compute units bind theirs; unset "
      "it, or set OMP_PROC_BIND=close,master",
      origin.quoted(), in_force)};
}

void check_limits(const configuration& wanted, const sourced& origin) {
  const bool is_one_level =
      openmp::is_set_by_user("OMP_MAX_ACTIVE_LEVELS") || openmp::is_set_by_user("OMP_NESTED");
  if (wanted.cpus_per_unit > 1 && is_one_level && openmp::max_active_levels() < 2) {
    throw config_error{
        fmt::format("{}: only one level of parallel regions may be active, so that inner teams "
                    "would run alone; unset OMP_MAX_ACTIVE_LEVELS and OMP_NESTED",
                    origin.quoted())};
  }
  const int threads = wanted.cpu_units * wanted.cpus_per_unit + wanted.gpu_units;
  std::string limit = openmp::limit_in_environment(threads);
  if (limit.empty() && openmp::thread_limit() < threads)
    limit = fmt::format("thread_limit of an enclosing teams construct allows {}", openmp::thread_limit());
  if (!limit.empty())
    throw config_error{fmt::format("{}: needs {} threads, {}; unset it", origin.quoted(), threads, limit)};
}

}  // namespace

place_assignment prepare_places(const configuration& wanted, const sourced& origin, bool emulated_devices,
                                std::span<const device_request> devices) {
  const std::optional<sourced> smt = settings::from_environment().smt;
  const bool use_smt = smt && parse_flag(*smt);
  openmp::check_variables();
  refuse_fatal_places();
  place_assignment assigned;
  try {
    const bool needs_bus = std::ranges::any_of(devices, [](auto& each) { return !each.of->emulated; });
    // Only one is read from the system: without the bus it takes an eighth of the time.
    const topology machine = needs_bus ? topology::with_accelerators() : topology::of_this_machine();
    const device_cpus near = needs_bus ? cpus_near(devices, machine) : device_cpus{};
    assigned = assign_places(wanted, origin, machine, use_smt, emulated_devices, near);
  } catch (const config_error&) {
    // The user's own places may be ones that Yoke would not hand out.
    if (!openmp::is_set_by_user("OMP_PLACES")) throw;
  }
  detail::leave_place_of_parent();
  openmp::set_environment(assigned.places);
  return assigned;
}

bound_places verify_places(const configuration& wanted, const sourced& origin,
                           const place_assignment& prepared) {
  const std::vector<place> in_force = openmp::places_in_force();
  const bool are_users = openmp::is_set_by_user("OMP_PLACES");
  const places_reading users = are_users ? users_places(in_force) : places_reading{};
  bound_places all{.places = sorted(are_users ? users.places : prepared.places)};
  // Before the binding is asked for: that opens a region.
  if (!begins_with(in_force, all.places) && wanted.cpus_per_unit > 1) openmp::keep_inner_teams();
  const std::string binding = openmp::binding_in_force();
  check_user_binding(origin, binding);
  if (are_users) check_user_places(wanted, origin, users, topology::of_this_machine(), prepared.places);
  check_limits(wanted, origin);
  all.places.resize(static_cast<std::size_t>(wanted.units()));
  const bool keeps =
      !thread_binding::has_bound() && begins_with(in_force, all.places) && keeps_inner_teams(binding);
  all.by = keeps ? bound_by::openmp : bound_by::yoke;
  return all;
}

}  // namespace yoke
