/// Loops before which elements travel between memories, in virtual time.
#include "driver.hpp"
#include "sharing_machine.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <support/catch.hpp>

using namespace sharing;

namespace {

/// 15 CPUs have a twentieth of the speed of each device.
sharing::machine of_devices(int devices, unsigned seed) {
  sharing::machine made{.units = {}, .noise = 0.05};
  made.random.seed(seed);
  for (int cpu = 0; cpu < 15; ++cpu) made.units.push_back({0, 1, 300e-9});
  for (int device = 1; device <= devices; ++device) made.units.push_back({device, 396, 1e-9});
  return made;
}

/// Of the indices those on CPUs.
double part_of_cpus(const balancer& of) {
  return static_cast<double>(sum(of.shares().first(15))) / static_cast<double>(sum(of.shares()));
}

/// What a loop takes where these memories have it, by their speeds.
seconds best_among(const sharing::machine& of, std::int64_t n, const std::vector<int>& memories) {
  double speed = 0;
  for (const sharing::machine::unit& each : of.units)
    if (std::ranges::find(memories, each.memory) != memories.end()) speed += 1 / each.of_index;
  if (speed == 0) return HUGE_VAL;
  const auto hosts = std::ranges::count(memories, 0);
  const seconds moves = memories.size() < 2 ? 0
                                            : of.apart + (hosts > 0 ? of.with_host : 0) +
                                                  (std::ssize(memories) - hosts > 1 ? of.between_devices : 0);
  return static_cast<double>(n) / speed + moves;
}

}  // namespace

TEST_CASE("a device has all indices where elements travel for longer than CPUs beside it save",
          "[scheduling][balancer]") {
  const std::int64_t n = 1'000'000;  // 1 ms on the device
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    sharing::machine on = of_devices(1, seed);
    on.with_host = 2e-3;
    balancer of{n, on.sharing()};
    run(of, on, 60, 300);
    CHECK(part_of_cpus(of) == 0);
    const int moves = of.moves();
    CHECK(moves <= 2);
    run(of, on, 20'000, 300);
    CHECK(of.moves() == moves);
    // As little as that is worth it.
    sharing::machine near = of_devices(1, seed);
    near.with_host = 5e-6;
    balancer of_near{n, near.sharing()};
    run(of_near, near, 400);
    CHECK(part_of_cpus(of_near) > 0.02);
    const int moves_of_near = of_near.moves();
    run(of_near, near, 20'000);
    CHECK(of_near.moves() <= moves_of_near + 2);
    CHECK(part_of_cpus(of_near) > 0.02);
  }
}

TEST_CASE("what travels before one of several loops counts for all of them", "[scheduling][balancer]") {
  sharing::machine product = of_devices(1, 3), others = of_devices(1, 4);
  product.with_host = 2e-3;
  balancer of{100'000, product.sharing()};
  const auto iterate = [&](int times) {
    for (int k = 0; k < times; ++k) {
      run(of, product, 1, 300, "product");
      run(of, others, 2, 300, "others");
    }
  };
  iterate(40);
  CHECK(part_of_cpus(of) == 0);
  const int moves = of.moves();
  iterate(5000);
  CHECK(of.moves() == moves);
}

TEST_CASE("two devices go on together where what the host costs them is too much", "[scheduling][balancer]") {
  const std::int64_t n = 1'000'000;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    sharing::machine on = of_devices(2, seed);
    on.with_host = 1e-3;
    on.between_devices = 50e-6;
    balancer of{n, on.sharing()};
    run(of, on, 200, 300);
    CHECK(part_of_cpus(of) == 0);
    CHECK(std::min(of.shares()[15], of.shares()[16]) > n / 3);
    CHECK(of.moves() <= 6);
    for (int times = 0; times < 100; ++times) {
      run(of, on, 200, 300);
      CHECK(part_of_cpus(of) == 0);
    }
    CHECK(of.moves() <= 8);
    // One alone where devices cost each other too much, too.
    on.between_devices = 2e-3;
    balancer apart{n, on.sharing()};
    run(apart, on, 200, 300);
    CHECK(std::max(apart.shares()[15], apart.shares()[16]) == n);
  }
}

TEST_CASE("shares of random machines end near the best of what can be shared", "[scheduling][balancer]") {
  std::mt19937 random{driver::seed()};
  INFO("seed " << driver::seed());
  const auto any = [&](double from, double to) { return std::uniform_real_distribution{from, to}(random); };
  for (int round = 0; round < 100; ++round) {
    sharing::machine on{.units = {}, .noise = any(0, 0.05)};
    on.with_host = std::pow(10, any(-5, -1));
    on.between_devices = on.with_host * any(0, 0.5);
    const int cpus = 1 + static_cast<int>(random() % 4), devices = 1 + static_cast<int>(random() % 2);
    const seconds of_device = std::pow(10, any(-8, -6));
    for (int u = 0; u < cpus + devices; ++u)
      on.units.push_back({std::max(0, u - cpus + 1), 1, u < cpus ? of_device * any(1, 100) : of_device});
    const std::int64_t n = 100'000;
    balancer of{n, on.sharing()};
    run(of, on, 800);
    std::vector<std::vector<int>> sets{{0}, {1}, {0, 1}};
    if (devices == 2) sets.insert(sets.end(), {{2}, {1, 2}, {0, 1, 2}});
    seconds best = HUGE_VAL;
    for (const std::vector<int>& each : sets)
      if (each != std::vector<int>{0, 1} || devices == 1) best = std::min(best, best_among(on, n, each));
    on.noise = 0;
    CAPTURE(round, of.explain());
    CHECK(on.run(of.shares()).all < 1.15 * best);
    const int moves = of.moves();
    run(of, on, 5000);
    CHECK(of.moves() <= moves + 4);
  }
}
