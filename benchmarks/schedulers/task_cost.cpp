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

void explicit_passes(benchmark::State& state, const char* schedule, bench::share by) {
  yoke::task_loop loop = bench::runtime().make_loop(schedule, {.n_tasks = bench::n_tasks});
  loop.set_timing(state.range(0) != 0);
  const auto pass = [&] { return bench::on_all_cus([&](int) { return explicit_pass(loop); }); };
  pass();
  bench::measure(state, by, pass);
}

void get_execute_commit(benchmark::State& state, const char* schedule) {
  explicit_passes(state, schedule, bench::share::equal);
}

/// A memorized map may be lopsided: what counts is the CU that has most.
void replayed(benchmark::State& state) { explicit_passes(state, "memorizing", bench::share::of_the_busiest); }

/// The same with run, which also opens the region.
void run_batches(benchmark::State& state, const char* schedule) {
  yoke::runtime& rt = bench::runtime();
  yoke::task_loop loop = rt.make_loop(schedule, {.n_tasks = bench::n_tasks});
  loop.set_timing(state.range(0) != 0);
  const auto pass = [&] {
    loop.reset_times();
    const yoke::ticks from = yoke::now();
    rt.run(loop, [](std::span<const yoke::task_id> batch) { benchmark::DoNotOptimize(batch.data()); });
    const double time = yoke::elapsed(from, yoke::now());
    const long long first = loop.times_of(yoke::unit_id{0}).tasks;
    const long long most = std::max(first, bench::n_tasks - first);
    return bench::round{time, most, bench::n_cus() == 1 || 3 * (bench::n_tasks - most) >= most};
  };
  pass();
  bench::measure(state, bench::share::equal, pass);
}

/// The schedule without the loop around it.
void next_and_done(benchmark::State& state, const char* spec, bench::share by) {
  const auto units = bench::runtime().schedule_units();
  const auto plan = yoke::scheduling::make(spec, {.n_tasks = bench::n_tasks}, units);
  yoke::pass_id pass = 0;
  const auto round = [&] {
    const bench::round done = bench::on_all_cus([&](int cu) {
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
  bench::measure(state, by, round);
}

/// An empty run: the outer region and what surrounds it.
void run_of_nothing(benchmark::State& state) {
  yoke::task_loop loop = bench::runtime().make_loop("static", {.n_tasks = 0});
  for (auto _ : state) bench::runtime().run(loop, [](std::span<const yoke::task_id>) {});
}

}  // namespace

BENCHMARK_CAPTURE(get_execute_commit, static, "static")
    ->ArgName("timing")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Iterations(100);
BENCHMARK(replayed)->ArgName("timing")->Arg(0)->Arg(1)->UseManualTime()->Iterations(100);
BENCHMARK_CAPTURE(get_execute_commit, dynamic, "dynamic,chunk=1")
    ->ArgName("timing")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Iterations(100);
BENCHMARK_CAPTURE(get_execute_commit, dynamic_chunk_16, "dynamic,chunk=16")
    ->ArgName("timing")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Iterations(100);
BENCHMARK_CAPTURE(run_batches, static, "static")
    ->ArgName("timing")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Iterations(100);
BENCHMARK_CAPTURE(run_batches, dynamic, "dynamic,chunk=1")
    ->ArgName("timing")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Iterations(100);
BENCHMARK_CAPTURE(next_and_done, static, "static", bench::share::equal)->UseManualTime()->Iterations(100);
BENCHMARK_CAPTURE(next_and_done, memorizing, "memorizing", bench::share::of_the_busiest)
    ->UseManualTime()
    ->Iterations(100);
BENCHMARK_CAPTURE(next_and_done, dynamic, "dynamic,chunk=1", bench::share::equal)
    ->UseManualTime()
    ->Iterations(100);
BENCHMARK(run_of_nothing);
