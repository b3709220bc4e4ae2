#include "resolved_settings.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>
#include <yoke/number_range.hpp>
#include <yoke/openmp.hpp>
#include <yoke/rank_of_process.hpp>
#include <yoke/topology.hpp>
#include <yoke/unit_sizes.hpp>
#include <yoke/version.hpp>

namespace yoke::detail {

namespace {

using optional_text = std::optional<sourced>;

constexpr std::string_view by_default = "default";  // an origin: nobody chose

sourced pick(const optional_text& option, const optional_text& variable, std::string_view default_value) {
  if (option) return *option;
  if (variable) return *variable;
  return {std::string{default_value}, std::string{by_default}};
}

/// Also of a variable that an option beats: a mistake in the environment does not wait for its turn.
void check_variables(const settings& variables) {
  variables.check_names(backend_settings());
  if (variables.cus) static_cast<void>(parse_configuration(*variables.cus));
  if (variables.devices) static_cast<void>(list_devices(*variables.devices));
  if (variables.schedule) check_schedule(*variables.schedule);
  if (variables.profile) check_profile(*variables.profile);
}

/// As many cores as a GPU does the work of, about, as long as nothing is known of it.
constexpr double cores_of_a_gpu = 400;

/// Of the GPUs that will be used; 0 where these are parts or emulated, of which nobody knows as little.
double cores_of_gpus(const resolved_settings& all) {
  const auto n = static_cast<std::size_t>(all.shape.gpu_units);
  const auto is_whole = [](const device_request& one) {
    return !one.of->emulated && !one.is_slice() && one.spaces == 0;
  };
  return std::ranges::all_of(std::span{all.devices.items}.first(n), is_whole)
             ? cores_of_a_gpu * all.shape.gpu_units
             : 0;
}

/// `gain`: over CUs of one CPU, without GPUs.
std::string why_so_large(int cpus_each, double gain) {
  if (cpus_each == 1) return "whole tasks side by side; larger CUs would gain less than a tenth";
  if (gain < 1) return "beside the GPUs a task would take most of a pass, or longer, on fewer CPUs";
  return fmt::format("a pass is predicted to be {:.2f} times as fast as with a CPU for each CU", gain);
}

/// CPUs are put together where the tasks that will be run gain by it. Not hardware threads: a CU has those of
/// whole cores. Gives what a pass takes on CPUs alone, if all of the work on one core takes 1.
double suit_to(const runtime_options& options, resolved_settings& all) {
  const std::span<const double> weights = options.weights;
  configuration& shape = all.shape;
  const int cpus = shape.cpu_units;
  if (weights.empty() || shape.cpus_per_unit != 1) return 1.0 / std::max(cpus, 1);
  const scheduling::unit_sizes best =
      scheduling::sizes_beside(cores_of_gpus(all), weights, cpus, options.team);
  shape.cpu_units = best.units;
  shape.cpus_per_unit = best.cpus_each;
  const double gain = scheduling::sized(weights, cpus, 1, options.team).in_all() / best.in_all();
  all.why_sizes = fmt::format("{}: chosen for {} tasks on {} CPUs: {}", shape.text(), weights.size(), cpus,
                              why_so_large(best.cpus_each, gain));
  return best.pass;
}

/// Whether the program told how long it runs, and nobody chose.
bool may_close(const resolved_settings& all, const runtime_options& options) {
  return options.core_seconds > 0 && all.devices.text.origin == by_default &&
         all.schedule.origin == by_default;
}

/// Where the choice is Yoke's, and CPUs beside the GPUs would save next to nothing, the GPUs are alone.
/// Whoever gives places has chosen CPUs.
bool use_gpus_alone(resolved_settings& all, const runtime_options& options) {
  const double on_gpus = all.shape.gpu_units > 0 ? cores_of_gpus(all) : 0;
  if (!may_close(all, options) || !(on_gpus > 0) || all.shape.cpu_units == 0) return false;
  if (openmp::is_set_by_user("OMP_PLACES")) return false;
  const int cpus = all.shape.cpu_units;
  const scheduling::worth_of_cpus worth = scheduling::worth_beside(on_gpus, cpus, options.core_seconds);
  if (worth.is_enough()) return false;
  const std::string both = all.shape.text();
  all.shape.cpu_units = 0;
  all.why_sizes = fmt::format(
      "{}: CPUs stay out: {} beside the GPU{} would save {:.2g} s of the run, as predicted, and take about "
      "{:.2g} s to start; YOKE_CUS={} uses them",
      all.shape.text(), cpus, all.shape.gpu_units == 1 ? "" : "s", worth.saved, worth.taken, both);
  return true;
}

/// All CPUs, each a CU, and every device that was named or, for `auto`, found.
void use_everything(resolved_settings& all, bool smt, const runtime_options& options) {
  const int vendor = all.devices.n_vendor();
  // The one that places are taken from, too: each is read from the system anew.
  const topology machine = vendor > 0 ? topology::with_accelerators() : topology::of_this_machine();
  all.shape = default_configuration(machine, smt, vendor, all.devices.size() - vendor);
  if (!use_gpus_alone(all, options)) suit_to(options, all);
}

/// Each further GPU has to save this part of what it takes to open: that is off the clock of most programs,
/// and is waited for all the same.
constexpr double least_saved = 1.0 / 12;
constexpr int most_devices = 1024;

void find_devices_that_pay(resolved_settings& all, const runtime_options& options) {
  const std::optional<wanted_devices::opening_times> opening = all.devices.opening();
  if (!may_close(all, options) || !opening || !all.devices.turns.are_alone())
    return all.devices.find_automatic();
  const double on_one = options.core_seconds / cores_of_a_gpu;
  const auto saved_by_another = [on_one](int n) { return on_one / n - on_one / (n + 1); };
  int n = 1;
  while (n < most_devices && saved_by_another(n) > least_saved * opening->another) ++n;
  const std::optional<int> seen = all.devices.seen();
  all.devices.find_automatic(n, seen.value_or(0) <= n);
  const int there = seen.value_or(all.devices.size());
  if (there <= n) return;
  const int taken = std::min(n, all.devices.size());
  all.devices.items.resize(static_cast<std::size_t>(taken));
  if (taken < n) {
    all.why_closed = fmt::format(
        "{} of {} GPUs opened, and no more than {} looked for ({}); YOKE_DEVICES=auto looks for them all",
        taken, there, n, all.devices.found);
    return;
  }
  all.why_closed = fmt::format(
      "{} of {} GPUs opened: one more is predicted to save {:.2g} s of the run, and takes {:.2g} s to open; "
      "YOKE_DEVICES=auto opens them all",
      n, there, saved_by_another(n), opening->another);
}

/// Where the choice is Yoke's and CPUs are through before a device would be open, they run alone; false
/// otherwise. A device is taken to be ten times as fast as all of them.
bool use_cpus_alone(resolved_settings& all, bool smt, const runtime_options& options) {
  if (!may_close(all, options)) return false;
  const std::optional<wanted_devices::opening_times> opening = all.devices.opening();
  if (!opening) return false;
  resolved_settings alone = all;
  alone.shape = default_configuration(topology::of_this_machine(), smt, 0, 0);
  const int cpus = alone.shape.cpu_units;
  const double takes = options.core_seconds * suit_to(options, alone);
  if (0.9 * takes > opening->first) return false;
  alone.why_closed = fmt::format(
      "GPUs stay closed: {} CPU{} predicted to finish in {:.2g} s, and opening a GPU takes about {:.2g} "
      "s; "
      "YOKE_DEVICES=auto opens them",
      cpus, cpus == 1 ? " is" : "s are", takes, opening->first);
  all = std::move(alone);
  return true;
}

/// Without GPU CUs no vendor's driver is woken.
void resolve_shape(resolved_settings& all, const optional_text& cus, bool smt,
                   const runtime_options& options) {
  if (cus) {
    all.cus = *cus;
    all.shape = parse_configuration(*cus);
    if (all.shape.gpu_units > 0) all.devices.find_automatic(all.shape.gpu_units);
  } else {
    if (!use_cpus_alone(all, smt, options)) {
      find_devices_that_pay(all, options);
      use_everything(all, smt, options);
    }
    all.cus = {all.shape.text(), std::string{by_default}};
  }
  check_enough_devices(all.shape, all.cus, all.devices);
}

/// Plain strings get the name of their option.
runtime_options with_origins(runtime_options options) {
  const auto name = [](option_value& value, const char* origin) {
    if (value && value->origin.empty()) value->origin = origin;
  };
  name(options.cus, "runtime_options.cus");
  name(options.devices, "runtime_options.devices");
  name(options.schedule, "runtime_options.schedule");
  name(options.trace, "runtime_options.trace");
  name(options.profile, "runtime_options.profile");
  return options;
}

void check_core_seconds(double seconds) {
  if (amounts_or_none.has(seconds)) return;
  throw usage_error{fmt::format("runtime_options.core_seconds: {} is no time; 0 is unknown, others are {}",
                                seconds, amounts.accepted())};
}

void check_team(const scheduling::team_model& team) {
  const bool is_share = team.fixed_share >= 0 && team.fixed_share <= 1;
  if (is_share && amounts_or_none.has(team.fixed_weight) && team.pieces >= 0) return;
  throw usage_error{
      fmt::format("runtime_options.team: {{{}, {}, {}}} is no model; fixed_share is from 0 to 1, "
                  "fixed_weight {}, pieces 0 "
                  "or above",
                  team.fixed_share, team.fixed_weight, team.pieces, amounts_or_none.accepted())};
}

void check_weights(std::span<const double> weights) {
  const auto is_wrong = [](double weight) { return !amounts.has(weight); };
  const auto at = std::ranges::find_if(weights, is_wrong);
  if (at == weights.end()) return;
  throw usage_error{fmt::format("runtime_options.weights: that of task {} is {}; a weight is {}",
                                at - weights.begin(), *at, amounts.accepted())};
}

std::vector<setting_in_force> list(const resolved_settings& all, const settings& variables,
                                   const sourced& smt, const sourced& check, const sourced& display) {
  const sourced no_trace{"(none)", std::string{by_default}};
  const sourced& trace = all.trace ? *all.trace : no_trace;
  const sourced of_ranks = pick({}, variables.mpi_devices, "host");
  std::vector<setting_in_force> lines{
      {"YOKE_CUS", all.shape.text(), all.cus.origin},
      {"YOKE_SCHEDULE", all.schedule.value, all.schedule.origin},
      {"YOKE_DEVICES", all.devices.in_force(all.shape.gpu_units), all.devices.text.origin},
      {"YOKE_TRACE", trace.value, trace.origin},
      {"YOKE_PROFILE", all.profile.value, all.profile.origin},
      {"YOKE_SMT", smt.value, smt.origin},
      {"YOKE_CHECK", check.value, check.origin},
      {"YOKE_MPI_DEVICES", of_ranks.value, of_ranks.origin},
      {"YOKE_DISPLAY_ENV", display.value, display.origin}};
  for (const auto& [name, value] : variables_of_hwloc()) lines.push_back({name, value, "environment"});
  for (const auto& [of, text] : all.device_options.texts)
    lines.push_back({std::string{of->options->variable.name}, text.value, text.origin});
  return lines;
}

/// On stderr: ranks have no other line in common.
void tell_once(const std::string& note) {
  static std::atomic_flag told;
  if (!note.empty() && !told.test_and_set()) std::fprintf(stderr, "yoke: %s\n", note.c_str());
}

}  // namespace

resolved_settings resolve(const runtime_options& asked, const settings& variables) {
  const runtime_options options = with_origins(asked);
  check_weights(options.weights);
  check_team(options.team);
  check_core_seconds(options.core_seconds);
  check_variables(variables);
  const sourced smt = pick({}, variables.smt, "0");
  const sourced check = pick({}, variables.check, options_of_build().checks ? "1" : "0");
  const sourced display = pick({}, variables.display_env, "0");
  resolved_settings all;
  all.device_options = options_from(variables);
  all.display = parse_flag(display);
  all.check = parse_flag(check);
  all.schedule = pick(options.schedule, variables.schedule, scheduling::default_schedule);
  check_schedule(all.schedule);
  all.trace = options.trace ? options.trace : variables.trace;
  all.profile = pick(options.profile, variables.profile, "");
  all.profile_file = find_profile(all.profile);
  const auto pointer_to = [](const option_value& each) { return each ? &*each : nullptr; };
  all.devices = list_devices(pick(options.devices, variables.devices, "auto"),
                             device_turns{this_rank(), pointer_to(options.cus), pointer_to(options.devices)});
  resolve_shape(all, options.cus ? options.cus : variables.cus, parse_flag(smt), options);
  tell_once(all.devices.note_of_turns);
  all.in_force = list(all, variables, smt, check, display);
  return all;
}

}  // namespace yoke::detail
