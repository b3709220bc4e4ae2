#include "driver/host/team_plan.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <support/catch.hpp>

namespace {

using zones = std::vector<yoke::task_id>;

zones first_zones(int n) {
  zones all;
  for (int zone = 0; zone < n; ++zone) all.push_back(yoke::task_id{zone});
  return all;
}

double load(const zones& some, const std::vector<double>& weights) {
  return std::accumulate(some.begin(), some.end(), 0.0, [&](double sum, yoke::task_id zone) {
    return sum + weights[static_cast<std::size_t>(zone)];
  });
}

}  // namespace

TEST_CASE("zones that go round evenly have a thread each", "[team_plan]") {
  const npb::team_plan plan = npb::plan_team(first_zones(16), std::vector<double>(16, 5.0), 4);
  CHECK(plan.shared.empty());
  for (const zones& own : plan.own) CHECK(own.size() == 4);
}

TEST_CASE("zones that are left over are shared by all threads", "[team_plan]") {
  const npb::team_plan plan = npb::plan_team(first_zones(9), std::vector<double>(9, 1.0), 4);
  CHECK(plan.shared.size() == 1);
  for (const zones& own : plan.own) CHECK(own.size() == 2);
}

TEST_CASE("fewer zones than threads are all shared", "[team_plan]") {
  const npb::team_plan plan = npb::plan_team(first_zones(2), std::vector<double>(2, 1.0), 8);
  CHECK(plan.shared.size() == 2);
}

TEST_CASE("a zone that outweighs all others is shared", "[team_plan]") {
  const npb::team_plan plan = npb::plan_team(first_zones(5), std::vector{1.0, 1.0, 20.0, 1.0, 1.0}, 2);
  CHECK(plan.shared == zones{yoke::task_id{2}});
}

TEST_CASE("every zone of a batch is run once, and no thread's own zones outlast the others' by one zone",
          "[team_plan][property]") {
  std::mt19937 rng{20};
  for (int round = 0; round < 300; ++round) {
    const int n = std::uniform_int_distribution{1, 40}(rng);
    const int threads = std::uniform_int_distribution{1, 9}(rng);
    std::vector<double> weights;
    for (int zone = 0; zone < n; ++zone) weights.push_back(std::uniform_real_distribution{0.1, 9.0}(rng));
    const npb::team_plan plan = npb::plan_team(first_zones(n), weights, threads);

    REQUIRE(std::ssize(plan.own) == threads);
    zones all = plan.shared;
    double least = 1e9, most = 0;
    for (const zones& own : plan.own) {
      all.insert(all.end(), own.begin(), own.end());
      least = std::min(least, load(own, weights));
      most = std::max(most, load(own, weights));
    }
    std::sort(all.begin(), all.end());
    CHECK(all == first_zones(n));
    CHECK(most - least <= *std::max_element(weights.begin(), weights.end()) + 1e-12);
  }
}
