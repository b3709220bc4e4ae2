#include "first_exception.hpp"
#include "loop_name.hpp"
#include "loop_parts.hpp"
#include "region_run.hpp"
#include "runtime_impl.hpp"

#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/fp_environment.hpp>
#include <yoke/openmp.hpp>
#include <yoke/runtime.hpp>

namespace yoke {

namespace {

/// Of all runtimes: they share libomp's places and CPUs. Behind the turns of the runtime, which a thread that
/// uses arrays has already.
std::mutex one_run_at_a_time;

/// A GPU CU's stream runs dry before the exception leaves: its kernels use the caller's data.
void drain(const compute_unit& unit) noexcept {
  if (unit.dev == nullptr) return;
  try {
    unit.dev->synchronize(unit.stream);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the first error is the one reported
  }
}

/// When a CU had no more to do in a run.
using ends = std::vector<ticks>;

/// Runs `work` on every thread of an outer team. Nothing may leave it but by return. `ended`: one for each
/// thread, filled in; empty where nobody asks.
template <class Work>
void in_outer_team(int n_threads, ends& ended, const Work& work) noexcept {
#pragma omp parallel num_threads(n_threads)
  {
    work();
    if (!ended.empty()) ended[static_cast<std::size_t>(openmp::outer_thread())] = now();
  }
}

/// What the CUs waited for each other behind the last batch.
void trace_waits(trace_recorder& trace, const ends& ended) {
  const ticks end = now();
  for (int unit = 0; unit < std::ssize(ended); ++unit)
    trace.span(unit, "wait", "wait for the other CUs", ended[static_cast<std::size_t>(unit)], end);
}

[[noreturn]] void team_too_small(const char* call, int got, const compute_units& units) {
  throw config_error{fmt::format("{}: OpenMP gave the outer team {} of the {} threads that {} needs: {}",
                                 call, got, units.size(), units.shape().text(),
                                 openmp::why_team_is_small(units.size()))};
}

[[noreturn]] void inner_team_too_small(const char* call, int got, const compute_units& units) {
  const configuration& shape = units.shape();
  throw config_error{
      fmt::format("{}: OpenMP gave the team of a compute unit {} of the {} threads that {} needs: {}", call,
                  got, shape.cpus_per_unit, shape.text(),
                  openmp::why_team_is_small(shape.cpu_units * shape.cpus_per_unit + shape.gpu_units))};
}

/// Threads that the calling unit's team has.
int size_of_inner_team(int wanted) {
  int size = 0;
#pragma omp parallel num_threads(wanted)
#pragma omp master
  size = openmp::team_size();
  return size;
}

void refuse_inside(const char* call) {
  detail::refuse_in_forked_child();
  if (openmp::level() == 0) return;
  throw usage_error{
      fmt::format("{}: called inside a parallel region, of a run or of the program; call it "
                  "outside, where it opens the outer region itself",
                  call)};
}

/// While it lives, who has CPUs between runs leaves them.
struct taken_cpus {
  explicit taken_cpus(detail::seat_holder* from) : from_{from} {
    if (from_ != nullptr) from_->take_cpus();
  }
  ~taken_cpus() {
    if (from_ != nullptr) from_->give_cpus_back();
  }
  taken_cpus(const taken_cpus&) = delete;
  taken_cpus& operator=(const taken_cpus&) = delete;

 private:
  detail::seat_holder* const from_;
};

void check_all_ran(long long ran, const task_loop& loop, pass_id passes) {
  const long long expected = passes * loop.work().n_tasks;
  if (ran == expected) return;
  throw usage_error{
      fmt::format("run: the schedule handed out {} tasks in {} passes over {}; it must give each task of {} "
                  "exactly once in every pass ({})",
                  ran, passes, loop.work().n_tasks, detail::called(loop.work()), loop.plan().describe())};
}

/// The team has ended when it goes.
struct counted_use {
  explicit counted_use(std::atomic<int>& of) : of_{of} { of_.fetch_add(1); }
  ~counted_use() { of_.fetch_sub(1); }
  counted_use(const counted_use&) = delete;
  counted_use& operator=(const counted_use&) = delete;

