#include "protocol.hpp"

#include "described.hpp"
#include "driver/march/march.hpp"
#include "driver/march/solo.hpp"
#include "moved_bytes.hpp"
#include "warm_up.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/learner.hpp>

namespace npb {

namespace {

/// Step numbers on a terminal, ten times a second at most.
class progress_line {
 public:
  explicit progress_line(const options& asked) : on_{!asked.quiet && isatty(STDERR_FILENO) == 1} {}
  ~progress_line() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  std::function<void(int)> callback(int steps) {
    if (!on_) return {};
    return [this, steps](int step) { show(step, steps); };
  }

 private:
  void show(int step, int steps) {
    const yoke::ticks now = yoke::now();
    if (shown_ && yoke::elapsed(last_, now) < 0.1) return;
    last_ = now;
    shown_ = true;
    std::fputs(fmt::format("\r step {} of {}", step + 1, steps).c_str(), stderr);
  }

  bool on_;
  bool shown_ = false;
  yoke::ticks last_ = 0;
};

yoke::link_table links_of(const yoke::runtime& rt, const options& asked) {
  yoke::link_table links{rt.devices()};
  if (asked.links) links.measure(rt.devices());
  return links;
}

/// Of the work in profiles: what its speed depends on beside the zones.
std::string name_of(const problem& p, const options& asked) {
  const bool usual = asked.between_devices == peer_faces::direct;
  return fmt::format("{} {} {}x{}x{}{}{}{}", p.name, p.class_name, p.gx, p.gy, p.gz,
                     asked.exchange == exchange_mode::barrier ? ", barrier" : "",
                     usual ? "" : fmt::format(", faces between devices {}", text_of(asked.between_devices)),
                     asked.graphs ? "" : ", no graphs");
}

double sum_of(const std::vector<yoke::ticks>& times) {
  yoke::ticks sum = 0;
  for (const yoke::ticks t : times) sum += t;
  return yoke::elapsed(0, sum);
}

void add_units(run_result& r, const yoke::runtime& rt, std::span<const unit_account> accounts) {
  for (const yoke::compute_unit& unit : rt.units().all()) {
    const unit_account& account = accounts[static_cast<std::size_t>(unit.id)];
    unit_result u;
    u.id = unit.id;
    u.is_gpu = unit.dev != nullptr;
    u.place = yoke::places_text({unit.cpus});
    if (unit.dev != nullptr) u.device = unit.dev->info().name;
    u.space = unit.space;
    u.tasks = account.tasks;
    u.work = account.work;
    u.advance_s = sum_of(account.compute);
    u.exchange_s = sum_of(account.exchange);
    // A stream may wait while another one of the device works: only what stands still has waited.
    u.waiting_s = std::min(yoke::elapsed(0, account.waiting), std::max(r.seconds - u.busy_s(), 0.0));
    u.migrations = account.migrations;
    u.replays = account.replays;
    u.steps_ahead = account.steps_ahead;
    r.units.push_back(std::move(u));
  }
}

void add_steps(run_result& r, std::span<const unit_account> accounts) {
  r.steps.resize(static_cast<std::size_t>(r.iterations));
  for (std::size_t s = 0; s < r.steps.size(); ++s) {
    for (const unit_account& account : accounts) {
      r.steps[s].compute_s = std::max(r.steps[s].compute_s, yoke::elapsed(0, account.compute[s]));
      r.steps[s].exchange_s = std::max(r.steps[s].exchange_s, yoke::elapsed(0, account.exchange[s]));
    }
  }
}

/// Steps count from 0, whatever passes came before.
void add_samples(run_result& r, const yoke::task_loop& loop) {
  r.samples = loop.samples();
  if (r.samples.empty()) return;
  const yoke::pass_id first = std::ranges::min(r.samples, {}, &yoke::task_sample::pass).pass;
  for (yoke::task_sample& each : r.samples) each.pass -= first;
}

void add_tasks(run_result& r, const yoke::task_loop& loop) {
  for (int task = 0; task < loop.work().n_tasks; ++task) {
    const yoke::task_id id{task};
    r.tasks.push_back({task, loop.work().weights[static_cast<std::size_t>(task)], loop.cu_of(id),
                       loop.task_time(id), loop.is_apportioned(id)});
  }
  add_samples(r, loop);
}

void begin_timed(march& zones, yoke::task_loop& loop, int steps, bool samples) {
  zones.restart(steps);
  loop.reset_times();
  loop.keep_samples(samples);
}

void add_balance(run_result& r, const std::vector<double>& weights) {
  std::vector<double> seconds;
  for (const unit_result& u : r.units) seconds.push_back(u.work > 0 ? u.busy_s() / u.work : 0);
  r.best_step_s = longest_first_makespan(weights, seconds);
}

void add_model(run_result& r, yoke::task_loop& loop) {
  const std::vector<double>& weights = loop.work().weights;
  r.described = loop.plan().describe();
  if (const yoke::learner* const of = loop.plan().learning()) r.learnt = of->learnt();
  for (const double weight : weights) r.mean_weight += weight / static_cast<double>(weights.size());
  r.largest_weight = *std::ranges::max_element(weights);
}

void verify_run(run_result& r, march& zones, const benchmark& what, const options& asked) {
  const problem& p = what.what();
  const zone_norms timed = r.norms;
  r.norms = total_norms(zones.norms());
  if (what.has_residual()) r.norms.xcr = timed.xcr;
  if (asked.between_devices == peer_faces::frozen)
    r.notes.emplace_back(
        "--peer-faces frozen: faces between devices stayed as they were; the norms are of no use");
  add_verdict(r, p, asked);
}

/// Errors: out_of_memory, also where zones cannot be dealt out to memories that would do for their sum.
yoke::task_loop make_loop(yoke::runtime& rt, const march& zones, std::string name, int steps) {
  yoke::workload work = zones.work();
  work.name = std::move(name);
  work.warms_up = true;
  work.passes = steps;
  try {
    return rt.make_loop(std::move(work));
  } catch (const yoke::out_of_memory&) {
    zones.memory().refuse();
  }
}

void add_memory(run_result& r, const march& zones, bool solo_was_asked) {
  r.memory = zones.memory().spaces();
  r.places = zones.places();
  if (!zones.memory().is_short()) return;
  r.notes.push_back(zones.memory().note(r.places));
  if (solo_was_asked) r.notes.emplace_back("--solo: nothing was measured alone, since memory is short");
}

}  // namespace

run_result run_protocol(yoke::runtime& rt, const benchmark& what, const options& asked,
                        yoke::ticks program_begin) {
  const yoke::ticks begin = yoke::now();
  const problem& p = what.what();
  run_result r;
  r.iterations = asked.steps.value_or(p.niter);
  describe(r, rt, p, asked);
  march zones{rt, what, {asked.exchange, asked.graphs, asked.between_devices}, links_of(rt, asked)};
  r.links = zones.links();
  yoke::task_loop loop = make_loop(rt, zones, name_of(p, asked), r.iterations);
  const bool solo = asked.solo && !zones.memory().is_short();
  set_up(zones, loop, solo);
  if (solo) r.solo = measure_solo(zones, r.iterations);
  warm_up(zones, loop, r.iterations, program_begin);
  begin_timed(zones, loop, r.iterations, asked.samples);
  const byte_counts before = counts_of(rt);

  progress_line progress{asked};
  const yoke::ticks start = yoke::now();
  zones.run(loop, r.iterations, progress.callback(r.iterations));
  if (what.has_residual()) r.norms = total_norms(zones.residual_norms());  // timed: SPEC.md §12
  const yoke::ticks stop = yoke::now();

  r.deciding_s = zones.deciding_s();
  add_times(r, p, {begin, start, stop});
  add_units(r, rt, zones.accounts());
  add_steps(r, zones.accounts());
  add_tasks(r, loop);
  add_bytes(r, rt, before, zones.accounts());
  add_balance(r, loop.work().weights);
  add_model(r, loop);
  add_memory(r, zones, asked.solo);
  verify_run(r, zones, what, asked);
  return r;
}

}  // namespace npb
