// get + execute + commit of a task that does nothing.
#include "bench.hpp"

namespace {

long long explicit_pass(yoke::task_loop& loop) {
  long long n = 0;
  for (yoke::task_id task = loop.get_task(); task != yoke::no_task; task = loop.get_task()) {
    loop.execute_task(task);
    benchmark::DoNotOptimize(task);
    loop.commit_task(task);
    ++n;
  }
  return n;
}

void explicit_passes(benchmark::State& state, yoke::runtime& rt, const char* schedule, bench::share by) {
  yoke::task_loop loop = rt.make_loop(schedule, {.n_tasks = bench::n_tasks});
  loop.set_timing(state.range(0) != 0);
  const int n_cus = rt.units().size();
  const auto pass = [&] { return bench::on_all_cus(n_cus, [&](int) { return explicit_pass(loop); }); };
  pass();
  bench::measure(state, n_cus, by, pass);
}

void get_execute_commit(benchmark::State& state, yoke::runtime& rt, const char* schedule) {
  explicit_passes(state, rt, schedule, bench::share::equal);
}

/// A memorized map may be lopsided: what counts is the CU that has most.
void replayed(benchmark::State& state, yoke::runtime& rt, const char* schedule) {
  explicit_passes(state, rt, schedule, bench::share::of_the_busiest);
}

/// The same with run, which also opens the region.
void run_batches(benchmark::State& state, yoke::runtime& rt, const char* schedule) {
  const int n_cus = rt.units().size();
  yoke::task_loop loop = rt.make_loop(schedule, {.n_tasks = bench::n_tasks});
  loop.set_timing(state.range(0) != 0);
  const auto pass = [&] {
    loop.reset_times();
    const yoke::ticks from = yoke::now();
    rt.run(loop, [](std::span<const yoke::task_id> batch) { benchmark::DoNotOptimize(batch.data()); });
    const double time = yoke::elapsed(from, yoke::now());
    const long long first = loop.times_of(yoke::unit_id{0}).tasks;
    const long long most = std::max(first, bench::n_tasks - first);
    return bench::round{time, most, n_cus == 1 || 3 * (bench::n_tasks - most) >= most};
  };
  pass();
  bench::measure(state, n_cus, bench::share::equal, pass);
}

/// The schedule without the loop around it.
void next_and_done(benchmark::State& state, yoke::runtime& rt, const char* spec, bench::share by) {
  const auto units = rt.schedule_units();
  const int n_cus = rt.units().size();
  const auto plan = yoke::scheduling::make(spec, {.n_tasks = bench::n_tasks}, units);
  yoke::pass_id pass = 0;
  const auto round = [&] {
    const bench::round done = bench::on_all_cus(n_cus, [&](int cu) {
      const yoke::unit_id unit{cu};
      long long n = 0;
      for (auto batch = plan->next(unit, pass); !batch.empty(); batch = plan->next(unit, pass)) {
        plan->done(unit, pass, batch, 0);
        n += static_cast<long long>(batch.size());
      }
      return n;
    });
    ++pass;
    return done;
  };
  round();
  bench::measure(state, n_cus, by, round);
}

/// An empty run: the outer region and what surrounds it.
void run_of_nothing(benchmark::State& state, yoke::runtime& rt) {
  yoke::task_loop loop = rt.make_loop("static", {.n_tasks = 0});
  for (auto _ : state) rt.run(loop, [](std::span<const yoke::task_id>) {});
}

using by_schedule = void(benchmark::State&, yoke::runtime&, const char*);

/// With and without timing.
void add(const char* name, by_schedule* work, yoke::runtime& rt, const char* schedule) {
  benchmark::RegisterBenchmark(name, [=, &rt](benchmark::State& state) { work(state, rt, schedule); })
      ->ArgName("timing")
      ->Arg(0)
      ->Arg(1)
      ->UseManualTime()
      ->Iterations(100);
}

void add_bare(const char* name, yoke::runtime& rt, const char* schedule, bench::share by) {
  benchmark::RegisterBenchmark(name,
                               [=, &rt](benchmark::State& state) { next_and_done(state, rt, schedule, by); })
      ->UseManualTime()
      ->Iterations(100);
}

}  // namespace

void bench::add_task_costs(yoke::runtime& rt) {
  add("get_execute_commit/static", get_execute_commit, rt, "static");
  add("replayed", replayed, rt, "memorizing");
  add("get_execute_commit/dynamic", get_execute_commit, rt, "dynamic,chunk=1");
  add("get_execute_commit/dynamic_chunk_16", get_execute_commit, rt, "dynamic,chunk=16");
  add("run_batches/static", run_batches, rt, "static");
  add("run_batches/dynamic", run_batches, rt, "dynamic,chunk=1");
  add_bare("next_and_done/static", rt, "static", share::equal);
  add_bare("next_and_done/memorizing", rt, "memorizing", share::of_the_busiest);
  add_bare("next_and_done/dynamic", rt, "dynamic,chunk=1", share::equal);
  benchmark::RegisterBenchmark("run_of_nothing",
                               [&rt](benchmark::State& state) { run_of_nothing(state, rt); });
}
