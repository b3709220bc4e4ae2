#include "binder_driver.hpp"

#include <limits>
#include <optional>
#include <set>

using namespace binder_driver;

namespace {

constexpr unit_id cpu0{0}, cpu1{1};

/// The next that is bound, as "task number": -1 for none.
int next_bound(watched& of) {
  const std::size_t before = of.order_of_binding.size();
  of.bind_all();
  return of.order_of_binding.size() > before ? of.order_of_binding[before] : -1;
}

void know_times(watched& of, int kinds, seconds cpu, seconds gpu) {
  for (int kind = 0; kind < kinds; ++kind)
    for (std::size_t u = 0; u < of.machine.units.size(); ++u)
      of.binder.expect(kind, unit_id{static_cast<int>(u)},
                       of.machine.units[u].kind == unit_kind::cpu ? cpu : gpu);
}

}  // namespace

TEST_CASE("a task is bound when what it comes after is bound, and not before", "[binder]") {
  watched of{machine_of(1, 1)};
  know_times(of, 1, 1e-3, 1e-4);
  constexpr unit_id gpu{1};
  const int first = of.tell({.on = {cpu0}}), waits = of.tell({.on = {cpu0}});
  const int second = of.tell({.after = {first}, .on = {gpu}});
  const int third = of.tell({.after = {second, waits}, .on = {gpu}});
  of.bind_all();
  CHECK(of.order_of_binding == std::vector{first, second});
  CHECK_FALSE(of.may_start(second));
  of.end(first);
  of.bind_all();
  CHECK(of.order_of_binding == std::vector{first, second, waits, third});
  CHECK(of.wrong.empty());
}

TEST_CASE("a CPU CU that finds all data is not bound ahead", "[binder]") {
  watched of{machine_of(2, 0)};
  know_times(of, 1, 1e-3, 1e-4);
  const int first = of.tell({.on = {cpu0}});
  const int second = of.tell({.after = {first}});
  of.bind_all();
  CHECK(of.order_of_binding == std::vector{first});
  of.end(first);
  of.bind_all();
  CHECK(of.order_of_binding == std::vector{first, second});
  CHECK(of.wrong.empty());
}

TEST_CASE("a CPU CU has room for one task and a GPU CU for four, unless it is said", "[binder]") {
  const auto bound_of = [](task_machine machine) {
    task_binder binder{machine};
    for (int i = 0; i < 20; ++i) binder.tell({.on = std::span(&cpu0, 1)});
    int n = 0;
    for (bool was_free = true; binder.bind_next(0); was_free = binder.is_free(cpu0), ++n) CHECK(was_free);
    CHECK_FALSE(binder.is_free(cpu0));
    return n;
  };
  CHECK_FALSE(task_binder{machine_of(1, 0)}.bind_next(0));
  CHECK(bound_of({.units = make_units(0, 1)}) == 4);
  CHECK(bound_of({.units = make_units(1, 0)}) == 1);
  CHECK(bound_of({.units = make_units(1, 0), .room = {3}}) == 3);
}

TEST_CASE("the more urgent task is bound first, and of two the one told first", "[binder]") {
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  watched of{machine_of(1, 0)};
  std::vector<int> tasks;
  for (const int priority : {0, least, most, 0, 1, -1, most, least})
    tasks.push_back(of.tell({.priority = priority}));
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    of.bind_all();
    of.end(of.order_of_binding.back());
  }
  CHECK(of.order_of_binding == std::vector{2, 6, 4, 0, 3, 5, 1, 7});
}

TEST_CASE("among a thousand tasks that are ready the most urgent is always next", "[binder]") {
  generator rng{seed()};
  watched of{machine_of(1, 0)};
  std::multiset<std::pair<int, int>> ready;
  for (int i = 0; i < 1000; ++i) {
    const int priority = between(rng, -3, 3);
    ready.emplace(-priority, of.tell({.priority = priority}));
    if (i % 3 != 0) continue;
    const int next = next_bound(of);
    REQUIRE(next == ready.begin()->second);
    ready.erase(ready.begin());
    of.end(next);
  }
}

