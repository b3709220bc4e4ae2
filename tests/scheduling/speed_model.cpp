/// White-box: the speeds of one kind of unit from noisy batches.

#include "../../scheduling/src/speeds/speed_model.hpp"

#include "driver.hpp"

#include <array>
#include <cmath>

using namespace driver;
using scheduling::fit_kind;
using scheduling::unit_samples;

namespace {

constexpr scheduling::launch_guess nothing_known{.weight = 0, .deviation = 10};

unit_samples batches(std::initializer_list<double> weights, speed of) {
  unit_samples made;
  for (const double weight : weights) made.emplace_back(weight, of.launch + of.per_weight * weight);
  return made;
}

}  // namespace

TEST_CASE("a kind without a sample has no speed", "[speed_model]") {
  CHECK_FALSE(fit_kind({}, nothing_known));
  const std::vector<unit_samples> silent(3);
  CHECK_FALSE(fit_kind(silent, nothing_known));
}

TEST_CASE("launch and slope are told apart by batches of different units", "[speed_model]") {
  const speed truth{.launch = 5, .per_weight = 0.5};
  const std::vector<unit_samples> units{batches({2, 4}, truth), batches({20, 10}, truth), {}};
  const auto fitted = fit_kind(units, nothing_known);
  REQUIRE(fitted);
  for (const speed& one : fitted->units) {
    CHECK(one.launch == Approx(5).epsilon(0.05));
    CHECK(one.per_weight == Approx(0.5).epsilon(0.05));
  }
}

TEST_CASE("where batches are alike the launch is what was guessed", "[speed_model]") {
  const std::vector<unit_samples> units{batches({10, 10, 10}, {.launch = 0, .per_weight = 1})};
  const auto fitted = fit_kind(units, {.weight = 2, .deviation = 1});
  REQUIRE(fitted);
  CHECK(fitted->units[0].launch + 10 * fitted->units[0].per_weight == Approx(10).epsilon(0.02));
  CHECK(fitted->units[0].launch == Approx(2 * fitted->units[0].per_weight).epsilon(0.1));
}

TEST_CASE("a unit that is slower than others is told apart, however slow it is", "[speed_model]") {
  for (const double slow : {2., 10., 40., 1e3, 1e6}) {
    std::vector<unit_samples> units(4, batches({3, 3, 3, 3, 3, 3}, {.launch = 0, .per_weight = 1}));
    units[2] = batches({3, 3, 3, 3, 3, 3}, {.launch = 0, .per_weight = slow});
    const auto fitted = fit_kind(units, nothing_known);
    REQUIRE(fitted);
    CAPTURE(slow);
    CHECK(fitted->units[2].per_weight / fitted->units[1].per_weight == Approx(slow).epsilon(0.1));
    for (const speed& one : fitted->units) CHECK(std::isfinite(one.per_weight));
  }
}

TEST_CASE("of two batches that are far apart the later one is the outlier", "[speed_model]") {
  const std::vector<unit_samples> units{{{10, 10}, {10, 100}}};
  const auto fitted = fit_kind(units, nothing_known);
  REQUIRE(fitted);
  CHECK(fitted->units[0].launch + 10 * fitted->units[0].per_weight == Approx(10).epsilon(0.01));
}

TEST_CASE("the only batch of a unit that is far later than those of the others says nothing",
          "[speed_model]") {
  std::vector<unit_samples> units(5, batches({10}, {.launch = 0, .per_weight = 1}));
  units[3] = {{10, 100}};
  const auto once = fit_kind(units, nothing_known);
  REQUIRE(once);
  CHECK(once->units[3].per_weight == Approx(1).epsilon(0.01));
  units[3] = {{10, 100}, {10, 100}, {10, 100}, {10, 100}};
  const auto always = fit_kind(units, nothing_known);
  REQUIRE(always);
  CHECK(always->units[3].per_weight / always->units[0].per_weight > 5);
}

TEST_CASE("units that differ by noise alone are taken for alike, and outliers do not count",
          "[speed_model][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  double sum = 0;
  int apart = 0;
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    std::vector<unit_samples> units(8);
    for (unit_samples& unit : units)
      for (int i = 0; i < 8; ++i)
        unit.emplace_back(5, 5 * std::lognormal_distribution{0.0, 0.2}(rng) * (i == 3 ? 10 : 1));
    const auto fitted = fit_kind(units, nothing_known);
    REQUIRE(fitted);
    double largest = 0, least = 1e9;
    for (const speed& one : fitted->units) {
      const double time = one.launch + 5 * one.per_weight;
      largest = std::max(largest, time);
      least = std::min(least, time);
    }
    apart += std::max(largest / 5, 5 / least) < 1.4 ? 0 : 1;
    sum += largest / least;
  }
  CHECK(apart <= 1);           // one of some 10^4 is
  CHECK(sum / rounds < 1.06);  // by noise alone the eight means are 1.2 apart
}

TEST_CASE("a launch that takes far longer than was thought is believed where light and heavy batches tell",
          "[speed_model]") {
  const speed truth{.launch = 4e-3, .per_weight = 2e-6};
  const scheduling::launch_guess two_tasks{.weight = 2, .deviation = 2};
  const double noise = GENERATE(0, 0.15, 0.3);
  CAPTURE(noise);
  std::vector<unit_samples> unit{batches({1, 399, 1, 399, 1, 399}, truth)};
  const std::array<double, 6> off{1, -1, 0.5, -0.5, 0.2, -0.8};
  for (std::size_t i = 0; i < off.size(); ++i) unit[0][i].second *= 1 + noise * off[i];
  const auto fitted = fit_kind(unit, two_tasks, scheduling::usual_of_gpus);
  REQUIRE(fitted);
  CHECK(fitted->units[0].launch == Approx(truth.launch).epsilon(0.01 + noise / 2));
  CHECK(fitted->units[0].per_weight < 2 * truth.per_weight);
}
