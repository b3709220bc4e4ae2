// What OpenMC's directives, clauses and functions are here, and Communicators' queues: the table of the
// guide, row by row.
#include "gate.hpp"
#include "kernels.hpp"

#include <atomic>
#include <support/catch.hpp>
#include <thread>
#include <vector>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using yoke::agent_context;
using yoke::task;
using yoke::task_context;
using yoke::task_group;
using yoke::unit_id;

constexpr number first_value = 3;

}  // namespace

TEST_CASE("OpenMC: worker, agent with on and priority, acc with flag and deps, wait", "[openmc]") {
  yoke::runtime rt;  // its CUs are the workers
  numbers x{rt, n, "x"}, y{rt, n, "y"};
  task_group g{rt};
  const std::vector<unit_id> workers = g.cpus().empty() ? g.gpus() : g.cpus();  // worker name(CPU:…, "P0") …
  std::atomic<int> n_elsewhere{0};
  yoke::flag one{g}, two{g};  // flag(1), flag(2)
  g.spawn("agent", {.on = workers, .priority = 1, .flag = one}, [&](agent_context& me) {
    fill(me, x, first_value);                                                       // acc
    const task second = me.run("acc", {.flag = two}, in(std::as_const(x)), out(y),  // acc flag(1:2)
                               [&, all = workers](task_context& at, auto a, auto b) {
                                 if (std::ranges::find(all, at.unit()) == all.end()) ++n_elsewhere;
                                 fill_in(at, b, 1);
                                 add_in(at, a, b, 1);
                               });
    me.run("acc", {.after = {second}}, inout(y),
           [](task_context& at, auto b) { add_one(at, b, 1); });  // deps(2)
    me.wait(two);                                                 // wait flag(1:2)
    me.wait_all();                                                // wait all
  });
  number seen = 0;
  g.spawn("next", {.after = {one}}, in(std::as_const(y)),  // agent deps(1)
          [&](agent_context&, auto values) { seen = values[0]; });
  two.wait();
  g.wait();  // wait all, of the master
  CHECK(seen == 31 + first_value + 1);
  CHECK(n_elsewhere == 0);
}

TEST_CASE("OpenMC: private, copyin, copyout, copy, create and present", "[openmc]") {
  yoke::runtime rt;
  numbers given{rt, n, "copyin"}, result{rt, n, "copyout"}, both{rt, n, "copy"}, scratch{rt, n, "create"};
  task_group g{rt};
  for (number& each : given.host()) each = 2;
  for (number& each : both.host()) each = 5;
  const std::vector<unit_id> worker{unit_id{rt.units().size() - 1}};
  for (int i = 0; i < 3; ++i)
    g.spawn("agent", {.on = worker}, in(std::as_const(given)), out(result), inout(both),
            [&, mine = i](agent_context& me, auto, auto, auto) {  // private(i): captured by value
              me.run("acc", out(scratch), [mine](task_context& at, auto own) { fill_in(at, own, mine); });
              me.run("acc", present(std::as_const(scratch)), in(std::as_const(given)), inout(both),
                     [](task_context& at, auto own, auto a, auto b) {
                       add_in(at, a, b, 1);
                       add_in(at, own, b, 1);
                     });
              fill(me, result, mine);
            });
  g.wait();
  number model = 5;
  for (int i = 0; i < 3; ++i) model = 31 * (31 * model + 2) + i;
  CHECK(std::as_const(both).host()[0] == (model & 0xffffffff));
  CHECK(std::as_const(result).host()[n - 1] == 2);
}

