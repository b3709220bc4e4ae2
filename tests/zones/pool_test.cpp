// CPU CUs that share work, as threads without CUs.
#include "cpu_pool.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <support/catch.hpp>
#include <thread>
#include <vector>

namespace {

using yoke::detail::cpu_pool;
using yoke::detail::shares_by_member;

/// A pool whose members are told apart by their numbers.
struct team {
  explicit team(int n) : units(static_cast<std::size_t>(n)) {
    std::vector<const yoke::compute_unit*> all;
    for (int i = 0; i < n; ++i) {
      units[static_cast<std::size_t>(i)].id = yoke::unit_id{i};
      all.push_back(&units[static_cast<std::size_t>(i)]);
    }
    pool = std::make_unique<cpu_pool>(std::move(all));
  }
  std::vector<yoke::compute_unit> units;
  std::unique_ptr<cpu_pool> pool;
};

bool never() { return false; }

}  // namespace

TEST_CASE("each share runs once, whoever helps, and none before the one before it", "[zones]") {
  constexpr int members = 4, works = 300, jobs = 3;
  team of{members};
  std::mt19937_64 random{17};
  std::vector<shares_by_member> shares(jobs, shares_by_member(members));
  std::vector<std::vector<double>> weights(jobs);
  for (int job = 0; job < jobs; ++job)
    for (std::uint32_t i = 0; i < 13; ++i) {
      shares[static_cast<std::size_t>(job)][random() % members].push_back(i);
      weights[static_cast<std::size_t>(job)].push_back(1);
    }
  std::array<std::atomic<int>, 13> values{};
  std::atomic<int> wrong{0};
  std::vector<std::jthread> helpers;
  for (std::size_t member = 1; member < members; ++member)
    helpers.emplace_back([&, member] {
      for (cpu_pool::number work = 1; work <= works; ++work) {
        if (work % 7 == member) std::this_thread::sleep_for(std::chrono::microseconds{200});  // a late one
        of.pool->help(member, work, never);
      }
    });
  for (cpu_pool::number work = 1; work <= works; ++work)
    of.pool->lead(work, [&] {
      for (int job = 0; job < jobs; ++job)
        of.pool->run(shares[static_cast<std::size_t>(job)], weights[static_cast<std::size_t>(job)],
                     [&](std::uint32_t share, const yoke::compute_unit&) {
                       const int before = (static_cast<int>(work) - 1) * jobs + job;
                       for (const auto& each : values)
                         if (each != before && each != before + 1) ++wrong;
                       ++values[share];
                     });
    });
  helpers.clear();
  for (const auto& each : values) CHECK(each == works * jobs);
  CHECK(wrong == 0);
  double weight = 0;
  for (const cpu_pool::account& each : of.pool->take_accounts()) weight += each.weight;
  CHECK(weight == 13 * works * jobs);
  CHECK(of.pool->take_accounts()[0].weight == 0);
}

TEST_CASE("others take what a member that is late has", "[zones]") {
  team of{2};
  const shares_by_member all_of_the_other{{}, {0, 1, 2}};
  int n = 0;
  of.pool->lead(1, [&] {
    of.pool->run(all_of_the_other, std::vector<double>{1, 1, 1},
                 [&](std::uint32_t, const yoke::compute_unit& on) { n += on.id == 0 ? 1 : 100; });
  });
  CHECK(n == 3);
  of.pool->help(1, 1, never);  // it has ended
}

TEST_CASE("the first error of a share is the leader's, when all are done", "[zones]") {
  team of{2};
  int n = 0;
  const auto run = [&](std::uint32_t share, const yoke::compute_unit&) {
    ++n;
    if (share == 1) throw std::runtime_error{"share 1"};
  };
  CHECK_THROWS_WITH(of.pool->lead(1, [&] { of.pool->run({{0, 1}, {2}}, std::vector<double>{1, 1, 1}, run); }),
                    "share 1");
  CHECK(n == 3);
  of.pool->help(1, 1, never);
}

TEST_CASE("who helps with work that never begins is told", "[zones]") {
  team of{2};
  int asked = 0;
  of.pool->help(1, 5, [&] { return ++asked > 2; });
  CHECK(asked == 3);
}
