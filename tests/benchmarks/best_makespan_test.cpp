#include "best_makespan.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <support/catch.hpp>
#include <vector>

namespace {

/// All maps, one after the other.
double by_trying_all(const std::vector<double>& weights, const std::vector<double>& rates) {
  const auto n_maps = static_cast<long>(std::pow(rates.size(), weights.size()) + 0.5);
  double best = 1e300;
  for (long map = 0; map < n_maps; ++map) {
    std::vector<double> load(rates.size());
    long rest = map;
    for (const double weight : weights) {
      const auto unit = static_cast<std::size_t>(rest) % rates.size();
      load[unit] += weight / rates[unit];
      rest /= static_cast<long>(rates.size());
    }
    best = std::min(best, *std::ranges::max_element(load));
  }
  return best;
}

}  // namespace

TEST_CASE("the best makespan is the least of all maps", "[makespan][property]") {
  std::mt19937 rng{20};
  for (int round = 0; round < 60; ++round) {
    std::vector<double> weights, rates;
    for (int n = std::uniform_int_distribution{1, 7}(rng); n > 0; --n)
      weights.push_back(std::uniform_int_distribution{1, 20}(rng));
    for (int n = std::uniform_int_distribution{1, 3}(rng); n > 0; --n)
      rates.push_back(std::uniform_int_distribution{1, 4}(rng));
    const bench::makespan_bound found = bench::best_makespan(weights, rates);
    REQUIRE(found.exact);
    CHECK(found.value == Approx(by_trying_all(weights, rates)));
  }
}

TEST_CASE("equal tasks that do not go round leave a unit idle", "[makespan]") {
  CHECK(bench::best_makespan(std::vector(9, 1.0), std::vector(4, 1.0)).value == Approx(3));
}

TEST_CASE("no tasks take no time", "[makespan]") {
  CHECK(bench::best_makespan({}, std::vector(4, 1.0)).value == 0);
}
