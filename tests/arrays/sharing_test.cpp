/// Loops with a distribution of their own or an array's, and dimensions that are cut as another array's are.
#include "values.hpp"
#include "who_runs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using arrays_test::who_runs;
using arrays_test::witness;
using Catch::Matchers::Contains;
using support::refusal;

struct add_up {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at);
  }
};
struct add_up_of_two {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at.i) + static_cast<double>(at.j);
  }
};
struct scale {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 1> rows,
                          yoke::view<const double, 1> columns, yoke::view<double, 2> x) const {
    x(at) = 100 * rows(at.i) + columns(at.j);
  }
};
struct one_more {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const { x(at) += 1; }
};
struct add_halo {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i - 1) + x(at.i + 1);
  }
};
struct count {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::partial<std::int64_t>& n) const { n += 1; }
};

int n_units(const yoke::runtime& rt) { return static_cast<int>(rt.units().size()); }

}  // namespace

TEST_CASE("a vector along the rows or columns of a matrix is cut where these are",
          "[arrays][grid][sharing]") {
  yoke::runtime rt;
  const yoke::array<double, 2> x{rt, {24, 40}, {dist::block, dist::block}};
  std::vector<double> of_rows = counting(24), of_columns = counting(40);
  yoke::array<double, 1> rows{rt, {24}, {dist::along(x, 0)}, yoke::attach(of_rows)};
  yoke::array<double, 1> columns{rt, {40}, {dist::along(x, 1)}, yoke::attach(of_columns)};
  for (int unit = 0; unit < n_units(rt); ++unit)
    for (const yoke::box<2>& mine : x.boxes_of(unit)) {
      CHECK(rows.rows_of(unit) == mine[0]);
      CHECK(columns.rows_of(unit) == mine[1]);
    }
  yoke::array<double, 2> y{rt, {24, 40}, dist::as(x)};
  yoke::for_each<scale>(rt, {24, 40}, in(rows), in(columns), out(y));
  const std::vector<double> seen = y.gather();
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = 0; j < 40; ++j)
      if (seen[i * 40 + j] != 100 * of_rows[i] + of_columns[j]) FAIL(i << ", " << j);
}

TEST_CASE(
    "a dimension along another one may have halos, follows weights, blocks that go round and balanced cuts",
    "[arrays][sharing]") {
  yoke::runtime rt;
  const auto n = static_cast<std::int64_t>(16 * n_units(rt));
  std::vector<double> weights(rt.units().size(), 1);
  weights.back() = 3;
  for (const yoke::distribution& how :
       {dist::block, dist::weighted(weights), dist::balanced, dist::cyclic(3), dist::duplicate}) {
    const yoke::array<double, 2> x{rt, {n, 2}, {how, dist::duplicate}};
    const yoke::array<double, 1> y{rt, {n}, {dist::along(x, 0)}};
    const yoke::array<double, 1> across{rt, {2}, {dist::along(x, 1)}};
    for (int unit = 0; unit < n_units(rt); ++unit) {
      CHECK(across.rows_of(unit) == yoke::bound{2});
      const std::vector<yoke::box<1>> mine = y.boxes_of(unit);
      const std::vector<yoke::box<2>> theirs = x.boxes_of(unit);
      REQUIRE(mine.size() == theirs.size());
      for (std::size_t i = 0; i < mine.size(); ++i) CHECK(mine[i][0] == theirs[i][0]);
    }
  }
  const yoke::array<double, 2> x{rt, {n, 2}, {dist::weighted(weights), dist::duplicate}};
  std::vector<double> host = counting(n);
  const yoke::array<double, 1> from{rt, {n}, {dist::along(x, 0).halo(1)}, yoke::attach(host)};
  yoke::array<double, 1> to{rt, {n}, {dist::along(x, 0)}};
  yoke::for_each<add_halo>(rt, {{1, n - 1}}, in(from), out(to));
  CHECK(to.gather()[5] == host[4] + host[6]);
  yoke::array<double, 1> moved{rt, {n}, {dist::block}};
  yoke::redistribute(moved, dist::along(x, 0));
  CHECK(moved.rows_of(0) == to.rows_of(0));
}

