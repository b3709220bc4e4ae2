/// Shares that follow measured times, in virtual time.
#include "driver.hpp"
#include "sharing_machine.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <support/catch.hpp>

#include <yoke/balancer.hpp>

using namespace yoke::scheduling;
using namespace sharing;
using Catch::Matchers::Contains;

TEST_CASE("shares come near the best within some loops and stay", "[scheduling][balancer]") {
  sharing::machine on{.units = {{0, 1, 1e-6}, {0, 1, 1e-6}, {1, 1, 4e-6}}};
  balancer of{9000, on.sharing()};
  CHECK(shares_of(of.shares().begin(), of.shares().end()) == shares_of{3000, 3000, 3000});
  run(of, on, 30);
  CHECK(of.shares()[0] == 4000);
  CHECK(of.shares()[1] == 4000);
  CHECK(of.shares()[2] == 1000);
  const int moves = of.moves();
  run(of, on, 5000);
  CHECK(of.moves() == moves);
  CHECK_THAT(of.explain(), Contains("no other shares promise less") || Contains("a move pays from"));
}

TEST_CASE("a unit whose part only costs the others time gets nothing", "[scheduling][balancer]") {
  sharing::machine slow_cpus{.units = {{0, 1, 1e-3}, {1, 100, 1e-6}}, .apart = 1e-3};
  balancer on_gpu{10'000, slow_cpus.sharing()};
  run(on_gpu, slow_cpus, 100);
  CHECK(on_gpu.shares()[0] == 0);

  sharing::machine slow_gpu{.units = {{0, 1, 1e-6}, {0, 1, 1e-6}, {1, 1, 1e-3}}, .apart = 1e-3};
  balancer on_cpus{10'000, slow_gpu.sharing()};
  run(on_cpus, slow_gpu, 100);
  CHECK(on_cpus.shares()[2] == 0);
  CHECK(on_cpus.shares()[0] == 5000);
}

TEST_CASE("shares that turned out slower are left, and not tried again", "[scheduling][balancer]") {
  // Two memories cost far less than one does alone: what one alone would take cannot be told from that.
  sharing::machine on{.units = {{0, 1, 1e-6}, {1, 1, 1e-6}}, .apart = 4e-3};
  balancer of{1000, on.sharing()};
  int tried = 0;
  for (int n = 0; n < 3000; ++n) {
    if (of.is_time_to_look())
      if (auto to = of.look(0)) {
        tried += std::ranges::count(*to, 0) > 0 ? 1 : 0;
        of.move_to(std::move(*to));
      }
    timed_loop loop = on.run(of.shares());
    if (!on.is_apart(of.shares())) loop.all += 6e-3;
    if (of.count("loop")) of.add("loop", loop);
  }
  CHECK(tried == 2);  // each of the two once
  CHECK(of.shares()[0] == 500);
}

TEST_CASE("noise moves nothing to and fro", "[scheduling][balancer]") {
  constexpr unsigned once_stuck =
      376'967'067;  // shares that were refused forbade much better ones beside them
  for (const unsigned seed : {static_cast<unsigned>(driver::seed()), once_stuck}) {
    sharing::machine on{.units = {{0, 1, 1e-6}, {0, 1, 1.1e-6}, {1, 1, 0.5e-6}, {2, 1, 0.5e-6}},
                        .noise = 0.1};
    on.random.seed(seed);
    INFO("seed " << seed);
    balancer of{20'000, on.sharing()};
    run(of, on, 20'000);
    CHECK(of.moves() <= 12);
    const seconds best = 20'000 / (1 / 1e-6 + 1 / 1.1e-6 + 2 / 0.5e-6);
    on.noise = 0;
    CHECK(on.run(of.shares()).all < 1.15 * best);
  }
}

TEST_CASE("shares follow a unit that becomes slower", "[scheduling][balancer]") {
  sharing::machine on{.units = {{0, 1, 1e-6}, {1, 1, 1e-6}}};
  balancer of{10'000, on.sharing()};
  run(of, on, 500);
  CHECK(of.shares()[0] == 5000);
  on.units[1].of_index = 4e-6;
  run(of, on, 600);
  CHECK(of.shares()[0] == 8000);
  on.units[1].of_index = 1e-6;
  run(of, on, 600);
  CHECK(of.shares()[0] == Approx(5000).margin(200));
}

TEST_CASE("what a move takes is won back before it is made", "[scheduling][balancer]") {
  sharing::machine on{.units = {{0, 1, 1e-6}, {1, 1, 0.8e-6}}};
  const double bytes = 4e9 * 1e-3;  // 1 ms an index, as much as a loop of 10 ms may gain in 1000
  balancer of{10'000, on.sharing()};
  run(of, on, 200, bytes);
  CHECK(of.moves() == 0);
  CHECK_THAT(of.explain(), Contains("a move pays from"));
  run(of, on, 20'000, bytes);
  CHECK(of.moves() >= 1);
  CHECK(of.shares()[1] > 5200);
}

TEST_CASE("on request shares move whatever it takes", "[scheduling][balancer]") {
  sharing::machine on{.units = {{0, 1, 1e-6}, {1, 1, 0.8e-6}}};
  balancer of{10'000, on.sharing()};
  CHECK_FALSE(of.look(1e9, balancer::haste::now));
  CHECK_THAT(of.explain(), Contains("nothing is measured yet"));
  run(of, on, 4, 1e9);
  const auto to = of.look(1e9, balancer::haste::now);
  REQUIRE(to);
  CHECK((*to)[1] > 5500);
}

TEST_CASE("loops of several kinds count as often as they run", "[scheduling][balancer]") {
  sharing::machine flat{.units = {{0, 1, 1e-6}, {1, 1, 1e-6}}}, steep{.units = {{0, 1, 1e-6}, {1, 1, 3e-6}}};
  balancer of{10'000, flat.sharing()};
  for (int n = 0; n < 200; ++n) {
    run(of, flat, 2, 0, "flat");
    run(of, steep, 1, 0, "steep");
  }
  // 3 beside 2 + 3 for an index.
  CHECK(of.shares()[0] == Approx(10'000 * 5 / 8.0).margin(10));
}

TEST_CASE("a share is nothing or as long as a halo needs", "[scheduling][balancer]") {
  balancer of{100, {{space_id{0}, 1}, {space_id{0}, 1}, {space_id{1}, 30}}};
  CHECK(of.shares()[0] == 3);
  const shares_of wider = of.shares_of_at_least(10);
  CHECK(sum(wider) == 100);
  for (const std::int64_t share : wider) CHECK((share == 0 || share >= 10));
  of.move_to(wider);
  CHECK(of.shares_of_at_least(4) == wider);
  CHECK(balancer{0, {{}, {}}}.shares_of_at_least(3) == shares_of{0, 0});
}

TEST_CASE("long shares end on multiples of 1024", "[scheduling][balancer]") {
  sharing::machine on{.units = {{0, 1, 1e-9}, {0, 1, 1e-9}, {1, 1, 0.1e-9}}};
  balancer of{3'000'017, on.sharing()};
  for (int round = 0; round < 2; ++round) {
    CHECK(of.shares()[0] % 1024 == 0);
    CHECK((of.shares()[0] + of.shares()[1]) % 1024 == 0);
    CHECK(sum(of.shares()) == 3'000'017);
    run(of, on, 50);
  }
  CHECK(of.moves() > 0);
}

TEST_CASE("shares that cannot be had are not asked for again", "[scheduling][balancer]") {
  sharing::machine on{.units = {{0, 1, 1e-6}, {1, 1, 0.25e-6}}};
  balancer of{10'000, on.sharing()};
  int asked = 0;
  for (int n = 0; n < 2000; ++n) {
    if (of.is_time_to_look())
      if (auto to = of.look(0)) {
        ++asked;
        of.refuse(std::move(*to), "too little memory");
      }
    if (of.count("loop")) of.add("loop", on.run(of.shares()));
  }
  CHECK(asked <= 4);  // all on one, all on the other, and both
  CHECK(of.moves() == 0);
}

TEST_CASE("shares of random machines are sound, and loops become no slower", "[scheduling][balancer]") {
  std::mt19937 random{driver::seed()};
  INFO("seed " << driver::seed());
  const auto any = [&](double from, double to) { return std::uniform_real_distribution{from, to}(random); };
  for (int round = 0; round < 60; ++round) {
    sharing::machine on{.units = {}, .apart = any(0, 1e-4), .noise = any(0, 0.05)};
    const auto cpus = static_cast<int>(random() % 4), gpus = static_cast<int>(random() % 3);
    for (int u = 0; u < std::max(1, cpus + gpus); ++u)
      on.units.push_back({u < cpus ? 0 : u, any(0.1, 50), std::pow(10, any(-8, -5)), any(0, 2e-5)});
    const std::int64_t n = static_cast<std::int64_t>(random() % 5000),
                       least = static_cast<std::int64_t>(random() % 6);
    balancer of{n, on.sharing()};
    of.move_to(of.shares_of_at_least(least));
    const seconds first = run(of, on, 200), last = (run(of, on, 600), run(of, on, 200));
    CHECK(last <= 1.1 * first);
    CHECK(sum(of.shares()) == n);
    for (const std::int64_t share : of.shares()) CHECK((share == 0 || share >= std::min(least, n)));
  }
}