TEST_CASE("a task waits for a unit that has no room where it ends first there", "[binder]") {
  watched of{machine_of(1, 1)};
  know_times(of, 1, 1e-3, 1e-4);
  for (int i = 0; i < 5; ++i) of.tell({});
  of.bind_all();
  CHECK(of.order_of_binding.size() == 4);
  CHECK(of.binder.is_free(cpu0));
  for (int i = 0; i < 10; ++i) of.tell({});
  of.bind_all();
  CHECK_FALSE(of.binder.is_free(cpu0));
  CHECK(of.wrong.empty());
}

TEST_CASE("tasks behind the ones that are looked at bring in a slower unit", "[binder]") {
  watched of{machine_of(1, 1)};
  know_times(of, 1, 6e-3, 1e-4);
  for (int i = 0; i < 50; ++i) of.tell({});
  of.bind_all();
  CHECK(of.binder.is_free(cpu0));
  for (int i = 0; i < 100; ++i) of.tell({});
  of.bind_all();
  CHECK_FALSE(of.binder.is_free(cpu0));
}

TEST_CASE("a task goes where its data are unless another unit makes up for the copy", "[binder]") {
  const piece_use piece{.piece = 7, .bytes = 1000000, .writes = true};
  const auto unit_for = [&](seconds gpu, std::optional<int> place) {
    task_binder binder{machine_of(1, 2)};
    for (int u = 0; u < 3; ++u) binder.expect(0, unit_id{u}, u == 0 ? 1e-3 : gpu);
    if (place) binder.is_in(7, space_id{*place});
    binder.tell({.uses = std::span(&piece, 1)});
    return int{binder.bind_next(0)->units.front()};
  };
  CHECK(unit_for(0.5e-3, std::nullopt) == 0);
  CHECK(unit_for(0.5e-3, 2) == 2);
  CHECK(unit_for(0.5e-3, 1) == 1);
  const auto second_of = [&](bool writes) {
    task_binder binder{machine_of(0, 2)};
    binder.expect(0, unit_id{0}, 1e-5);
    const unit_id there{1};
    const piece_use use{.piece = 7, .bytes = 1000000, .writes = writes};
    const told_task first = binder.tell({.on = std::span(&there, 1), .uses = std::span(&use, 1)});
    binder.tell({.after = std::span(&first, 1), .uses = std::span(&use, 1)});
    binder.bind_next(0);
    return int{binder.bind_next(0)->units.front()};
  };
  CHECK(second_of(true) == 1);
  CHECK(second_of(false) == 1);
}

TEST_CASE("without estimates a task takes the first unit with room, and its time is learnt", "[binder]") {
  watched of{machine_of(2, 0)};
  const int first = of.tell({.kind = 5}), second = of.tell({.kind = 5});
  CHECK_FALSE(of.binder.estimate(5, cpu0));
  of.bind_all();
  CHECK(of.tasks[static_cast<std::size_t>(first)].units == std::vector{cpu0});
  CHECK(of.tasks[static_cast<std::size_t>(second)].units == std::vector{cpu1});
  of.binder.ended(of.tasks[0].name, 1, 0.25);
  CHECK(of.binder.estimate(5, cpu1) == 0.25);
}

TEST_CASE("the middle of what was measured counts, and what was expected before does not", "[binder]") {
  task_binder binder{machine_of(1, 0)};
  binder.expect(0, cpu0, 100);
  CHECK(binder.estimate(0, cpu0) == 100);
  for (const double time : {1.0, 2.0, 1000.0, 2.0, 0.0, 3.0}) {
    const told_task task = binder.tell({});
    binder.bind_next(0);
    binder.ended(task, 0, time);
  }
  CHECK(binder.estimate(0, cpu0) == 2);
}

TEST_CASE("what a class of units does for other kinds tells what it does for a new one", "[binder]") {
  task_binder binder{machine_of(1, 1)};
  binder.expect(0, cpu0, 8e-3);
  binder.expect(0, unit_id{1}, 1e-3);
  binder.expect(1, cpu0, 4e-3);
  CHECK(binder.estimate(1, unit_id{1}) == 0.5e-3);
}

TEST_CASE("of a kind that is guessed slow on a class one task at a time finds out", "[binder]") {
  watched of{machine_of(4, 1)};
  of.binder.expect(0, unit_id{4}, 1e-3);
  for (int i = 0; i < 12; ++i) of.tell({});
  of.bind_all();
  const auto on_cpus =
      std::ranges::count_if(of.tasks, [](const auto& t) { return t.is_bound && t.units[0] < 4; });
  CHECK(on_cpus >= 1);
  CHECK(of.wrong.empty());
}

