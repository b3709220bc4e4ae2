/// White-box: how often CPU CUs are far later than usual, and what is expected of a pass then.

#include "../../scheduling/src/learning/late_batches.hpp"

#include "driver.hpp"

using namespace driver;
using scheduling::lateness;
using scheduling::lateness_of;
using scheduling::passes_of_unit;

namespace {

using batches = std::vector<passes_of_unit::batch>;

/// Of ten passes on four units that take a second each, these have one that takes ten.
lateness with_late(const std::vector<pass_id>& late, int in_each = 1) {
  std::vector<batches> units(4);
  for (pass_id pass = 0; pass < 10; ++pass)
    for (int u = 0; u < 4; ++u)
      units[static_cast<std::size_t>(u)].push_back(
          {.pass = pass,
           .weight = 1,
           .time = u < in_each && std::ranges::count(late, pass) > 0 ? 10.0 : 1.0});
  return lateness_of(units, std::vector<speed>(4, {.launch = 0, .per_weight = 1}));
}

}  // namespace

TEST_CASE("one pass with late batches is chance, however many there are in it", "[late_batches]") {
  CHECK(with_late({}).chance_of_batch == 0);
  CHECK(with_late({3}).chance_of_batch == 0);
  CHECK(with_late({3}, 4).chance_of_batch == 0);
}

TEST_CASE("half of the passes with late batches make each of four late with a chance of a tenth",
          "[late_batches]") {
  const lateness half = with_late({0, 2, 4, 6, 8, 9});
  CHECK(half.by == Approx(9));
  // 1 - 0.5^(1/4), less two of a hundred that are late on any machine.
  CHECK(half.chance_of_batch == Approx(0.139).margin(0.001));
}

TEST_CASE("a pass of both kinds is expected to be late as often as batches were, and GPUs alone are not",
          "[late_batches]") {
  const workload work{.n_tasks = 8};
  const std::vector<unit> units = make_units(4, 1);
  const std::vector<speed> speeds = speeds_of(units, {0, 1}, {0, 0.25});
  const scheduling::forecast quiet{work, units, {.usual = speeds}};
  const scheduling::forecast disturbed{
      work, units, {.usual = speeds, .late = {.chance_of_batch = 0.139, .by = 9}}};
  const auto tasks = [](int first, int n) {
    std::vector<task_id> some;
    for (int i = 0; i < n; ++i) some.push_back(task_id{first + i});
    return some;
  };
  const scheduling::assignment both{tasks(0, 1), tasks(1, 1), tasks(2, 1), tasks(3, 1), tasks(4, 4)};
  const scheduling::assignment gpus{{}, {}, {}, {}, tasks(0, 8)};
  CHECK(quiet.of(both, scheduling::cpu_tasks::own) == Approx(1).epsilon(0.01));
  CHECK(disturbed.of(both, scheduling::cpu_tasks::own) == Approx(0.55 * 1 + 0.45 * 10).epsilon(0.01));
  CHECK(disturbed.of(gpus, scheduling::cpu_tasks::own) == quiet.of(gpus, scheduling::cpu_tasks::own));
}

TEST_CASE("the newest 64 batches of a unit count", "[late_batches]") {
  passes_of_unit of;
  for (pass_id pass = 0; pass < 100; ++pass) of.add({.pass = pass, .weight = 1, .time = 1});
  CHECK(of.all().size() == 64);
  CHECK(std::ranges::min_element(of.all(), {}, &passes_of_unit::batch::pass)->pass == 36);
  of.forget();
  CHECK(of.all().empty());
}
