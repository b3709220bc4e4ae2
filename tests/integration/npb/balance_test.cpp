#include "driver/march/assigned_schedule.hpp"
#include "driver/run/result.hpp"

#include <random>
#include <support/catch.hpp>

using yoke::unit_id;

namespace {

/// By trying every map.
double smallest_makespan(int n_tasks, const std::vector<double>& seconds) {
  std::size_t maps = 1;
  for (int t = 0; t < n_tasks; ++t) maps *= seconds.size();
  double best = 1e300;
  for (std::size_t map = 0; map < maps; ++map) {
    std::vector<double> finish(seconds.size(), 0);
    for (std::size_t t = 0, rest = map; t < static_cast<std::size_t>(n_tasks); ++t, rest /= seconds.size())
      finish[rest % seconds.size()] += seconds[rest % seconds.size()];
    best = std::min(best, *std::max_element(finish.begin(), finish.end()));
  }
  return best;
}

}  // namespace

TEST_CASE("the best makespan of equal zones is that of the best of all maps", "[npb]") {
  const unsigned seed = 20240611;
  CAPTURE(seed);
  std::mt19937 random{seed};
  std::uniform_real_distribution<double> speed{0.1, 3};
  for (int round = 0; round < 50; ++round) {
    const int n_tasks = 1 + static_cast<int>(random() % 7);
    std::vector<double> seconds;
    for (unsigned u = 0; u < 1 + random() % 3; ++u) seconds.push_back(speed(random));
    CHECK(npb::longest_first_makespan(std::vector<double>(static_cast<std::size_t>(n_tasks), 1), seconds) ==
          Approx(smallest_makespan(n_tasks, seconds)));
  }
}

TEST_CASE("a unit of unknown speed takes no zones", "[npb]") {
  CHECK(npb::longest_first_makespan({1, 1}, {0, 2}) == Approx(4));
  CHECK(npb::longest_first_makespan({1, 1}, {0, 0}) == 0);
}

TEST_CASE("an assigned schedule gives each unit its tasks once in every pass", "[npb]") {
  npb::assigned_schedule plan{{unit_id{1}, unit_id{0}, unit_id{1}}, 3};
  for (yoke::pass_id pass = 0; pass < 3; ++pass) {
    const auto batch = plan.next(unit_id{1}, pass);
    REQUIRE(batch.size() == 2);
    CHECK(batch[0] == 0);
    CHECK(batch[1] == 2);
    CHECK(plan.next(unit_id{1}, pass).empty());
    CHECK(plan.next(unit_id{0}, pass).size() == 1);
    CHECK(plan.next(unit_id{2}, pass).empty());
  }
}

TEST_CASE("spreading follows the weights, in order", "[npb]") {
  const std::vector<unit_id> units{unit_id{0}, unit_id{1}};
  const std::vector<double> equal(4, 1.0);
  CHECK(npb::spread(equal, units) == std::vector<unit_id>{unit_id{0}, unit_id{0}, unit_id{1}, unit_id{1}});
  const std::vector<double> heavy_first{3, 1, 1, 1};
  CHECK(npb::spread(heavy_first, units) ==
        std::vector<unit_id>{unit_id{0}, unit_id{1}, unit_id{1}, unit_id{1}});
}
