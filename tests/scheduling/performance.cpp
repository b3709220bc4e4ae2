/// Distribution by performance functions, against trying everything.
#include "driver.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/error.hpp>
#include <yoke/performance.hpp>

// The linker calls the first of these in place of performance_function::time, which is the other one.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" double __real__ZNK4yoke10scheduling20performance_function4timeEl(const void* of, long amount);
extern "C" double __wrap__ZNK4yoke10scheduling20performance_function4timeEl(const void* of, long amount);
static std::int64_t calls_of_functions = 0;
double __wrap__ZNK4yoke10scheduling20performance_function4timeEl(const void* of, long amount) {
  ++calls_of_functions;
  return __real__ZNK4yoke10scheduling20performance_function4timeEl(of, amount);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

using namespace yoke::scheduling;
using Catch::Matchers::Contains;

std::vector<performance_point> random_points(std::mt19937& random, int most) {
  std::vector<performance_point> points;
  std::int64_t amount = 0;
  const bool grows = random() % 2 == 0;
  double time = 0;
  for (auto left = random() % 4 + 1; left > 0; --left) {
    amount += static_cast<std::int64_t>(random() % static_cast<unsigned>(most)) + 1;
    time = (grows ? time : 0) + static_cast<double>(random() % 100);
    points.push_back({amount, time});
  }
  return points;
}

double longest(const std::vector<performance_function>& functions, const std::vector<std::int64_t>& shares) {
  double most = 0;
  for (std::size_t i = 0; i < functions.size(); ++i) most = std::max(most, functions[i].time(shares[i]));
  return most;
}

/// The least longest time over all distributions; infinite where there is none.
double best_of_all(std::int64_t n, const std::vector<performance_function>& functions,
                   const std::vector<amount_limits>& limits, std::size_t unit = 0) {
  if (unit == functions.size()) return n == 0 ? 0 : std::numeric_limits<double>::infinity();
  double best = std::numeric_limits<double>::infinity();
  for (std::int64_t x = 0; x <= n; ++x) {
    if (x > 0 && (x < limits[unit].least || x > limits[unit].most)) continue;
    best = std::min(best, std::max(functions[unit].time(x), best_of_all(n - x, functions, limits, unit + 1)));
  }
  return best;
}

}  // namespace

TEST_CASE("no distribution is better, for functions of any shape and limits", "[scheduling][performance]") {
  const auto seed = driver::seed();
  CAPTURE(seed);
  std::mt19937 random{seed};
  for (int round = 0; round < 300; ++round) {
    std::vector<performance_function> functions;
    std::vector<amount_limits> limits;
    for (auto units = random() % 3 + 1; units > 0; --units) {
      functions.emplace_back(random_points(random, 9), static_cast<std::int64_t>(random() % 4 + 1));
      limits.push_back(
          {static_cast<std::int64_t>(random() % 4), static_cast<std::int64_t>(random() % 25 + 4)});
    }
    const auto n = static_cast<std::int64_t>(random() % 22);
    const double best = best_of_all(n, functions, limits);
    if (std::isinf(best)) {
      CHECK_THROWS_AS(distribute(n, functions, limits), yoke::usage_error);
      continue;
    }
    const std::vector<std::int64_t> shares = distribute(n, functions, limits);
    CHECK(longest(functions, shares) == best);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      all += shares[i];
      CHECK((shares[i] == 0 || (shares[i] >= limits[i].least && shares[i] <= limits[i].most)));
    }
    CHECK(all == n);
  }
}

TEST_CASE("linear speeds give proportional shares", "[scheduling][performance]") {
  std::vector<performance_function> functions;
  for (const double speed : {1.0, 2.0, 5.0})
    functions.emplace_back(std::vector<performance_point>{{100, 100 / speed}, {200, 200 / speed}});
  CHECK(distribute(800, functions) == std::vector<std::int64_t>{100, 200, 500});
}

TEST_CASE("shares are multiples of the granularity but for one", "[scheduling][performance]") {
  std::vector<performance_function> functions(3, performance_function{{{10, 1.0}, {20, 2.0}}});
  const std::vector<std::int64_t> shares = distribute(1000, functions, {}, 64);
  CHECK(shares[0] + shares[1] + shares[2] == 1000);
  CHECK(std::ranges::count_if(shares, [](std::int64_t share) { return share % 64 != 0; }) == 1);
}

TEST_CASE("a unit that works in steps has whole ones", "[scheduling][performance]") {
  const performance_function slow{{{1, 1.0}}}, in_steps{{{1, 0.01}}, 64};
  CHECK(in_steps.time(1) == in_steps.time(64));
  CHECK(in_steps.time(65) == Approx(1.28));
  const std::vector<performance_function> functions{slow, in_steps};
  CHECK(distribute(8192, functions) == std::vector<std::int64_t>{64, 8128});
  CHECK(distribute(8200, functions) == std::vector<std::int64_t>{72, 8128});
  CHECK(distribute(32, functions) == std::vector<std::int64_t>{0, 32});
}

TEST_CASE("a unit that would only delay gets nothing", "[scheduling][performance]") {
  const std::vector<performance_function> functions{performance_function{{{1, 1.0}}},
                                                    performance_function{{{1, 500.0}}}};
  CHECK(distribute(100, functions) == std::vector<std::int64_t>{100, 0});
  CHECK(distribute(0, functions) == std::vector<std::int64_t>{0, 0});
}

