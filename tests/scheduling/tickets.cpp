/// White-box: the counter behind dynamic, guided and memorizing, with another unit's call put between its
/// reading and its writing.

#include "../../scheduling/src/dealing/tickets.hpp"

#include "driver.hpp"

using namespace driver;
using scheduling::task_range;
using scheduling::tickets;

namespace {

constexpr auto one = [](int) { return 1; };

/// Takes one ticket of `pass`; `meanwhile` runs once, after the counter was read.
template <class Meanwhile>
task_range take_late(tickets& counter, pass_id pass, Meanwhile meanwhile) {
  bool first = true;
  return counter.take(pass, [&](int) {
    if (std::exchange(first, false)) meanwhile();
    return 1;
  });
}

}  // namespace

TEST_CASE("a ticket that another unit takes first is not given out again", "[scheduling][tickets]") {
  tickets counter{3};
  task_range other;
  const task_range late = take_late(counter, 0, [&] { other = counter.take(0, one); });
  CHECK(other.first == 0);
  CHECK(late.first == 1);
  CHECK(late.size() == 1);
}

TEST_CASE("a unit that is late for a pass gets nothing of it nor of the next one", "[scheduling][tickets]") {
  tickets counter{2};
  const task_range late = take_late(counter, 0, [&] {
    while (counter.take(0, one).size() > 0) continue;
    CHECK(counter.take(1, one).first == 0);
  });
  CHECK(late.size() == 0);
  CHECK(counter.take(1, one).first == 1);
  CHECK(counter.take(1, one).size() == 0);
}

TEST_CASE("many threads share passes of many tasks without losing or repeating one",
          "[scheduling][threads]") {
  for (const char* name : {"dynamic", "guided", "memorizing"}) {
    const workload work{.n_tasks = 3000};
    const auto plan = scheduling::make(name, work, make_units(3, 1));
    CAPTURE(name);
    CHECK(run_threads(*plan, work.n_tasks, 4, 5, no_time) == 0);
  }
}
