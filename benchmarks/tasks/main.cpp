/// What tasks of nothing take, beside those of OpenMP.
#include "program/command_line.hpp"
#include "record/median.hpp"
#include "record/record.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/tasks.hpp>

namespace {

using json = nlohmann::ordered_json;

struct arguments {
  std::string cus = "2x1";
  std::string devices = "auto";
  int tasks = 100'000;
  int samples = 5;
  std::string form;
  std::string json_file;
};

/// OpenMP's threads, and those of seats, wait for more in a loop for a while after their last work.
constexpr std::chrono::milliseconds until_others_sleep{300};

/// Seconds of each task: to tell it, and until all are over.
struct task_times {
  double told, over;
};
struct form {
  std::string name;
  std::function<task_times(int n)> run;
  std::vector<double> told{}, over{};
};

template <class Tell>
task_times of_group(yoke::runtime& rt, int n, const Tell& tell) {
  yoke::task_group g{rt};
  const yoke::ticks from = yoke::now();
  for (int i = 0; i < n; ++i) tell(g);
  const yoke::seconds told = yoke::elapsed(from, yoke::now());
  g.wait();
  return {told / n, yoke::elapsed(from, yoke::now()) / n};
}

/// As many as were recorded, again and again; those before have given the times for a plan.
template <class Tell>
task_times of_replays(yoke::runtime& rt, int n, const Tell& tell) {
  constexpr int in_each = 1000;
  yoke::task_group g{rt};
  const auto recorded = g.record([&] {
    for (int i = 0; i < in_each; ++i) tell(g);
  });
  for (int i = 0; i < 3; ++i) recorded.replay().wait();
  const int n_replays = std::max(n / in_each, 1);
  const yoke::ticks from = yoke::now();
  for (int i = 0; i < n_replays; ++i) recorded.replay();
  const yoke::seconds told = yoke::elapsed(from, yoke::now());
  g.wait();
  const double n_tasks = static_cast<double>(n_replays) * in_each;
  return {told / n_tasks, yoke::elapsed(from, yoke::now()) / n_tasks};
}

/// One thread tells them, as in a group.
template <bool IsChain>
task_times of_openmp(int n_threads, int n) {
  task_times times{};
#pragma omp parallel num_threads(n_threads)
#pragma omp single
  {
    const yoke::ticks from = yoke::now();
    [[maybe_unused]] char x = 0;
    for (int i = 0; i < n; ++i) {
      if constexpr (IsChain) {
#pragma omp task depend(inout : x)
        {
        }
      } else {
#pragma omp task
        {
        }
      }
    }
    times.told = yoke::elapsed(from, yoke::now()) / n;
#pragma omp taskwait
    times.over = yoke::elapsed(from, yoke::now()) / n;
  }
  return times;
}

std::vector<form> forms_of(yoke::runtime& rt, yoke::placed<double>& x) {
  const auto nothing = [](yoke::task_context&, auto...) {};
  const int n_threads = rt.units().size();
  return {
      {"a chain",
       [&, nothing](int n) { return of_group(rt, n, [&](auto& g) { g.run("link", inout(x), nothing); }); }},
      {"independent",
       [&rt, nothing](int n) { return of_group(rt, n, [&](auto& g) { g.run("one", nothing); }); }},
      {"a chain, replayed",
       [&, nothing](int n) { return of_replays(rt, n, [&](auto& g) { g.run("link", inout(x), nothing); }); }},
      {"independent, replayed",
       [&rt, nothing](int n) { return of_replays(rt, n, [&](auto& g) { g.run("one", nothing); }); }},
      {"a chain of OpenMP's", [n_threads](int n) { return of_openmp<true>(n_threads, n); }},
      {"independent, OpenMP's", [n_threads](int n) { return of_openmp<false>(n_threads, n); }},
  };
}

void measure(const arguments& in) {
  yoke::runtime rt{yoke::runtime_options{.cus = in.cus, .devices = in.devices}};
  yoke::placed<double> x{rt, 1, "x"};
  x.host()[0] = 0;
  std::vector<form> forms = forms_of(rt, x);
  if (!in.form.empty()) std::erase_if(forms, [&](const form& each) { return each.name != in.form; });
  for (int i = 0; i <= in.samples; ++i)  // by turns, and the first warms up
    for (form& each : forms) {
      std::this_thread::sleep_for(until_others_sleep);
      const task_times times = each.run(in.tasks);
      if (i == 0) continue;
      each.told.push_back(times.told);
      each.over.push_back(times.over);
    }
  json out{{"schema", "yoke-tasks/1"},
           {"record", record::of_run(rt)},
           {"tasks", in.tasks},
           {"forms", json::array()}};
  fmt::print("{} tasks of nothing on {}; medians of {}\n", in.tasks, rt.units().shape().text(), in.samples);
  for (const form& each : forms) {
    const double told = record::median(each.told), over = record::median(each.over);
    fmt::print("{:<24} {:7.3f} us a task, {:7.3f} of them to tell it\n", each.name, over * 1e6, told * 1e6);
    out["forms"].push_back({{"name", each.name}, {"us", over * 1e6}, {"told_us", told * 1e6}});
  }
  if (!in.json_file.empty()) record::write_json(in.json_file, out);
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  bench::command_line app{"yoke-bench-tasks",
                          "What a task of nothing takes in a group, beside tasks of OpenMP."};
  app.add("--cus", in.cus, "as YOKE_CUS");
  app.add("--devices", in.devices, "as YOKE_DEVICES");
  app.add("--tasks", in.tasks, "tasks of each form", bench::between(1, 10'000'000));
  app.add("--samples", in.samples, "of which the median is taken, by turns", bench::between(1, 1000));
  app.add("--form", in.form, "this one alone, by its name in the table");
  app.add("--json", in.json_file, "also write the figures to this file");
  return app.run(argc, argv, [&] {
    measure(in);
    return 0;
  });
}