TEST_CASE("OpenMC: implemented-with is a body, or a kernel, for each kind of CU", "[openmc]") {
  yoke::runtime rt;
  numbers x{rt, n, "x"};
  task_group g{rt};
  using yoke::loops::cpu, yoke::loops::gpu;
  const auto with_openmp = [](task_context&, auto a) {
    for (std::size_t i = 0; i < n; ++i) a[i] = 1;
  };
  const auto with_cuda = [](task_context& me, auto a) { fill_in(me, a, 2); };
  for (const yoke::compute_unit& each : rt.units().all()) {
    const number form = each.dev == nullptr ? 1 : 2;
    g.run("acc", {.on = {each.id}}, out(x), yoke::variants{cpu{with_openmp}, gpu{with_cuda}});
    CHECK(std::as_const(x).host()[n - 1] == form);
    g.run("acc", {.on = {each.id}}, out(x), yoke::variants{gpu{with_cuda}, cpu{with_openmp}});
    fill(g, x, 0);
    fill_by_kind(g, x, {.on = {each.id}});
    CHECK(std::as_const(x).host()[n - 1] == form);
  }
}

TEST_CASE("OpenMC: time(ubound) is a warning while the agent runs", "[openmc]") {
  yoke::runtime rt;
  task_group g{rt};
  gate warned;
  std::string text;
  g.spawn("agent", {.at_most = {1e-9, [&](const yoke::late_task& late) { text = late.name, warned.open(); }}},
          [&](agent_context&) { warned.wait(); });
  g.wait();
  CHECK(text == "agent");
}

TEST_CASE("OpenMC: bi-barrier", "[openmc]") {
  yoke::runtime rt;
  task_group g{rt};
  yoke::flag left{g}, right{g};
  int written = 0, read = 0;
  bool left_met = false, right_met = false, is_alone = false;
  g.spawn("left", {.flag = left}, [&](agent_context& me) {
    written = 7;
    left_met = me.meet(right);   // bi-barrier flag(right)
    is_alone = !me.meet(right);  // without a partner it goes on
  });
  g.spawn("right", {.flag = right}, [&](agent_context& me) {
    right_met = me.meet(left);
    read = written;
  });
  g.wait();
  CHECK(left_met);
  CHECK(right_met);
  CHECK(read == 7);
  CHECK(is_alone);
}

TEST_CASE("OpenMC: omc_test_free and atomic capture share out columns, as in its Figure 4", "[openmc]") {
  yoke::runtime rt;
  task_group g{rt};
  static constexpr int n_columns = 100, chunk = 7;
  std::vector<std::atomic<int>> updated(n_columns);
  std::atomic<int> next{0};
  for (int unit = 0; unit < rt.units().size(); ++unit)
    g.spawn("agent", {.on = {unit_id{unit}}}, [&, worker = unit_id{unit}](agent_context& me) {
      while (true) {
        if (!g.is_free(worker)) {  // omc_test_free(M0)
          std::this_thread::yield();
          continue;
        }
        const int first = next.fetch_add(chunk);  // atomic capture
        if (first >= n_columns) return;
        me.run("update", [&updated, first](task_context&) {
          for (int c = first; c < std::min(first + chunk, n_columns); ++c)
            ++updated[static_cast<std::size_t>(c)];
        });
      }
    });
  g.wait();
  for (const auto& each : updated) CHECK(each == 1);
}

TEST_CASE("Communicators: CommCreate, CommLaunch, CommDetach and CommDestroy", "[openmc]") {
  yoke::runtime rt;
  std::vector<number> matrix(n, 1), other(n, 1);
  {
    yoke::placed<number> x{rt, std::span{matrix}, "matrix"}, y{rt, std::span{other}, "other"};  // CommAttach
    task_group g{rt};
    const unit_id unit{rt.units().size() - 1};
    auto com = g.on(unit);  // CommCreate(&com, COMM_GPU, 2)
    fill(com, y, 1);
    gate closed;
    const task late = g.spawn("late", inout(y), [&](agent_context&, auto) { closed.wait(); });
    add(com, x, x, 0);  // CommLaunch(&com, kernel, …)
    add(com, y, y, 0);
    CHECK(std::as_const(x).host()[0] == 31);  // CommDetach: of x's kernels alone
    CHECK_FALSE(late.is_over());
    closed.open();
    CHECK(std::as_const(y).host()[0] == 31);
  }  // CommDestroy: waits for all
  CHECK(matrix[n - 1] == 31);
}