 private:
  std::atomic<int>& of_;
};

}  // namespace

/// A body that finds itself alone would be right, and slow. Once, and only where something limits threads: a
/// team that is opened to be counted leaves threads that programs with teams of another library do not want.
void runtime::impl::check_inner_teams(const char* call) {
  const configuration& shape = units->shape();
  const int wanted = shape.cpus_per_unit;
  if (has_measured_teams || wanted < 2) return;
  if (openmp::thread_limit() >= shape.cpu_units * wanted + shape.gpu_units) return;
  std::atomic<int> least{wanted};
  ends nobody_asks;
  in_outer_team(units->size(), nobody_asks, [&] {
    if (openmp::team_size() != units->size() || units->calling().kind == unit_kind::gpu) return;
    if (const int got = size_of_inner_team(wanted); got < wanted) least.store(got, std::memory_order_relaxed);
  });
  if (least != wanted) inner_team_too_small(call, least, *units);
  has_measured_teams = true;
}

template <class Work>
void runtime::impl::in_team(const char* call, const Work& work) {
  const counted_use counted{in_use};
  const openmp::exact_teams exact{units->shape().cpus_per_unit > 1 ? 2 : 1};
  std::atomic<int> got{0};
  ends ended(trace ? static_cast<std::size_t>(units->size()) : 0);
  binding->take_turn();
  check_inner_teams(call);
  const detail::fp_environment of_caller = detail::fp_environment::of_this_thread();
  in_outer_team(units->size(), ended, [&] {
    of_caller.take();
    const int n_threads = openmp::team_size();
    got.store(n_threads, std::memory_order_relaxed);
    if (n_threads != units->size()) return;
    const openmp::outer_region region{openmp::outer_thread()};
    const compute_unit& unit = units->calling();
    binding->check(unit.id);
    openmp::set_team_size(static_cast<int>(unit.cpus.size()));
    work(unit);
  });
  if (got != units->size()) team_too_small(call, got, *units);
  if (trace) trace_waits(trace->recorder(), ended);
}

void runtime::run(task_loop& loop, const batch_body& body) {
  run(loop, 1, [&](std::span<const task_id> batch, pass_id) { body(batch); });
}

void runtime::each_unit(const unit_body& body) {
  refuse_inside("each_unit");
  const std::lock_guard turn{*impl_->units->turns()};
  const taken_cpus taken{impl_->asked_to_leave.load()};
  impl_->each_unit(*this, body);
}

detail::seat_holder& detail::holder_access::of(runtime& rt,
                                               const std::function<std::unique_ptr<seat_holder>()>& make) {
  runtime::impl& my = *rt.impl_;
  const std::lock_guard lock{my.holder_lock};
  if (my.holder == nullptr) {
    my.holder = make();
    my.asked_to_leave = my.holder.get();
  }
  return *my.holder;
}

void detail::holder_access::each_unit(runtime& rt, const unit_body& body) { rt.impl_->each_unit(rt, body); }

/// Of the holder without the turns: who has those waits for its work, and it uses no stream of a CU.
void runtime::impl::each_unit(runtime& owner, const unit_body& body) {
  const std::lock_guard lock{one_run_at_a_time};
  const detail::current_during_run current{parts(owner)};
  detail::first_exception error;
  in_team("each_unit", [&](const compute_unit& unit) {
    try {
      body(unit.id);
    } catch (...) {
      error.keep(std::current_exception());
    }
  });
  if (error.any()) {
    for (const compute_unit& unit : units->all()) drain(unit);
  }
  error.rethrow();
}

void runtime::run(task_loop& loop, pass_id passes, const batch_body_with_pass& body,
                  const further_passes& further) {
  refuse_inside("run");
  detail::checked_passes(passes);
  task_loop::parts& parts = task_loop::parts::usable(loop.parts_, "run");
  if (&parts.units != impl_->units.get()) {
    throw usage_error{"run: the loop belongs to another runtime; make it with make_loop of this one"};
  }
  const std::lock_guard turn{*impl_->units->turns()};
  const taken_cpus taken{impl_->asked_to_leave.load()};
  const std::lock_guard lock{one_run_at_a_time};
  parts.protocol.check_ready_to_run();
  const detail::current_during_run current{impl_->parts(*this)};
  const counted_use counted{parts.runs};
  if (passes == 0 && further) passes = detail::checked_passes(further(loop.pass()));
  while (passes > 0) passes = impl_->run_region(loop, passes, body, further);
}

pass_id runtime::impl::run_region(task_loop& loop, pass_id passes, const batch_body_with_pass& body,
                                  const further_passes& further) {
  task_loop::parts& parts = *loop.parts_;
  const pass_id first = loop.pass();
  const long long before = parts.account.tasks_run();
  parts.plan->prepare(first);
  detail::region_run run{loop, parts, *units, passes, body, further};
  detail::first_exception error;
  in_team("run", [&](const compute_unit& unit) {
    try {
      run.work(unit);
    } catch (...) {
      error.keep(std::current_exception());             // before others, woken by stop, throw for that reason
      if (loop.parts_ != nullptr) loop.parts_->stop();  // null: the body has moved it
      drain(unit);
    }
  });
  error.rethrow();
  run.end();
  check_all_ran(parts.account.tasks_run() - before, loop, loop.pass() - first);
  return run.left();
}

}  // namespace yoke