TEST_CASE("several CPU CUs are granted together, though single tasks never end coming", "[binder]") {
  watched of{machine_of(3, 0)};
  know_times(of, 1, 1e-3, 1e-4);
  generator rng{seed()};
  for (int i = 0; i < 4; ++i) of.tell({});
  const int team = of.tell({.cpus = 3});
  for (int i = 0; i < 30 && !of.tasks[static_cast<std::size_t>(team)].is_bound; ++i) {
    of.tell({});
    of.bind_all();
    if (const int next = of.any_startable(rng); next >= 0) of.end(next);
  }
  CHECK(of.tasks[static_cast<std::size_t>(team)].is_bound);
  CHECK(of.wrong.empty());
}

TEST_CASE("what was cancelled is never bound, and what comes after it waits for what was before",
          "[binder]") {
  watched of{machine_of(1, 0)};
  const int first = of.tell({}), second = of.tell({.after = {first}}), third = of.tell({.after = {second}});
  of.bind_all();
  CHECK(of.binder.cancel(of.tasks[1].name));
  CHECK(of.binder.cancel(of.tasks[1].name));
  CHECK_FALSE(of.binder.cancel(of.tasks[0].name));
  of.tasks[static_cast<std::size_t>(second)].is_cancelled = true;
  CHECK_FALSE(of.may_start(third));
  of.end(first);
  of.bind_all();
  CHECK(of.order_of_binding == std::vector{first, third});
  of.end(third);
  CHECK(of.binder.n_told() == 0);
}

TEST_CASE("a chain of 10^5 cancelled tasks is over at once", "[binder]") {
  task_binder binder{machine_of(1, 0)};
  std::vector<told_task> chain{binder.tell({})};
  for (int i = 0; i < 100000; ++i) chain.push_back(binder.tell({.after = std::span(&chain.back(), 1)}));
  for (const told_task each : chain) CHECK_NOFAIL(binder.cancel(each));
  CHECK(binder.n_told() == 0);
  CHECK(binder.n_ready() == 0);
}

TEST_CASE("a failed task gives back its unit and teaches nothing", "[binder]") {
  watched of{machine_of(1, 0)};
  const int first = of.tell({}), second = of.tell({});
  of.bind_all();
  of.end(first, true);
  of.bind_all();
  CHECK(of.order_of_binding == std::vector{first, second});
  CHECK_FALSE(of.binder.estimate(0, cpu0));
}

TEST_CASE("a task goes where a piece was written, for copies elsewhere are stale", "[binder]") {
  const piece_use piece{.piece = 7, .bytes = 1000000, .writes = true};
  const unit_id gpu{1};
  task_binder binder{machine_of(1, 1)};
  binder.expect(0, cpu0, 1e-5);
  binder.expect(0, gpu, 1e-4);
  const told_task first = binder.tell({.on = std::span(&gpu, 1), .uses = std::span(&piece, 1)});
  binder.bind_next(0);
  binder.ended(first, 1, 1e-4);
  binder.tell({.uses = std::span(&piece, 1)});
  CHECK(binder.bind_next(1)->units.front() == gpu);
}

TEST_CASE("a CPU CU is bound ahead to bring data, where no other task has use for it", "[binder]") {
  const unit_id gpu{1};
  const piece_use there{.piece = 7, .bytes = 1000};
  for (const bool has_other : {false, true}) {
    task_binder binder{machine_of(1, 1)};
    for (const unit_id unit : {cpu0, gpu}) binder.expect(0, unit, 1e-3);
    binder.is_in(there.piece, space_id{1});
    const told_task first = binder.tell({.on = {&gpu, 1}});
    const told_task second = binder.tell({.on = {&cpu0, 1}, .after = {&first, 1}, .uses = {&there, 1}});
    const told_task other = has_other ? binder.tell({.on = {&cpu0, 1}}) : second;
    CHECK(binder.bind_next(0)->task == first);
    CHECK(binder.bind_next(0)->task == other);
    CHECK_FALSE(binder.bind_next(0));
  }
}
