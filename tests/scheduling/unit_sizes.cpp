#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/unit_sizes.hpp>

using yoke::scheduling::best_sizes;
using yoke::scheduling::sized;
using yoke::scheduling::sizes_beside;
using yoke::scheduling::unit_sizes;

namespace {

std::string best(const std::vector<double>& weights, int cpus,
                 const yoke::scheduling::team_model& team = {}) {
  const unit_sizes found = best_sizes(weights, cpus, team);
  return std::to_string(found.units) + "x" + std::to_string(found.cpus_each);
}

std::vector<double> even(int n) { return std::vector<double>(static_cast<std::size_t>(n), 3.5); }

/// As BT-MZ has them: products of widths, the largest 20 times the smallest.
std::vector<double> uneven(int side) {
  std::vector<double> all;
  for (int i = 0; i < side * side; ++i)
    all.push_back(std::pow(20, (i % side + i / side) / (2.0 * (side - 1))));
  return all;
}

}  // namespace

TEST_CASE("many tasks run whole, a CPU each", "[scheduling][sizes]") {
  for (const int cpus : {1, 2, 15, 16, 30, 32, 64}) {
    CHECK(best(even(256), cpus) == std::to_string(cpus) + "x1");   // SP-MZ C
    CHECK(best(even(1024), cpus) == std::to_string(cpus) + "x1");  // SP-MZ and BT-MZ D
    CHECK(best(uneven(16), cpus) == std::to_string(cpus) + "x1");  // BT-MZ C
  }
}

TEST_CASE("sixteen even tasks get as many CPUs each as there are", "[scheduling][sizes]") {
  const std::vector<double> lu = even(16);  // every class of LU-MZ; SP-MZ A
  CHECK(best(lu, 2) == "2x1");
  CHECK(best(lu, 16) == "16x1");
  CHECK(best(lu, 32) == "16x2");
  CHECK(best(lu, 64) == "16x4");
}

// LU-MZ on 16 CPUs of a server: 8x2 was 1.0 to 1.15 times as fast as 16x1 in classes B to D on three
// machines, and slower in class A.
TEST_CASE("a task for each CPU is waited for by all, where teams lose little", "[scheduling][sizes]") {
  constexpr double points_a = 30 * 30 * 14, points_c = 118 * 78 * 26;
  const auto of = [](int n, double points, int cpus) {
    return best(std::vector<double>(static_cast<std::size_t>(n), points), cpus,
                {.fixed_share = 0.1, .fixed_weight = 4400, .pieces = points == points_a ? 14 : 26});
  };
  CHECK(of(16, points_c, 16) == "8x2");
  CHECK(of(32, points_c, 32) == "16x2");
  CHECK(of(16, points_c, 32) == "16x2");  // as well as 8x4
  CHECK(of(16, points_c, 24) == "24x1");  // who is slow has no task
  CHECK(of(16, points_c, 8) == "8x1");    // others do more
  CHECK(of(16, points_a, 16) == "16x1");
  CHECK(of(4, points_c, 4) == "4x1");  // the slowest of few is not as slow
  CHECK(sized(even(16), 16, 1).waiting == Approx(1.25).epsilon(0.01));
  CHECK(sized(even(17), 16, 1).waiting == 1);
  CHECK(sized(even(15), 16, 1).waiting == 1);
  CHECK(sized(even(4), 4, 1).waiting == Approx(1.15).epsilon(0.01));
}

TEST_CASE("one task too many for the CPUs is shared by several", "[scheduling][sizes]") {
  const unit_sizes found = best_sizes(even(16), 15, {.fixed_share = 0.1});
  CHECK(found.cpus_each > 1);
  CHECK(found.pass < 0.75 * sized(even(16), 15, 1).pass);
}

TEST_CASE("a task that is much longer than the others gets several CPUs", "[scheduling][sizes]") {
  const std::vector<double> bt = uneven(4);  // BT-MZ W and A: one CPU each cannot use more than about five
  CHECK(best(bt, 2) == "2x1");
  for (const int cpus : {15, 16, 30, 32, 64}) {
    CAPTURE(cpus, best(bt, cpus));
    const unit_sizes found = best_sizes(bt, cpus);
    CHECK(found.cpus_each > 1);
    CHECK(found.pass < 0.8 * sized(bt, cpus, 1).pass);
  }
}

