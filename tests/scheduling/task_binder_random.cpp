#include "binder_driver.hpp"

#include <limits>
#include <optional>
#include <string>

using namespace binder_driver;

namespace {

int random_priority(generator& rng) {
  constexpr int ends[] = {std::numeric_limits<int>::min(), -1, 0, 0, 0, 1, std::numeric_limits<int>::max()};
  return ends[between(rng, 0, 6)];
}

/// After some of the last ones, on some units or on several CPU CUs, with a piece or two.
void tell_any(watched& of, generator& rng, int cpus, int units) {
  watched::task next{.priority = random_priority(rng), .kind = between(rng, 0, 4)};
  const int told = static_cast<int>(of.tasks.size());
  for (int n = between(rng, 0, 3); n > 0 && told > 0; --n)
    next.after.push_back(between(rng, std::max(0, told - 20), told - 1));
  if (between(rng, 0, 3) == 0) next.on = {unit_id{between(rng, 0, units - 1)}};
  const bool is_team = next.on.empty() && cpus > 1 && between(rng, 0, 4) == 0;
  if (is_team) next.cpus = between(rng, 2, cpus);
  std::vector<piece_use> uses;
  for (int n = between(rng, 0, 2); n > 0; --n)
    uses.push_back({static_cast<std::uint64_t>(between(rng, 0, 9)), 1000, true, between(rng, 0, 1) == 1});
  of.tell(next, uses);
}

void cancel_any(watched& of, generator& rng) {
  auto& task = of.tasks[static_cast<std::size_t>(between(rng, 0, static_cast<int>(of.tasks.size()) - 1))];
  const bool is_open = !task.is_bound && !task.is_over;
  const bool is_gone = of.binder.cancel(task.name);
  if (is_gone != (is_open || task.is_over)) of.wrong.push_back("cancel tells something else");
  if (is_open) task.is_cancelled = true;
}

/// Tells, binds, ends, fails and cancels in random order, then ends all that is left.
watched random_program(generator& rng) {
  const int cpus = between(rng, 0, 4), gpus = between(rng, cpus == 0 ? 1 : 0, 2);
  watched of{machine_of(cpus, gpus)};
  const int n_tasks = between(rng, 1, 60), n_turns = between(rng, 1, 4);
  while (static_cast<int>(of.tasks.size()) < n_tasks) {
    for (int n = between(rng, 1, 5); n > 0; --n) tell_any(of, rng, cpus, cpus + gpus);
    of.bind_all();
    if (between(rng, 0, 9) == 0) cancel_any(of, rng);
    for (int n = between(rng, 0, n_turns); n > 0; --n)
      if (const int next = of.any_startable(rng); next >= 0) of.end(next, between(rng, 0, 9) == 0);
  }
  for (of.bind_all();; of.bind_all()) {
    const int next = of.any_startable(rng);
    if (next < 0) break;
    of.end(next, between(rng, 0, 9) == 0);
  }
  return of;
}

std::vector<int> units_of(const watched& of) {
  std::vector<int> all = of.order_of_binding;
  for (const watched::task& each : of.tasks)
    for (const unit_id unit : each.units) all.push_back(unit);
  return all;
}

}  // namespace

TEST_CASE("of any program each task runs once, after what it comes after, and none is lost", "[binder]") {
  const std::uint32_t first_seed = seed();
  for (std::uint32_t i = 0; i < 1500; ++i) {
    generator rng{first_seed + i};
    const watched of = random_program(rng);
    CAPTURE(first_seed + i, of.wrong);
    REQUIRE(of.wrong.empty());
    for (const watched::task& each : of.tasks) REQUIRE((each.is_over || each.is_cancelled));
    REQUIRE(of.binder.n_told() == 0);
    REQUIRE(of.binder.n_ready() == 0);
    for (std::size_t u = 0; u < of.machine.units.size(); ++u)
      REQUIRE(of.binder.is_free(unit_id{static_cast<int>(u)}));
  }
}

TEST_CASE("the same program is bound in the same way each time", "[binder]") {
  const std::uint32_t first_seed = seed();
  for (std::uint32_t i = 0; i < 50; ++i) {
    generator one{first_seed + i}, two{first_seed + i};
    CAPTURE(first_seed + i);
    REQUIRE(units_of(random_program(one)) == units_of(random_program(two)));
  }
}