TEST_CASE("what is along an array that it cannot be along is refused", "[arrays][sharing][errors]") {
  yoke::runtime rt;
  const yoke::array<double, 2> x{rt, {24, 40}, {dist::block, dist::duplicate}};
  using vector = yoke::array<double, 1>;
  CHECK_THAT(refusal([&] { vector{rt, {24}, {dist::along(x, 2)}}; }),
             Contains("dist::along: dimension 2 of an array with [0, 2)"));
  CHECK_THAT(refusal([&] { vector{rt, {25}, {dist::along(x, 0)}}; }),
             Contains("dimension 0 has 25 elements, and dimension 0 of the array that it is along has 24"));
  CHECK_THAT(refusal([&] { vector{rt, {24}, {dist::along(x, 0)}, dist::grid{dist::any}}; }),
             Contains("leave its own out"));
  CHECK_THAT(refusal([&] { vector{rt, {24}, {dist::along(x, 0).along(0)}}; }),
             Contains("follows the grid where that one does"));
  CHECK_THAT(refusal([&] { vector{rt, {24}, {dist::along(x, 0)(3)}}; }), Contains("have a length"));
  CHECK_THAT(refusal([&] { yoke::array<double, 2>{rt, {24, 24}, {dist::along(x, 0), dist::along(x, 0)}}; }),
             Contains("follows dimension 0 of the grid, as another one does"));
  CHECK_THAT(refusal([&] { yoke::array<double, 2>{rt, {24, 40}, {dist::along(x, 0), dist::block}}; }),
             Contains("the grid has 1 dimensions, which others follow"));
}

TEST_CASE("a distributed loop runs each index once, on the unit that the distribution says",
          "[arrays][sharing]") {
  yoke::runtime rt;
  const int units = n_units(rt);
  std::vector<double> only_last(static_cast<std::size_t>(units), 0);
  only_last.back() = 1;
  CHECK(who_runs(rt, {3, 50}, distributed(dist::weighted(only_last))) ==
        std::vector<witness::piece>{{units - 1, {3, 50}}});

  const std::vector<witness::piece> by_four = who_runs(rt, {4 * units}, distributed(dist::block(4)));
  REQUIRE(by_four.size() == static_cast<std::size_t>(units));
  for (int unit = 0; unit < units; ++unit)
    CHECK(by_four[static_cast<std::size_t>(unit)] == witness::piece{unit, {4 * unit, 4 * unit + 4}});

  if (units == 1) return;
  const std::vector<witness::piece> round = who_runs(rt, {1, 20}, distributed(dist::cyclic(5)));
  std::int64_t at = 1;
  for (const witness::piece& each : round) {
    CHECK(each.rows == yoke::bound{at, std::min<std::int64_t>(at / 5 * 5 + 5, 20)});
    CHECK(each.unit == at / 5 % units);
    at = each.rows.end;
  }
  CHECK(at == 20);
}

TEST_CASE("an aligned loop runs on the owners of an array that it need not use", "[arrays][sharing]") {
  yoke::runtime rt;
  std::vector<double> weights(rt.units().size(), 2);
  weights.front() = 5;
  const yoke::array<float, 2> x{rt, {70, 3}, {dist::weighted(weights), dist::duplicate}};
  for (const witness::piece& each : who_runs(rt, {1, 69}, aligned(x))) {
    const yoke::bound own = x.rows_of(each.unit);
    CHECK(own.begin <= each.rows.begin);
    CHECK(each.rows.end <= own.end);
  }
  std::vector<double> host = counting(70);
  const yoke::array<double, 1> everywhere{rt, {70}, {dist::duplicate}, yoke::attach(host)};
  double sum = 0, plain = 0;
  yoke::for_each<add_up>(rt, {70}, aligned(x), in(everywhere), yoke::loops::sum(sum));
  yoke::for_each<add_up>(rt, {70}, in(everywhere), yoke::loops::sum(plain));
  CHECK(sum == 70 * 71 / 2);
  CHECK(sum == plain);
  std::vector<double> again = counting(70);
  const yoke::array<double, 1> rows{rt, {70}, {dist::along(x, 0)}, yoke::attach(again)};
  double of_both = 0;
  yoke::for_each<add_up_of_two>(rt, {70, 4}, aligned(rows), in(rows), yoke::loops::sum(of_both));
  CHECK(of_both == 4 * 70 * 71 / 2 + 70 * 6);
}