TEST_CASE("whatever the tasks are, no choice is worse than a CPU each", "[scheduling][sizes]") {
  for (int cpus = 1; cpus <= 64; ++cpus) {
    for (const std::vector<double>& tasks :
         {even(1), even(4), even(16), even(37), uneven(2), uneven(4), uneven(8)}) {
      const unit_sizes found = best_sizes(tasks, cpus);
      REQUIRE(found.units >= 1);
      CHECK(found.units * found.cpus_each <= cpus);
      CHECK(found.in_all() <= sized(tasks, cpus, 1).in_all() * (1 + 1e-12));
      CHECK(found.pass >= (1 - 1e-12) / cpus);
    }
  }
  CHECK(best({}, 8) == "8x1");
}

TEST_CASE("what units of one CPU take is what list scheduling says", "[scheduling][sizes]") {
  CHECK(sized(std::vector<double>{3, 3, 2, 2, 2}, 2, 1).pass == Approx(7.0 / 12));
  CHECK(sized(even(16), 32, 1).pass == Approx(1.0 / 16));
  CHECK(sized(even(16), 32, 2).pass == Approx(0.6 / 16));
}

TEST_CASE("what a team gains decides how large units are", "[scheduling][sizes]") {
  const std::vector<double> one(1, 1.0);
  CHECK(best_sizes(one, 16, {.fixed_share = 0}) == sized(one, 16, 16, {.fixed_share = 0}));
  CHECK(best_sizes(one, 16, {.fixed_share = 1}).cpus_each == 1);
  CHECK(best_sizes(one, 16, {.fixed_share = 0, .fixed_weight = 1}).cpus_each == 1);
}

// 6x5 took 0.92 of 5x6 there, five runs each by turns on 32 CPUs of a Xeon of 2023; 8x4 was between them.
TEST_CASE("units of BT-MZ class A have no more CPUs than share its planes evenly", "[scheduling][sizes]") {
  constexpr std::array sides{11, 19, 34, 56};
  std::vector<double> zones;
  for (const int ny : sides)
    for (const int nx : sides) zones.push_back(nx * ny * 14);
  CHECK(best(zones, 32, {.fixed_share = 0.1, .fixed_weight = 350}) == "5x6");
  CHECK(best(zones, 32, {.fixed_share = 0.1, .fixed_weight = 350, .pieces = 14}) == "6x5");
  CHECK(best(zones, 16, {.fixed_share = 0.1, .fixed_weight = 350, .pieces = 14}) == "5x3");
}

TEST_CASE("beside GPUs a task is through within a pass", "[scheduling][sizes]") {
  const auto cpus_each = [](double of_gpus, const std::vector<double>& tasks, int cpus) {
    const unit_sizes found = sizes_beside(of_gpus, tasks, cpus);
    CHECK(found == sized(tasks, cpus, found.cpus_each));
    return found.cpus_each;
  };
  CHECK(cpus_each(400, even(1024), 15) == 1);  // SP-MZ D
  CHECK(cpus_each(800, even(1024), 30) == 2);
  CHECK(cpus_each(800, even(4096), 30) == 1);  // E
  CHECK(sizes_beside(800, std::vector<double>(1024, 66e3), 30, {0.1, 2500}).cpus_each == 2);
  CHECK(cpus_each(800, uneven(32), 30) == 1);  // BT-MZ D: its light zones
  CHECK(cpus_each(800, even(256), 30) == 1);   // too long for any team: as CPUs alone
  CHECK(cpus_each(400, uneven(4), 15) == best_sizes(uneven(4), 15).cpus_each);
  for (const int n : {15, 16, 30, 1024})
    CHECK(cpus_each(0, even(n), 16) == best_sizes(even(n), 16).cpus_each);
  CHECK(sizes_beside(800, {}, 8) == best_sizes({}, 8));
}

// By the operations of each class and what a core does of them in a second; an H200 counts for 400 cores.
TEST_CASE("CPUs beside GPUs are worth it in runs that are long enough", "[scheduling][sizes]") {
  using yoke::seconds;
  using yoke::scheduling::worth_beside;
  const auto pay = [](double of_gpus, int cpus, seconds work) {
    return worth_beside(of_gpus, cpus, work).is_enough();
  };
  for (const seconds of_class_a : {5.1, 5.8, 7.4}) CHECK_FALSE(pay(400, 15, of_class_a));
  for (const seconds of_class_b : {22.4, 24.0, 30.3}) CHECK(pay(400, 15, of_class_b));
  for (const seconds of_class_c : {96.0, 97.1, 122.5}) CHECK(pay(800, 30, of_class_c));
  CHECK_FALSE(pay(800, 30, 22.4));
  CHECK(worth_beside(400, 0, 100).saved == Approx(0).margin(1e-12));
  CHECK(worth_beside(1, 1, 10).saved == Approx(5));
}
