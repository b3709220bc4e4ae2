// get + execute + commit of a task that does nothing.
#include "bench.hpp"

namespace {

void explicit_pass(yoke::task_loop& loop) {
  for (yoke::task_id task = loop.get_task(); task != yoke::no_task; task = loop.get_task()) {
    loop.execute_task(task);
    benchmark::DoNotOptimize(task);
    loop.commit_task(task);
  }
}

void get_execute_commit(benchmark::State& state, const char* schedule) {
  yoke::task_loop loop = bench::runtime().make_loop(schedule, {.n_tasks = bench::n_tasks});
  loop.set_timing(state.range(0) != 0);
  const auto pass = [&] { return bench::seconds_on_all_cus([&](int) { explicit_pass(loop); }); };
  pass();
  bench::measure(state, static_cast<double>(bench::n_tasks) / bench::n_cus(), pass);
}

/// The memorized map of a first pass may be lopsided; this one is even, so that the time per task is right.
void replayed(benchmark::State& state) {
  yoke::task_loop loop = bench::runtime().make_loop("memorizing", {.n_tasks = bench::n_tasks});
  loop.set_timing(state.range(0) != 0);
  const auto pass = [&] { return bench::seconds_on_all_cus([&](int) { explicit_pass(loop); }); };
  pass();
  long long most = 1;
  for (const yoke::compute_unit& unit : bench::runtime().units().all()) {
    most = std::max(most, loop.times_of(unit.id).tasks);
  }
  bench::measure(state, static_cast<double>(most), pass);
}

void run_batches(benchmark::State& state, const char* schedule) {
  yoke::task_loop loop = bench::runtime().make_loop(schedule, {.n_tasks = bench::n_tasks});
  loop.set_timing(state.range(0) != 0);
  const auto pass = [&] {
    const yoke::ticks from = yoke::now();
    bench::runtime().run(
        loop, [](std::span<const yoke::task_id> batch) { benchmark::DoNotOptimize(batch.data()); });
    return yoke::elapsed(from, yoke::now());
  };
  pass();
  bench::measure(state, static_cast<double>(bench::n_tasks) / bench::n_cus(), pass);
}

/// The schedule without the loop around it.
void next_and_done(benchmark::State& state, const char* spec) {
  const auto units = bench::runtime().schedule_units();
  const auto plan = yoke::scheduling::make(spec, {.n_tasks = bench::n_tasks}, units);
  yoke::pass_id pass = 0;
  const auto round = [&] {
    const double time = bench::seconds_on_all_cus([&](int cu) {
      const yoke::unit_id unit{cu};
      for (auto batch = plan->next(unit, pass); !batch.empty(); batch = plan->next(unit, pass)) {
        plan->done(unit, pass, batch, 0);
      }
    });
    ++pass;
    return time;
  };
  round();
  bench::measure(state, static_cast<double>(bench::n_tasks) / bench::n_cus(), round);
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
BENCHMARK_CAPTURE(next_and_done, static, "static")->UseManualTime()->Iterations(100);
BENCHMARK_CAPTURE(next_and_done, memorizing, "memorizing")->UseManualTime()->Iterations(100);
BENCHMARK_CAPTURE(next_and_done, dynamic, "dynamic,chunk=1")->UseManualTime()->Iterations(100);
BENCHMARK(run_of_nothing);
