#include "driver.hpp"

using namespace driver;

namespace {

std::vector<int> sizes(schedule& plan, std::initializer_list<int> turns, pass_id pass = 0) {
  std::vector<int> result;
  for (const int u : turns) result.push_back(static_cast<int>(plan.next(unit_id{u}, pass).size()));
  return result;
}

}  // namespace

TEST_CASE("static hands a GPU CU its whole share at once and a CPU CU one task at a time", "[scheduling]") {
  const auto plan = scheduling::make("static", workload{.n_tasks = 7}, make_units(1, 1));
  CHECK(sizes(*plan, {0, 0, 0, 0, 0, 1, 1}) == std::vector{1, 1, 1, 1, 0, 3, 0});
  CHECK(settled_from(*plan) == 0);
}

TEST_CASE("where a map exists a CPU CU of several CPUs gets its whole share at once", "[scheduling]") {
  std::vector<unit> units = make_units(2, 0);
  units[0].cpus = 2;
  const auto fixed = scheduling::make("static", workload{.n_tasks = 7}, units);
  CHECK(sizes(*fixed, {0, 0, 1, 1, 1, 1}) == std::vector{4, 0, 1, 1, 1, 0});
  const auto memorized = scheduling::make("memorizing", workload{.n_tasks = 4}, units);
  CHECK(sizes(*memorized, {0, 0, 1, 0, 0, 1}) == std::vector{1, 1, 1, 1, 0, 0});
  CHECK(sizes(*memorized, {0, 0, 1, 1}, 1) == std::vector{3, 0, 1, 0});
  const auto dynamic = scheduling::make("dynamic,chunk=2", workload{.n_tasks = 4}, units);
  CHECK(sizes(*dynamic, {0, 0, 0}) == std::vector{2, 2, 0});
}

TEST_CASE("dynamic gives the next chunk to whoever asks", "[scheduling]") {
  const auto plan = scheduling::make("dynamic,chunk=2", workload{.n_tasks = 7}, make_units(2, 0));
  const auto first = plan->next(unit_id{1}, 0);
  CHECK(std::vector<int>(first.begin(), first.end()) == std::vector{0, 1});
  const auto second = plan->next(unit_id{0}, 0);
  CHECK(std::vector<int>(second.begin(), second.end()) == std::vector{2, 3});
  CHECK(sizes(*plan, {0, 0, 0, 1}) == std::vector{2, 1, 0, 0});
  CHECK(settled_from(*plan) == -1);
}

TEST_CASE("a GPU CU takes half of its even share of what remains, at least a chunk", "[scheduling]") {
  const auto plan = scheduling::make("dynamic,chunk=2", workload{.n_tasks = 32}, make_units(1, 1));
  CHECK(sizes(*plan, {1, 1, 0, 1, 1}) == std::vector{8, 6, 2, 4, 3});
  CHECK(sizes(*plan, {1, 1, 1, 1, 1}) == std::vector{2, 2, 2, 2, 1});
}

TEST_CASE("gpu_chunk=chunk treats a GPU CU as OpenMP treats any thread", "[scheduling]") {
  const auto plan =
      scheduling::make("dynamic,chunk=3,gpu_chunk=chunk", workload{.n_tasks = 100}, make_units(1, 1));
  CHECK(sizes(*plan, {1, 0, 1}) == std::vector{3, 3, 3});
}

TEST_CASE("gpu_chunk=k gives a GPU CU k tasks", "[scheduling]") {
  const auto plan = scheduling::make("memorizing,gpu_chunk=7", workload{.n_tasks = 100}, make_units(1, 1));
  CHECK(sizes(*plan, {1, 0, 1}) == std::vector{7, 1, 7});
}

TEST_CASE("under dynamic a unit many passes behind finds its pass empty and takes nothing from later ones",
          "[scheduling]") {
  const auto plan = scheduling::make("dynamic", workload{.n_tasks = 3}, make_units(2, 0));
  CHECK(sizes(*plan, {1}, 0) == std::vector{1});
  for (pass_id pass = 0; pass < 5; ++pass) {
    const int left = pass == 0 ? 2 : 3;
    for (int i = 0; i < left; ++i) CHECK(plan->next(unit_id{0}, pass).size() == 1);
    CHECK(plan->next(unit_id{0}, pass).empty());
  }
  CHECK(plan->next(unit_id{0}, 5).size() == 1);
  for (pass_id pass = 0; pass < 5; ++pass) CHECK(plan->next(unit_id{1}, pass).empty());
  CHECK(sizes(*plan, {1, 0, 1}, 5) == std::vector{1, 1, 0});
}

TEST_CASE("memorizing replays a unit's own tasks while other units are still in the first pass",
          "[scheduling]") {
  const auto plan = scheduling::make("memorizing", workload{.n_tasks = 3}, make_units(2, 0));
  CHECK(sizes(*plan, {0, 1, 0, 0}) == std::vector{1, 1, 1, 0});
  CHECK(settled_map(*plan) == std::vector{unit_id{0}, unit_id{1}, unit_id{0}});
  for (pass_id pass = 1; pass < 4; ++pass) CHECK(sizes(*plan, {0, 0, 0}, pass) == std::vector{1, 1, 0});
  CHECK(sizes(*plan, {1}, 0) == std::vector{0});
  CHECK(sizes(*plan, {1, 1}, 1) == std::vector{1, 0});
}

TEST_CASE("a memorized GPU CU gets all its tasks as one batch", "[scheduling]") {
  const auto plan = scheduling::make("memorizing", workload{.n_tasks = 16}, make_units(1, 1));
  CHECK(sizes(*plan, {1, 1, 0, 1}) == std::vector{4, 3, 1, 2});
  while (!plan->next(unit_id{1}, 0).empty()) continue;
  CHECK(plan->next(unit_id{1}, 1).size() == 15);
}

TEST_CASE("memorizing has no map before every task has found its unit", "[scheduling]") {
  const auto plan = scheduling::make("memorizing", workload{.n_tasks = 2}, make_units(2, 0));
  CHECK(plan->plan_of(1).is_open());
  (void)plan->next(unit_id{0}, 0);
  CHECK(plan->plan_of(1).is_open());
  (void)plan->next(unit_id{1}, 0);
  CHECK(settled_map(*plan) == std::vector{unit_id{0}, unit_id{1}});
  CHECK(settled_from(*plan) == 1);
  CHECK(plan->plan_of(0).is_open());  // who asked first has decided
}

TEST_CASE("memorizing loses no task when the first pass is abandoned", "[scheduling]") {
  const auto plan = scheduling::make("memorizing", workload{.n_tasks = 5}, make_units(2, 0));
  CHECK(sizes(*plan, {0, 1}) == std::vector{1, 1});
  CHECK(sizes(*plan, {0, 0, 0, 1, 1, 1, 0}, 1) == std::vector{1, 1, 1, 1, 1, 0, 0});
  CHECK(sizes(*plan, {1, 1, 1, 0, 0, 0, 0}, 2) == std::vector{1, 1, 0, 1, 1, 1, 0});
}

TEST_CASE("dynamic runs a whole pass after an abandoned one", "[scheduling]") {
  const auto plan = scheduling::make("dynamic", workload{.n_tasks = 3}, make_units(2, 0));
  CHECK(sizes(*plan, {0}) == std::vector{1});
  CHECK(sizes(*plan, {0, 1, 0, 0, 1}, 1) == std::vector{1, 1, 1, 0, 0});
}
