#include "driver.hpp"

#include <cmath>
#include <numeric>

#include <yoke/simulator.hpp>

using namespace driver;

namespace {

/// Tasks that were with another unit in the pass before.
int moved_between(const simulated_pass& before, const simulated_pass& after) {
  int moved = 0;
  for (std::size_t t = 0; t < before.map.size(); ++t) moved += before.map[t] != after.map[t] ? 1 : 0;
  return moved;
}

double ideal(const workload& work, const std::vector<speed>& speeds) {
  double rate = 0, weight = 0;
  for (const speed& s : speeds) rate += 1 / s.per_weight;
  for (int t = 0; t < work.n_tasks; ++t) weight += weight_of(work, task_id{t});
  return weight / rate;
}

std::vector<simulated_pass> simulated(const workload& work, const std::vector<unit>& units,
                                      const batch_time& time, int passes) {
  const auto plan = scheduling::make("adaptive", work, units);
  return simulate(*plan, work, static_cast<int>(units.size()), time, passes);
}

}  // namespace

TEST_CASE("adaptive has evened out any speeds by the fifth pass", "[adaptive][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 100; ++round) {
    const std::vector<unit> units = make_units(between(rng, 1, 8), between(rng, 0, 3));
    const workload work{.n_tasks = 100 * static_cast<int>(units.size())};
    std::vector<speed> speeds;
    for (std::size_t u = 0; u < units.size(); ++u)
      speeds.push_back({.launch = 0, .per_weight = std::exp(real(rng, -8, -5))});
    const auto passes = simulated(work, units, linear_time(work, speeds), 12);
    CAPTURE(round, units.size());
    // It stops at 2.5% from tasks cut at will, or where a whole task would be too much, and moves for 5%
    // only.
    const double at_will = ideal(work, speeds);
    const double slowest = std::ranges::max(speeds, {}, &speed::per_weight).per_weight;
    const double reached = std::max(1.025 * at_will, at_will + slowest);
    for (std::size_t pass = 5; pass < 12; ++pass) CHECK(passes[pass].makespan() <= reached / 0.95);
  }
}

TEST_CASE("adaptive mends what one unit's new speed has spoilt within five passes, and touches little else",
          "[adaptive]") {
  const std::vector<unit> units = make_units(8, 0);
  const workload work{.n_tasks = 800};
  const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
    const bool is_slow = unit == 3 && pass >= 20;
    return 1e-4 * (is_slow ? 2 : 1) * static_cast<double>(batch.size());
  };
  const auto passes = simulated(work, units, time, 60);
  for (std::size_t pass = 1; pass <= 20; ++pass) CHECK(moved_between(passes[pass - 1], passes[pass]) == 0);
  int moved = 0;
  for (std::size_t pass = 21; pass < 60; ++pass) moved += moved_between(passes[pass - 1], passes[pass]);
  CHECK(moved >= 44);
  CHECK(moved <= 50);  // 800 / 7.5 = 106.7 for each of seven, 53.3 for the slow one: 46.7 go
  for (std::size_t pass = 25; pass < 60; ++pass) CHECK(passes[pass].makespan() <= 1.06 * 106.7e-4);
}

TEST_CASE("adaptive keeps to the heaviest tasks where weights differ", "[adaptive]") {
  const std::vector<unit> units = make_units(2, 0);
  workload work{.n_tasks = 40};
  for (int t = 0; t < 40; ++t) work.weights.push_back(t < 20 ? (t == 7 ? 10 : 1.5) : 1);
  const auto passes = simulated(work, units, by_weight(work, {1e-3, 1e-3}), 8);
  CHECK(moved_between(passes[0], passes[7]) <= 2);
  CHECK(passes[7].makespan() <= 1.06 * ideal(work, std::vector<speed>(2, {0, 1e-3})));
}

TEST_CASE("adaptive does not run after noise", "[adaptive][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  const std::vector<unit> units = make_units(6, 1);
  const workload work{.n_tasks = 600};
  const batch_time exact = linear_time(work, speeds_of(units, {0, 1e-3}, {0, 1e-4}));
  const auto noisy = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
    return exact(unit, pass, batch) * real(rng, 0.95, 1.05);
  };
  const auto passes = simulated(work, units, noisy, 100);
  int changes = 0;
  for (std::size_t pass = 1; pass < 100; ++pass)
    changes += moved_between(passes[pass - 1], passes[pass]) > 0 ? 1 : 0;
  CHECK(changes <= 3);
}

TEST_CASE("adaptive takes from a GPU what its memory cannot hold, and gives it no more",
          "[adaptive][memory]") {
  workload work{.n_tasks = 60};
  work.bytes.assign(60, 100);
  const std::vector<unit> units = make_units(1, 1, 3500);
  const auto passes = simulated(work, units, linear_time(work, speeds_of(units, {0, 1e-3}, {0, 1e-5})), 10);
  for (const simulated_pass& pass : passes) CHECK(std::ranges::count(pass.map, unit_id{1}) <= 35);
  CHECK(std::ranges::count(passes.back().map, unit_id{1}) == 35);
}
