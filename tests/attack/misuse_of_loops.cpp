#include "misuse.hpp"

#include <cmath>
#include <limits>

namespace attack {

using yoke::task_id;
using yoke::task_loop;
using yoke::unit_id;
using yoke::workload;
using batch = std::span<const task_id>;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// A loop over `work` under `schedule`; where it can be made, the test has found a mistake.
misuse of_work(const char* what, std::vector<std::string> says, const workload& work,
               const char* schedule = "static", kind error = kind::usage) {
  return {what, error, std::move(says),
          [=](victim& v) { static_cast<void>(v.rt.make_loop(schedule, work)); }};
}

/// CU 0 outside of a region takes what `of` gives, and hands on.
task_id take(task_loop& of) { return of.get_task(); }

std::vector<misuse> unknown_units() {
  return {
      {"asks for a unit that does not exist",
       kind::usage,
       {"compute unit 99", "unit"},
       [](victim& v) { (void)v.rt.units().at(unit_id{99}); }},
      {"asks for no unit",
       kind::usage,
       {"compute unit -1"},
       [](victim& v) { (void)v.rt.units().at(unit_id{}); }},
      {"asks for the time of a unit that does not exist",
       kind::usage,
       {"cu_time(99)", "no such CU"},
       [](victim& v) { (void)v.loop().cu_time(unit_id{99}); }},
      {"sets the time of no unit",
       kind::usage,
       {"set_cu_time(-1)"},
       [](victim& v) { v.loop().set_cu_time(unit_id{}, 1); }},
      {"asks for the time of a task that does not exist",
       kind::usage,
       {"task_time(6)", "6 tasks"},
       [](victim& v) { (void)v.loop().task_time(task_id{6}); }},
      {"asks for the unit of no task",
       kind::usage,
       {"cu_of(-1)"},
       [](victim& v) { (void)v.loop().cu_of(yoke::no_task); }},
  };
}

std::vector<misuse> threads_that_are_no_units() {
  return {
      {"asks who it is in a team that is too large",
       kind::usage,
       {"no such unit"},
       [](victim& v) {
         std::exception_ptr met;
#pragma omp parallel num_threads(v.n_units() + 1)
         try {
           (void)yoke::cu::cu_id();
         } catch (...) {
#pragma omp critical
           met = std::current_exception();
         }
         if (met) std::rethrow_exception(met);
       }},
      {"launches from a thread that is no CU",
       kind::usage,
       {"no such unit"},
       [](victim& v) {
         std::exception_ptr met;
         const yoke::device_ptr<double> somewhere{v.first.data()};
#pragma omp parallel num_threads(v.n_units() + 1)
         try {
           if (yoke::openmp::outer_thread() == v.n_units())
             yoke::launch_here<add_one>({.x = 1}, "add_one", somewhere);
         } catch (...) {
           met = std::current_exception();
         }
         if (met) std::rethrow_exception(met);
       }},
  };
}

}  // namespace

std::vector<misuse> misuse_of_units() { return together({unknown_units(), threads_that_are_no_units()}); }

