#include "driver.hpp"

#include <limits>

#include <yoke/speed_fit.hpp>

using namespace driver;

TEST_CASE("a fit without samples is none", "[speed_fit]") { CHECK_FALSE(speed_fit{}.fit().has_value()); }

TEST_CASE("launch cost and throughput are told apart from batches of different weight", "[speed_fit]") {
  speed_fit fit;
  for (const double weight : {10.0, 20.0, 40.0}) fit.add(weight, 0.5 + 0.25 * weight);
  REQUIRE(fit.fit().has_value());
  CHECK(fit.fit()->launch == Approx(0.5));
  CHECK(fit.fit()->per_weight == Approx(0.25));
}

TEST_CASE("with one distinct weight the line goes through the origin and the median time", "[speed_fit]") {
  speed_fit fit;
  for (const double time : {2.0, 90.0, 2.2, 1.9, 2.1}) fit.add(4, time);
  CHECK(fit.fit()->launch == 0);
  CHECK(fit.fit()->per_weight == Approx(2.1 / 4));
}

TEST_CASE("times that are 0, negative or not finite are no samples", "[speed_fit]") {
  speed_fit fit;
  for (const double time :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    fit.add(1, time);
  fit.add(0, 1);
  CHECK_FALSE(fit.fit().has_value());
}

TEST_CASE("only the most recent samples are kept, so that memory is bounded and a change is followed",
          "[speed_fit]") {
  speed_fit fit;
  for (int i = 0; i < 1000; ++i) fit.add(1, 5);
  for (std::size_t i = 0; i < speed_fit::max_samples; ++i) fit.add(1, 7);
  CHECK(fit.fit()->per_weight == Approx(7));
}

TEST_CASE("a fifth of the samples being outliers moves a fit by less than a fifth", "[speed_fit][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 200; ++round) {
    const speed truth{.launch = real(rng, 0, 5), .per_weight = real(rng, 0.1, 10)};
    const int samples = between(rng, 20, 100);
    speed_fit fit;
    for (int i = 0; i < samples; ++i) {
      const double weight = real(rng, 1, 20);
      const double outlier = i % 5 == 0 ? real(rng, 3, 100) : 1.0;
      fit.add(weight, (truth.launch + truth.per_weight * weight) * outlier * real(rng, 0.99, 1.01));
    }
    const std::optional<speed> fitted = fit.fit();
    REQUIRE(fitted.has_value());
    const auto at = [](const speed& s, double weight) { return s.launch + s.per_weight * weight; };
    CAPTURE(round, samples, truth.launch, truth.per_weight, fitted->launch, fitted->per_weight);
    REQUIRE(at(*fitted, 10) == Approx(at(truth, 10)).epsilon(0.2));
    REQUIRE(at(*fitted, 20) == Approx(at(truth, 20)).epsilon(0.2));
  }
}

TEST_CASE("a fit never has a negative launch cost nor a speed of 0 or less", "[speed_fit][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 500; ++round) {
    speed_fit fit;
    const int samples = between(rng, 1, 12);
    for (int i = 0; i < samples; ++i) fit.add(real(rng, 0.1, 10), real(rng, 1e-6, 10));
    REQUIRE(fit.fit()->launch >= 0);
    REQUIRE(fit.fit()->per_weight > 0);
  }
}