TEST_CASE("a recorded loop keeps its distribution", "[arrays][sharing][record]") {
  yoke::runtime rt;
  std::vector<double> weights(rt.units().size(), 1);
  weights.front() = 4;
  std::vector<double> host(40);
  yoke::array<double, 1> x{rt, {40}, {dist::weighted(weights)}, yoke::attach(host)};
  std::int64_t n = 0;
  auto both = yoke::record(rt, [&] {
    yoke::for_each<one_more>(rt, {40}, aligned(x), inout(x));
    yoke::for_each<count>(rt, {30}, distributed(dist::weighted(weights)), sum(n));
  });
  both.replay();
  both.replay();
  CHECK(n == 60);
  x.detach();
  CHECK(host == std::vector<double>(40, 2));
}

TEST_CASE("a loop that would not find its elements where it runs is refused", "[arrays][sharing][errors]") {
  yoke::runtime rt;
  const auto n = static_cast<std::int64_t>(10 * n_units(rt));
  yoke::array<double, 1> x{rt, {n}, {dist::block}};
  yoke::array<double, 1> everywhere{rt, {n}, {dist::duplicate}};
  std::vector<double> weights(rt.units().size(), 1);
  weights.back() = 7;
  const yoke::array<double, 1> other{rt, {n}, {dist::weighted(weights)}};
  CHECK_THAT(refusal([&] { yoke::for_each<one_more>(rt, {n}, distributed(dist::block.halo(1)), inout(x)); }),
             Contains("a loop has none"));
  CHECK_THAT(
      refusal([&] { yoke::for_each<one_more>(rt, {n}, distributed(dist::block, dist::block), inout(x)); }),
      Contains("2 distributions for a loop of 1 dimensions"));
  CHECK_THAT(refusal([&] { yoke::for_each<witness>(rt, {{-1, 3}}, distributed(dist::block)); }),
             Contains("the loop begins with -1 in dimension 0"));
  CHECK_THAT(refusal([&] { yoke::for_each<one_more>(rt, {n}, aligned(x).on(dist::grid{1}), inout(x)); }),
             Contains("a loop is on the grid of its array"));
  CHECK_NOTHROW(yoke::for_each<one_more>(rt, {n}, distributed(dist::block), inout(x)));
  if (n_units(rt) == 1) return;
  CHECK_THAT(
      refusal([&] { yoke::for_each<one_more>(rt, {n}, distributed(dist::weighted(weights)), inout(x)); }),
      Contains("array 1 of the loop") && Contains("share the loop as the array is, with aligned(x)"));
  CHECK_THAT(refusal([&] { yoke::for_each<one_more>(rt, {n}, aligned(other), inout(x)); }),
             Contains("is cut at other indices than the array that the loop is aligned with"));
  CHECK_THAT(refusal([&] { yoke::for_each<one_more>(rt, {n}, distributed(dist::block), inout(everywhere)); }),
             Contains("is written, and in several memories"));
}

TEST_CASE("random distributions of loops: each index once and the same sums, or a refusal",
          "[arrays][sharing][random]") {
  yoke::runtime rt;
  const auto seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>{from, to}(random);
  };
  const auto distribution = [&]() -> yoke::distribution {
    std::vector<double> weights;
    for (int unit = 0; unit < n_units(rt); ++unit) weights.push_back(static_cast<double>(number(0, 3)));
    weights[static_cast<std::size_t>(number(0, n_units(rt) - 1))] = 1;
    const std::array all{dist::block, dist::weighted(weights), dist::cyclic(number(1, 9)), dist::duplicate};
    return all[static_cast<std::size_t>(number(0, 3))];
  };
  int n_run = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const std::int64_t n = number(1, trial % 3 == 0 ? 5000 : 90), begin = number(0, n),
                       end = number(begin, n);
    std::vector<double> host = counting(n);
    for (double& value : host) value = 1 / value;
    const yoke::array<double, 1> x{rt, {n}, {distribution()}, yoke::attach(host)};
    double sum = 0, plain = 0;
    yoke::for_each<add_up>(rt, {{begin, end}}, in(x), yoke::loops::sum(plain));
    const auto run = [&](const yoke::loop_sharing& sharing) {
      yoke::for_each<add_up>(rt, {{begin, end}}, sharing, in(x), yoke::loops::sum(sum));
      ++n_run;
    };
    try {
      number(0, 1) == 0 ? run(aligned(x)) : run(distributed(distribution()));
      CAPTURE(trial, n, begin, end);
      CHECK(sum == plain);
      CHECK(sum == Approx(std::accumulate(host.begin() + begin, host.begin() + end, 0.0)));
    } catch (const yoke::usage_error& problem) {
      CHECK_THAT(problem.what(), Contains("aligned(x)"));
    }
  }
  CHECK(n_run > 20);
}
