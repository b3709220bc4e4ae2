/// White-box: how often CPU CUs are far later than usual, and what is expected of a pass then; which batches
/// of a GPU were delayed.

#include "../../scheduling/src/learning/late_batches.hpp"

#include "../../scheduling/src/speeds/unit_record.hpp"
#include "driver.hpp"

using namespace driver;
using scheduling::lateness;
using scheduling::lateness_of;
using scheduling::passes_of_unit;
using scheduling::unit_record;

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

constexpr double most_of_launch = 24;

unit_record warm(const unit_record::batches& told) {
  unit_record made{256};
  for (const auto& [weight, time] : told) made.add(weight, time, true);
  return made;
}

double greatest(const std::vector<double>& of) { return std::ranges::max(of); }

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

TEST_CASE("batches of one weight are delayed by what they took beside the quickest tenth", "[late_batches]") {
  unit_record::batches told(20, {10, 1});
  told[3].second = 1.1;
  told[7].second = 3;
  const std::vector<double> delays = warm(told).delays(most_of_launch);
  CHECK(delays[0] == Approx(1));
  CHECK(delays[3] == Approx(1.1));
  CHECK(delays[7] == Approx(3));
}

TEST_CASE("a batch of more work is not delayed by that, whether a launch takes nothing or most of it",
          "[late_batches]") {
  const double launch = GENERATE(0.0, 6.0, 24.0);
  unit_record::batches told;
  for (const double weight : {4.3, 13.8, 35.0, 110.7})
    for (int i = 0; i < 3; ++i) told.emplace_back(weight, 0.28 * (weight + launch));
  CAPTURE(launch);
  CHECK(greatest(warm(told).delays(most_of_launch)) < 2);
}

TEST_CASE("delayed batches are forgotten, and the newest of the others stay the newest", "[late_batches]") {
  unit_record one = warm({{4, 1}, {35, 8}, {35, 80}, {35, 8.2}});
  one.forget_delayed(most_of_launch, 1.5);
  CHECK(one.samples() == unit_record::batches{{4, 1}, {35, 8}, {35, 8.2}});

  unit_record full{3};
  for (const seconds time : {9.0, 1.0, 1.1, 1.2}) full.add(1, time, true);
  full.forget_delayed(most_of_launch, 1.15);
  full.add(1, 1.3, true);
  full.add(1, 1.4, true);
  CHECK(full.samples() == unit_record::batches{{1, 1.4}, {1, 1.1}, {1, 1.3}});
}

TEST_CASE("nothing is forgotten where nothing is warm", "[late_batches]") {
  unit_record cold;
  cold.add(1, 1, false);
  cold.add(1, 100, false);
  cold.forget_delayed(most_of_launch, 1.5);
  CHECK(cold.samples().size() == 2);
  CHECK(unit_record{}.delays(most_of_launch).empty());
}
