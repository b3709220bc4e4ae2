#include <algorithm>
#include <numeric>
#include <random>
#include <support/catch.hpp>

#include <yoke/team_plan.hpp>

using yoke::scheduling::plan_team;
using yoke::scheduling::team_model;
using yoke::scheduling::team_plan;

namespace {

using tasks = std::vector<yoke::task_id>;

tasks first_tasks(int n) {
  tasks all;
  for (int task = 0; task < n; ++task) all.push_back(yoke::task_id{task});
  return all;
}

double load(const tasks& some, const std::vector<double>& weights) {
  return std::accumulate(some.begin(), some.end(), 0.0, [&](double sum, yoke::task_id task) {
    return sum + weights[static_cast<std::size_t>(task)];
  });
}

}  // namespace

TEST_CASE("tasks that go round evenly have a thread each", "[team_plan]") {
  const team_plan plan = plan_team(first_tasks(16), std::vector<double>(16, 5.0), 4);
  CHECK(plan.shared.empty());
  for (const tasks& own : plan.own) CHECK(own.size() == 4);
}

TEST_CASE("tasks that are left over are shared by all threads", "[team_plan]") {
  const team_plan plan = plan_team(first_tasks(9), std::vector<double>(9, 1.0), 4);
  CHECK(plan.shared.size() == 1);
  for (const tasks& own : plan.own) CHECK(own.size() == 2);
}

TEST_CASE("fewer tasks than threads are all shared", "[team_plan]") {
  const team_plan plan = plan_team(first_tasks(2), std::vector<double>(2, 1.0), 8);
  CHECK(plan.shared.size() == 2);
}

TEST_CASE("a task that outweighs all others is shared", "[team_plan]") {
  const team_plan plan = plan_team(first_tasks(5), std::vector{1.0, 1.0, 20.0, 1.0, 1.0}, 2);
  CHECK(plan.shared == tasks{yoke::task_id{2}});
}

TEST_CASE("every task of a batch is run once, and no thread's own tasks outlast the others' by one task",
          "[team_plan][property]") {
  std::mt19937 rng{20};
  for (int round = 0; round < 300; ++round) {
    const int n = std::uniform_int_distribution{1, 40}(rng);
    const int threads = std::uniform_int_distribution{1, 9}(rng);
    std::vector<double> weights;
    for (int task = 0; task < n; ++task) weights.push_back(std::uniform_real_distribution{0.1, 9.0}(rng));
    const team_plan plan = plan_team(first_tasks(n), weights, threads);

    REQUIRE(std::ssize(plan.own) == threads);
    tasks all = plan.shared;
    double least = 1e9, most = 0;
    for (const tasks& own : plan.own) {
      all.insert(all.end(), own.begin(), own.end());
      least = std::min(least, load(own, weights));
      most = std::max(most, load(own, weights));
    }
    std::sort(all.begin(), all.end());
    CHECK(all == first_tasks(n));
    CHECK(most - least <= *std::max_element(weights.begin(), weights.end()) + 1e-12);
  }
}

TEST_CASE("a team keeps the share of a task that it cannot divide, and small tasks whole", "[team_plan]") {
  const team_model team{.fixed_share = 0.1, .fixed_weight = 9};
  CHECK(team.time_of(90, 1) == Approx(90));
  CHECK(team.time_of(90, 4) == Approx(18 + 72.0 / 4));
  CHECK(team.time_of(9, 4) == Approx(9));
  CHECK(plan_team(first_tasks(1), std::vector{90.0}, 4, team).time == Approx(36));
}

TEST_CASE("half of what a team does waits for whoever has one piece more", "[team_plan]") {
  const team_model planes{.fixed_share = 0, .pieces = 14};
  CHECK(planes.time_of(28, 1) == Approx(28));
  CHECK(planes.time_of(28, 2) == Approx(14));
  CHECK(planes.time_of(28, 5) == Approx((28.0 / 5 + 3 * 2) / 2));
  CHECK(planes.time_of(28, 6) == Approx((28.0 / 6 + 3 * 2) / 2));  // three pieces again
  CHECK(planes.time_of(28, 28) == Approx((1 + 2.0) / 2));
}

TEST_CASE("tasks that a team does not speed up are run side by side", "[team_plan]") {
  const team_model none{.fixed_share = 1};
  CHECK(plan_team(first_tasks(5), std::vector<double>(5, 1.0), 4, none).shared.empty());
  CHECK(plan_team(first_tasks(5), std::vector<double>(5, 1.0), 4, none).time == Approx(2));
}

TEST_CASE("no plan takes longer than the tasks side by side, nor less than all of them on all threads",
          "[team_plan][property]") {
  std::mt19937 rng{21};
  for (int round = 0; round < 300; ++round) {
    const int n = std::uniform_int_distribution{1, 40}(rng),
              threads = std::uniform_int_distribution{1, 9}(rng);
    std::vector<double> weights;
    for (int task = 0; task < n; ++task) weights.push_back(std::uniform_real_distribution{0.1, 9.0}(rng));
    const team_model team{std::uniform_real_distribution{0.0, 1.0}(rng),
                          std::uniform_real_distribution{0.0, 3.0}(rng),
                          std::uniform_int_distribution{0, 12}(rng)};
    const double found = plan_team(first_tasks(n), weights, threads, team).time;
    const double alone = plan_team(first_tasks(n), weights, threads, {.fixed_share = 1}).time;
    CHECK(found <= alone + 1e-12);
    CHECK(found >= load(first_tasks(n), weights) / threads - 1e-12);
  }
}