TEST_CASE("10^4 on 16 units of any shape add up", "[scheduling][performance]") {
  std::mt19937 random{7};
  std::vector<performance_function> functions;
  for (int i = 0; i < 16; ++i) functions.emplace_back(random_points(random, 2000));
  const std::vector<std::int64_t> shares = distribute(10'000, functions);
  std::int64_t all = 0;
  for (const std::int64_t share : shares) all += share;
  CHECK(all == 10'000);
}

TEST_CASE("functions are called for each bit of the longest time and not for each row",
          "[scheduling][performance]") {
  std::mt19937 random{7};
  for (const std::int64_t n : {10'000, 100'000}) {
    std::vector<performance_function> functions;
    std::size_t pieces = 0;
    for (int i = 0; i < 16; ++i) {
      functions.emplace_back(random_points(random, static_cast<int>(n / 5)));
      pieces += functions.back().points().size() + 1;
    }
    const std::int64_t before = calls_of_functions;
    static_cast<void>(distribute(n, functions));
    const std::int64_t called = calls_of_functions - before;
    // A time has 64 bits; of each straight piece both ends are asked for, and its middles.
    const std::int64_t most = 66 * static_cast<std::int64_t>(pieces) * (2 + std::llround(std::log2(n)) + 1);
    CAPTURE(n, called, most);
    CHECK(called > 0);
    CHECK(called <= most);
    CHECK(called < 16 * n);
  }
}

TEST_CASE("bad functions and amounts are refused with their numbers", "[scheduling][performance]") {
  const auto refusal = [](const auto& call) { return support::message_of<yoke::usage_error>(call); };
  const std::vector<performance_function> one{performance_function{{{1, 1.0}}}};
  const std::vector<amount_limits> two(2);
  CHECK_THAT(refusal([] { performance_function{{}}; }), Contains("no points"));
  CHECK_THAT(refusal([] { performance_function{{{5, 1.0}, {5, 2.0}}}; }),
             Contains("the amount 5 comes behind 5"));
  CHECK_THAT(refusal([] { performance_function{{{1, 1.0}}, 0}; }), Contains("steps of 0"));
  CHECK_THAT(refusal([] { performance_function{{{5, -1.0}}}; }), Contains("-1 s for the amount 5"));
  CHECK_THAT(refusal([&] { static_cast<void>(distribute(-1, one)); }), Contains("an amount of -1"));
  CHECK_THAT(refusal([&] { static_cast<void>(distribute(1, one, {}, 0)); }), Contains("a granularity of 0"));
  CHECK_THAT(refusal([&] { static_cast<void>(distribute(1, one, two)); }),
             Contains("2 limits for 1 functions"));
  CHECK_THAT(refusal([&] { static_cast<void>(distribute(1, {})); }), Contains("no functions"));
}

TEST_CASE("amounts are shared up to 2^62, and refused above", "[scheduling][performance]") {
  const auto refusal = [](const auto& call) { return support::message_of<yoke::usage_error>(call); };
  const std::vector<performance_function> three(3, performance_function{{{1, 1.0}}});
  constexpr std::int64_t most = std::int64_t{1} << 62, largest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t n : {most, most - 1, (std::int64_t{1} << 53) + 1})
    for (const std::int64_t granularity : {n / 1000, n / 7, n - 1, n, largest}) {
      const std::vector<std::int64_t> shares = distribute(n, three, {}, granularity);
      CAPTURE(n, granularity, shares);
      CHECK(std::ranges::all_of(shares, [](std::int64_t share) { return share >= 0; }));
      CHECK(shares[0] + static_cast<__int128>(shares[1]) + shares[2] == n);
    }
  CHECK_THAT(refusal([&] { static_cast<void>(distribute(most + 1, three, {}, most)); }),
             Contains("an amount of 4611686018427387905; 0 or more, 4611686018427387904 at most"));
  CHECK_THAT(refusal([&] { static_cast<void>(distribute(most, three)); }),
             Contains("a granularity of 1 for 4611686018427387904; 1073741825 or more"));
  const std::vector<amount_limits> limits(3, amount_limits{.least = largest});
  CHECK_THAT(refusal([&] { static_cast<void>(distribute(5, three, limits, 3)); }),
             Contains("do not add up to 5"));
  STATIC_REQUIRE(next_multiple(largest, 1024) == largest);
  STATIC_REQUIRE(next_multiple(5, largest) == largest);
  STATIC_REQUIRE(next_multiple(2049, 1024) == 3072);
  STATIC_REQUIRE(next_multiple(0, 7) == 0);
}

TEST_CASE("the error of repeated measurements is Student's", "[scheduling][performance]") {
  measured_time time;
  CHECK(std::isinf(time.relative_error()));
  for (const double sample : {10.0, 11.0, 9.0, 10.5, 9.5}) time.add(sample);
  CHECK(time.mean() == Approx(10));
  // s = sqrt(0.625), t of 4 degrees at 97.5% is 2.776.
  CHECK(time.relative_error() == Approx(2.776 * std::sqrt(0.625 / 5) / 10).epsilon(1e-6));
  for (int i = 0; i < 30; ++i) time.add(10);
  CHECK(time.relative_error() < 0.05);
}

TEST_CASE("what a unit with whole steps takes less is shared by all others", "[scheduling][performance]") {
  std::vector<performance_function> functions;
  for (int unit = 0; unit < 15; ++unit)
    functions.push_back(performance_function{std::vector<performance_point>{{1, 20e-3}}});
  functions.push_back(performance_function{std::vector<performance_point>{{11136, 284e-3}}, 64});
  const std::vector<std::int64_t> shares = distribute(11136, functions);
  CHECK(shares.back() % 64 == 0);
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end() - 1);
  CHECK(*most - *least <= 1);
  CHECK(*least > 0);
}