std::vector<misuse> misuse_of_work() {
  return {
      of_work("schedules fewer than no tasks", {"-1 tasks"}, {.n_tasks = -1}),
      of_work("gives too few weights", {"2 tasks", "1 weights"}, {.n_tasks = 2, .weights = {1}}),
      of_work("gives too many weights", {"1 tasks", "2 weights"}, {.n_tasks = 1, .weights = {1, 1}}),
      of_work("gives a weight that is no number", {"task 1 has weight nan"},
              {.n_tasks = 2, .weights = {1, std::nan("")}}),
      of_work("gives a weight below 0", {"task 0 has weight -2"}, {.n_tasks = 2, .weights = {-2, 1}}),
      of_work("gives a weight of 0", {"task 1 has weight 0"}, {.n_tasks = 2, .weights = {1, 0}}),
      of_work("gives an infinite weight", {"task 0 has weight inf"}, {.n_tasks = 1, .weights = {inf}}),
      of_work("gives weights whose sum is infinite", {"task 0 has weight 1.7e+308", "1e-200 to 1e+200"},
              {.n_tasks = 2, .weights = {1.7e308, 1.7e308}}),
      of_work("gives a denormal weight", {"task 1 has weight 1e-320", "1e-200 to 1e+200"},
              {.n_tasks = 2, .weights = {1, 1e-320}}),
      of_work("gives too many sizes", {"1 tasks", "2 bytes"}, {.n_tasks = 1, .bytes = {1, 1}}),
      of_work("names a task that does not exist in an edge", {"task 5", "0 to 1"},
              {.n_tasks = 2, .edges = {{task_id{0}, task_id{5}, 8}}}),
      of_work("asks for a schedule that does not exist", {"fastest", "memorizing"}, {.n_tasks = 2}, "fastest",
              kind::config),
      of_work("asks for a chunk of 0", {"dynamic,chunk=0", "position"}, {.n_tasks = 2}, "dynamic,chunk=0",
              kind::config),
      of_work("gives an option to a schedule that has none", {"static,chunk=2"}, {.n_tasks = 2},
              "static,chunk=2", kind::config),
      of_work("asks for a PCF that is no number", {"pcf=nan"}, {.n_tasks = 2}, "static-hybrid,pcf=nan",
              kind::config),
      {"gives no schedule",
       kind::usage,
       {"null pointer"},
       [](victim& v) {
         static_cast<void>(v.rt.make_loop(std::unique_ptr<yoke::schedule>{}, {.n_tasks = 1}));
       }},
  };
}

namespace {

std::vector<misuse> tasks_out_of_turn() {
  return {
      {"commits a task that it has not fetched",
       kind::usage,
       {"commit_task(0)", "has no task in hand"},
       [](victim& v) { v.loop().commit_task(task_id{0}); }},
      {"commits a task that it has not executed",
       kind::usage,
       {"commit_task(0)", "has fetched task 0 and not started it"},
       [](victim& v) {
         task_loop loop = v.loop("dynamic");
         loop.commit_task(take(loop));
       }},
      {"executes another task than it has",
       kind::usage,
       {"execute_task(5)", "has fetched task 0"},
       [](victim& v) {
         task_loop loop = v.loop("dynamic");
         static_cast<void>(take(loop));
         loop.execute_task(task_id{5});
       }},
      {"fetches twice",
       kind::usage,
       {"get_task()", "has fetched task 0"},
       [](victim& v) {
         task_loop loop = v.loop("dynamic");
         static_cast<void>(take(loop));
         static_cast<void>(take(loop));
       }},
  };
}

std::vector<misuse> mixtures() {
  return {
      {"mixes two loops",
       kind::usage,
       {"execute_task(0)", "has no task in hand"},
       [](victim& v) {
         task_loop one = v.loop("dynamic"), other = v.loop("dynamic");
         other.execute_task(take(one));
       }},
      {"mixes tasks and batches",
       kind::usage,
       {"get_batch()", "left of a batch begun with get_task"},
       [](victim& v) {
         task_loop loop = v.loop("dynamic,chunk=3,gpu_chunk=chunk");
         const task_id task = take(loop);
         loop.execute_task(task);
         loop.commit_task(task);
         (void)loop.get_batch();
       }},
      {"commits a batch of its own",
       kind::usage,
       {"commit_batch(", "is running a batch of"},
       [](victim& v) {
         task_loop loop = v.loop("dynamic,chunk=3,gpu_chunk=chunk");
         const batch given = loop.get_batch();
         loop.execute_batch(given);
         const std::vector<task_id> copy{given.begin(), given.end()};
         loop.commit_batch(copy);
       }},
  };
}

std::vector<misuse> loops_in_the_wrong_state() {
  return {
      {"runs a loop in which it has a task in hand",
       kind::usage,
       {"run: CU 0 has fetched task 0"},
       [](victim& v) {
         task_loop loop = v.loop("dynamic");
         static_cast<void>(take(loop));
         v.run(loop);
       }},
      {"uses a loop that it has moved",
       kind::usage,
       {"moved from"},
       [](victim& v) {
         task_loop loop = v.loop();
         const task_loop other = std::move(loop);
         static_cast<void>(take(loop));
       }},
  };
}

}  // namespace

std::vector<misuse> misuse_of_primitives() {
  return together({tasks_out_of_turn(), mixtures(), loops_in_the_wrong_state()});
}

}  // namespace attack
