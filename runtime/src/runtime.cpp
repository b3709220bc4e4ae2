#include "loop_memory.hpp"
#include "loop_parts.hpp"
#include "machine_text.hpp"
#include "resolved_settings.hpp"
#include "runtime_impl.hpp"
#include "schedule_plugins.hpp"
#include "trace_path.hpp"
#include "traced_device.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <utility>

#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/host_guards.hpp>
#include <yoke/openmp.hpp>
#include <yoke/runtime.hpp>
#include <yoke/text.hpp>
#include <yoke/told_faults.hpp>
#include <yoke/topology.hpp>

namespace yoke {

namespace {

/// Shows what migrate and copy move.
void trace_transfers(region_table& regions, detail::trace_tracks& trace) {
  regions.observe_transfers([&trace](const transfer_seen& seen) {
    trace.by_caller("placement", seen.to == host_space ? "to host" : "to device", seen.began, seen.ended,
                    {{{"bytes", static_cast<double>(seen.bytes)}}});
  });
}

/// Once per process, however many runtimes it makes.
void display_once(const std::vector<setting_in_force>& settings) {
  static std::once_flag displayed;
  std::call_once(displayed, [&] {
    std::string text = "yoke: settings in force\n";
    for (const setting_in_force& setting : settings) {
      text +=
          fmt::format("  {} = {}  [{}]\n", setting.name, detail::printable(setting.value), setting.origin);
    }
    std::fputs(text.c_str(), stderr);
  });
}

std::string bound_late(const sourced& cus) {
  return fmt::format(
      "{}: OpenMP had started with other places or another binding, so Yoke has bound the threads of compute "
      "units itself",
      cus.quoted());
}

void tell(std::vector<std::string> notes, const sourced& cus, bound_by by) {
  if (by == bound_by::openmp)
    notes.push_back(
        fmt::format("{}: OpenMP binds the threads of compute units, by OMP_PLACES", cus.quoted()));
  detail::tell_checker(notes);
}

/// The binding that libomp tells there is that of inner teams. Starts libomp.
void refuse_inside_region() {
  if (openmp::level() == 0) return;
  throw usage_error{
      "runtime: made inside a parallel region, of a run or of the program; make it before the region, and so "
      "before the first query of yoke::cu or yoke::placement in it"};
}

}  // namespace

void runtime::impl::open_profile(const detail::resolved_settings& in) {
  if (!in.profile_file) return;
  profiles = std::make_shared<detail::profile_store>(
      *in.profile_file, detail::common_key(in.shape, gpus.of_unit, in.device_options));
  if (!profiles->note().empty()) notes.push_back(profiles->note());
}

void runtime::impl::open_trace(const detail::resolved_settings& in, const std::vector<place>& places) {
  if (!in.trace) return;
  trace_path = {detail::own_trace_path(in.trace->value), in.trace->origin};
  if (trace_path.value != in.trace->value) {
    gpus.notes.push_back(
        fmt::format("{}: an earlier runtime of this process writes there; this trace is in {}",
                    in.trace->quoted(), detail::printable(trace_path.value)));
  }
  trace_file.emplace(trace_path.value);
  trace = std::make_unique<detail::trace_tracks>(in.shape, places, gpus);
  detail::trace_devices(gpus, *trace);
}

void runtime::impl::take_notes(const detail::resolved_settings& in, const std::string& of_places) {
  if (!of_places.empty()) notes.push_back(of_places);
  std::ranges::move(gpus.notes, std::back_inserter(notes));
  for (const std::string& why : {in.why_sizes, in.why_closed})
    if (!why.empty()) notes.push_back(why);
  open_profile(in);
  if (const std::string told = topology::of_this_machine().told_by(); !told.empty())
    notes.push_back(fmt::format("hwloc describes the machine of {}, not this one", told));
}

runtime::runtime() : runtime{runtime_options{}} {}

runtime::runtime(std::string_view cus)
    : runtime{runtime_options{.cus = sourced{std::string{cus}, fmt::format("runtime(\"{}\")", cus)}}} {}

runtime::runtime(const runtime_options& options) : impl_{std::make_unique<impl>()} {
  detail::refuse_in_forked_child();
  detail::watch_forks();
  const detail::resolved_settings in = detail::resolve(options, settings::from_environment());
  const place_assignment prepared =
      prepare_places(in.shape, in.cus, in.devices.all_emulated(in.shape.gpu_units), in.devices.items);
  refuse_inside_region();
  bound_places bound = verify_places(in.shape, in.cus, prepared);

  impl& my = *impl_;
  my.cus = in.cus;
  my.schedule = in.schedule;
  my.check = in.check;
  my.settings = in.in_force;
  my.gpus = detail::open_devices(in.shape, in.devices, in.device_options);
  my.open_trace(in, bound.places);
  my.devices = my.gpus.pointers();
  my.take_notes(in, prepared.note);
  my.regions = std::make_unique<region_table>(my.devices);
  if (my.check) detail::guard_host_copies(*my.regions);
  my.units = std::make_unique<compute_units>(in.shape, bound.places, my.gpus.of_unit, my.gpus.spaces);
  my.binding.emplace(in.shape, std::move(bound)).bind(in.cus);
  detail::mark_bound_threads();
  if (my.binding->by() == bound_by::yoke) my.notes.push_back(bound_late(in.cus));
  my.regions->serve(*my.units);
  my.uses.emplace(*my.units, detail::in_use_table::of_process());
  if (!my.uses->note().empty()) my.notes.push_back(my.uses->note());
  if (my.trace) {
    trace_transfers(*my.regions, *my.trace);
    // So that a path that cannot be written is known now and not at the end. A stream is written then alone.
    if (!my.trace_file->is_stream() || my.trace_file->problem() != 0) write_trace();
  }
  if (in.display) display_once(my.settings);
  tell(my.notes, in.cus, my.binding->by());
  make_current();
}

namespace {

/// A destructor cannot throw. `was_told`: of the problem that there is, if any.
void write_last_trace(runtime& of, bool was_told) noexcept {
  if (of.trace() == nullptr) return;
  try {
    of.write_trace();
  } catch (const std::exception& problem) {
    if (!was_told) std::fprintf(stderr, "yoke: %s\n", detail::printable_lines(problem.what()).c_str());
  }
}

}  // namespace

runtime::~runtime() {
  if (!detail::leaves_all()) impl_->holder.reset();  // first: it is at work in the runtime
  if (!detail::is_forked_child()) write_last_trace(*this, impl_->is_trace_problem_told);
  if (impl_->is_at_work()) {
    detail::lift_guards();  // what ends after this may be memory of the program that is placed elsewhere
    detail::abandon(impl_.release());
    return;
  }
  detail::remove_current(this);
}

runtime& runtime::current() {
  if (runtime* found = detail::find_current()) return *found;
  static_cast<void>(detail::current_units().get());  // makes one from the environment, or throws
  return *detail::find_current();
}

void runtime::make_current() { detail::make_current(impl_->parts(*this)); }

const compute_units& runtime::units() const { return *impl_->units; }
region_table& runtime::memory() {
  detail::refuse_in_forked_child();
  return *impl_->regions;
}
std::span<device* const> runtime::devices() const { return impl_->devices; }
std::span<const std::string> runtime::notes() const { return impl_->notes; }
std::vector<setting_in_force> runtime::settings_in_force() const { return impl_->settings; }
yoke::thread_placement runtime::thread_placement() const {
  return {impl_->binding->by(), impl_->binding->mended()};
}
trace_recorder* runtime::trace() { return impl_->trace ? &impl_->trace->recorder() : nullptr; }

void runtime::write_trace() {
  detail::refuse_in_forked_child();
  if (impl_->trace == nullptr) return;
  const auto named = [&](const error& problem) {
    return fmt::format("{}: {}", impl_->trace_path.quoted(), problem.what());
  };
  impl_->is_trace_problem_told = true;
  try {
    impl_->trace->recorder().write(*impl_->trace_file);
    impl_->is_trace_problem_told = false;
  } catch (const config_error& problem) {
    throw config_error{named(problem)};
  } catch (const out_of_memory& problem) {
    throw out_of_memory{named(problem), problem.bytes_wanted(), problem.bytes_free()};
  }
}

std::vector<unit> runtime::schedule_units() const {
  const topology machine = topology::of_this_machine();
  std::vector<unit> all;
  for (const compute_unit& cu : impl_->units->all()) {
    all.push_back({.kind = cu.kind,
                   .space = cu.space,
                   .memory = cu.dev == nullptr ? 0 : cu.dev->info().memory,
                   .cpus = static_cast<int>(cu.cpus.size()),
                   .processors = cu.dev == nullptr ? 1 : cu.dev->info().processors,
                   .numa_node = machine.info_of(cu.cpus.front()).numa_node});
  }
  return all;
}

task_loop runtime::make_loop(std::string_view schedule, workload work) {
  detail::load_named_schedule({std::string{schedule}, "schedule"});
  return make_loop_by_name({std::string{schedule}, "schedule"}, std::move(work));
}

task_loop runtime::make_loop(workload work) { return make_loop_by_name(impl_->schedule, std::move(work)); }

task_loop runtime::make_loop_by_name(const sourced& schedule, workload work) {
  const std::vector<unit> units = schedule_units();
  auto plan = detail::loop_memory{work}.in_it(
      [&] { return scheduling::make(schedule.value, work, units, schedule.origin); });
  task_loop loop = make_loop(std::move(plan), std::move(work));
  if (impl_->profiles) loop.parts_->remember(impl_->profiles, schedule.value, units);
  return loop;
}

task_loop runtime::make_loop(std::unique_ptr<schedule> plan, workload work) {
  detail::refuse_in_forked_child();
  const detail::loop_memory memory{work};
  task_loop loop = memory.in_it([&] { return task_loop{*impl_->units, std::move(plan), std::move(work)}; });
  if (impl_->check) loop.parts_->check_schedule();
  loop.parts_->protocol.show_in(trace(), impl_->loops_made++);
  return loop;
}

}  // namespace yoke
