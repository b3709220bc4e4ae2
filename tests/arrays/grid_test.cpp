/// Arrays cut in other dimensions than the first one, along grids of units, and in blocks that go round.
#include "values.hpp"

#include <cstdint>
#include <cstdlib>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

struct five_points {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> x,
                          yoke::view<double, 2> y) const {
    y(at) = x(at.i - 1, at.j) + 2 * x(at.i, at.j - 1) + 4 * x(at) + 8 * x(at.i, at.j + 1) +
            16 * x(at.i + 1, at.j);
  }
};
struct multiply {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<const double, 2> b, yoke::view<double, 2> c, std::int64_t n) const {
    double all = 0;
    for (std::int64_t k = 0; k < n; ++k) all += a(at.i, k) * b(k, at.j);
    c(at) = all;
  }
};
struct scale_columns {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 1> by,
                          yoke::view<double, 2> x) const {
    x(at) *= by(at.j);
  }
};
struct add_one {
  template <int D>
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<double, D> x, yoke::partial<double>& all) const {
    x(at) += 1;
    all += x(at);
  }
};
struct next_one {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i + 1);
  }
};
struct negate {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x) const { x(at) = -x(at); }
};
struct per_row {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 2> x) const { x(at.i, 0) = 1; }
};

std::int64_t elements_of(const std::vector<yoke::box<2>>& boxes) {
  std::int64_t n = 0;
  for (const yoke::box<2>& each : boxes) n += each[0].size() * each[1].size();
  return n;
}

}  // namespace

TEST_CASE("a matrix cut by columns has all rows on each unit, and halos beside its columns",
          "[arrays][grid]") {
  yoke::runtime rt;
  std::vector<double> host = counting(9 * 40), wanted(host.size());
  const yoke::array<double, 2> x{
      rt,
      {9, 40},
      {dist::duplicate.halo(1).edge(dist::periodic), dist::block.halo(1).edge(dist::periodic)},
      yoke::attach(host)};
  yoke::array<double, 2> y{rt, {9, 40}, {dist::duplicate, dist::block}};
  yoke::for_each<five_points>(rt, {9, 40}, in(x, yoke::faces), out(y));
  const std::vector<double> is = counting(9 * 40);
  const auto at = [&](int i, int j) {
    return is[static_cast<std::size_t>((i + 9) % 9 * 40 + (j + 40) % 40)];
  };
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 40; ++j)
      wanted[static_cast<std::size_t>(i * 40 + j)] =
          at(i - 1, j) + 2 * at(i, j - 1) + 4 * at(i, j) + 8 * at(i, j + 1) + 16 * at(i + 1, j);
  CHECK(y.gather() == wanted);
  for (int unit = 0; unit < rt.units().size(); ++unit) {
    CHECK(x.rows_of(unit) == yoke::bound{9});
    REQUIRE(x.boxes_of(unit).size() == 1);
    CHECK(x.boxes_of(unit)[0][1].size() >= 40 / rt.units().size());
  }
  CHECK_THAT(x.explain(), Contains("dimension 1, [0, 40), is cut into [0, "));
}

TEST_CASE("every element of a grid is one unit's, and all sides but those followed replicate",
          "[arrays][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  const yoke::array<float, 2> once{rt, {24, 30}, {dist::block, dist::block}};
  const yoke::array<float, 2> many{rt, {24, 30}, {dist::duplicate, dist::block.along(1)}, dist::grid{n, 1}};
  std::int64_t all = 0;
  for (int unit = 0; unit < n; ++unit) {
    all += elements_of(once.boxes_of(unit));
    CHECK(elements_of(many.boxes_of(unit)) == 24 * 30);
  }
  CHECK(all == 24 * 30);
  if (n == 4) CHECK_THAT(once.explain(), Contains("units 0 1 2 3 make a grid of 2 x 2"));
  if (n > 1) CHECK_THAT(many.explain(), Contains("each part is there"));
}

TEST_CASE("a grid over CPUs or over GPUs has elements on these alone, and loops over it run there",
          "[arrays][grid]") {
  yoke::runtime rt;
  const int n_cpus = rt.units().shape().cpu_units, n = rt.units().size();
  for (const bool on_cpus : {true, false}) {
    CAPTURE(on_cpus);
    const dist::grid on = dist::grid{dist::any, 1}.over(on_cpus ? dist::cpu_units : dist::gpus);
    std::vector<double> host = counting(64 * 30), wanted = host;
    const auto made = [&] {
      return yoke::array<double, 2>{rt, {64, 30}, {dist::block, dist::duplicate}, on, yoke::attach(host)};
    };
    if ((on_cpus ? n_cpus : n - n_cpus) == 0) {
      CHECK_THAT(refusal([&] { static_cast<void>(made()); }),
                 Contains(on_cpus ? "dist::cpu_units: the runtime has no CPU CU"
                                  : "dist::gpus: the runtime has no GPU CU"));
      continue;
    }
    yoke::array<double, 2> x = made();
    std::int64_t all = 0;
    for (int unit = 0; unit < n; ++unit) {
      all += elements_of(x.boxes_of(unit));
      CHECK((elements_of(x.boxes_of(unit)) > 0) == ((unit < n_cpus) == on_cpus));
    }
    CHECK(all == 64 * 30);
    yoke::for_each<negate>(rt, {{0, 64}, {1, 30}}, inout(x));
    x.detach();
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] *= i % 30 == 0 ? 1 : -1;
    CHECK(host == wanted);
  }
}

TEST_CASE("a product of matrices has rows along one side of the grid and columns along the other",
          "[arrays][grid]") {
  yoke::runtime rt;
  constexpr std::int64_t n = 37;
  std::vector<double> a_host = counting(n * n), b_host(n * n), wanted(n * n);
  for (std::size_t i = 0; i < b_host.size(); ++i) b_host[i] = static_cast<double>(i % 5);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) wanted[i * n + j] += a_host[i * n + k] * b_host[k * n + j];
  const dist::grid on{dist::any, dist::any};
  const yoke::array<double, 2> a{
      rt, {n, n}, {dist::block.along(0), dist::duplicate}, on, yoke::attach(a_host)};
  const yoke::array<double, 2> b{
      rt, {n, n}, {dist::duplicate, dist::block.along(1)}, on, yoke::attach(b_host)};
  yoke::array<double, 2> c{rt, {n, n}, {dist::block, dist::block}, on};
  yoke::for_each<multiply>(rt, {n, n}, in(a), in(b), out(c), n);
  CHECK(c.gather() == wanted);
}

TEST_CASE("a vector may be cut as the columns of a matrix are", "[arrays][grid]") {
  yoke::runtime rt;
  const dist::grid on{dist::any, dist::any};
  std::vector<double> host = counting(30);
  const yoke::array<double, 1> by{rt, {30}, {dist::cyclic(4).along(1)}, on, yoke::attach(host)};
  std::vector<double> ones(20 * 30, 1);
  yoke::array<double, 2> x{rt, {20, 30}, {dist::block, dist::cyclic(4)}, on, yoke::attach(ones)};
  yoke::for_each<scale_columns>(rt, {20, 30}, in(by), inout(x));
  x.detach();
  for (std::size_t i = 0; i < ones.size(); ++i) CHECK(ones[i] == static_cast<double>(i % 30 + 1));
}

TEST_CASE("what several memories have is computed in each, and counts once", "[arrays][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  std::vector<double> host(3000, 1);
  yoke::array<double, 1> x{rt, {3000}, {dist::block.along(1)}, dist::grid{n, 1}, yoke::attach(host)};
  for (int k = 1; k <= 3; ++k) {
    double all = 5;
    yoke::for_each<add_one>(rt, {3000}, inout(x), sum(all));
    CHECK(all == 5 + 3000.0 * (k + 1));
  }
  CHECK(x.gather() == std::vector<double>(3000, 4));
  yoke::redistribute(x, dist::cyclic(100));
  x.detach();
  CHECK(host == std::vector<double>(3000, 4));
}

TEST_CASE("blocks that go round are units' in turn", "[arrays][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  yoke::array<double, 2> x{rt, {2 * n + 1, 3}, {dist::cyclic, dist::duplicate}};
  for (int unit = 0; unit < n; ++unit) {
    const std::vector<yoke::box<2>> boxes = x.boxes_of(unit);
    if (n == 1) continue;
    REQUIRE(std::ssize(boxes) == (unit == 0 ? 3 : 2));
    CHECK(boxes[1][0] == yoke::bound{n + unit, n + unit + 1});
  }
  double all = 0;
  yoke::for_each<add_one>(rt, {2 * n + 1, 3}, inout(x), sum(all));
  CHECK(all == 3.0 * (2 * n + 1));
  if (n == 1) return;
  CHECK_THAT(refusal([&] { static_cast<void>(x.rows_of(0)); }), Contains("boxes_of gives all of them"));
  CHECK_THAT(x.explain(), Contains("is cut into blocks of 1, which go round and stays so"));
}

TEST_CASE("a block of given length is a unit's, and the last one may be shorter", "[arrays][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  const yoke::array<double, 1> x{rt, {10 * n - 5}, {dist::block(10)}};
  for (int unit = 0; unit < n; ++unit)
    CHECK(x.rows_of(unit) == yoke::bound{10 * unit, std::min(10 * unit + 10, 10 * n - 5)});
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {10 * n + 1}, {dist::block(10)}}; }),
             Contains("dist::block(10) has room for"));
}

TEST_CASE("grids that do not go together are refused with their numbers", "[arrays][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  const auto made_on = [&](const dist::grid& on, const yoke::distribution& rows = dist::block) {
    return refusal([&] { yoke::array<double, 2>{rt, {40, 40}, {rows, dist::duplicate}, on}; });
  };
  CHECK_THAT(made_on(dist::grid{n, 2}), Contains("a grid of " + std::to_string(n) + " x 2 for"));
  CHECK_THAT(made_on(dist::grid{n + 1, dist::any}), Contains("x any for"));
  CHECK_THAT(made_on(dist::grid{0, 2}), Contains("a side is 1 or more, or dist::any, not 0"));
  CHECK_THAT(made_on(dist::grid{1, 1, 1, 1, 1}), Contains("a grid of 5 dimensions; 1 to 4"));
  CHECK_THAT(made_on(dist::grid{1}.over(dist::units{n})), Contains("there is no unit " + std::to_string(n)));
  CHECK_THAT(made_on(dist::grid{2}.over(dist::units{0, 0})), Contains("unit 0 is listed twice"));
  CHECK_THAT(made_on(dist::grid{n}, dist::block.along(1)),
             Contains("follows dimension 1 of a grid that has [0, 1)"));
  CHECK_THAT(made_on(dist::grid{n}, dist::duplicate.along(0)), Contains("follows none of the grid"));
  CHECK_THAT(made_on(dist::grid{n}, dist::balanced),
             Contains("is dist::balanced, which is for one distributed"));
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {40}, {dist::block.along(0)}}; }),
             Contains("follows one of a grid, and there is none"));
  CHECK_THAT(refusal([&] {
               yoke::array<double, 2>{
                   rt, {40, 40}, {dist::block.along(0), dist::block.along(0)}, dist::grid{n, 1}};
             }),
             Contains("dimension 1 follows dimension 0 of the grid, as another one does"));
  CHECK_THAT(
      refusal([&] { yoke::array<double, 2>{rt, {40, 40}, {dist::block, dist::block}, dist::grid{n}}; }),
      Contains("dimension 1 is distributed, and the grid has 1 dimensions"));
  CHECK_THAT(refusal([&] {
               yoke::array<double, 2>{
                   rt, {40, 40}, {dist::weighted({1, 2, 3, 4, 5, 6, 7}), dist::block}, dist::grid{1, n}};
             }),
             Contains(n == 1 ? "7 weights for 1" : "7 weights for 1 places of the grid's dimension"));
}

TEST_CASE("blocks that cannot be are refused with their numbers", "[arrays][grid]") {
  yoke::runtime rt;
  const auto made = [&](const yoke::distribution& rows) {
    return refusal([&] { yoke::array<double, 1>{rt, {40}, {rows}}; });
  };
  CHECK_THAT(made(dist::cyclic.halo(1, 0)), Contains("a halo of 1 and 0 beside dist::cyclic"));
  CHECK_THAT(made(dist::cyclic(0)), Contains("dist::cyclic(0): blocks have 1 element or more"));
  CHECK_THAT(made(dist::block(-2)), Contains("dist::block(-2): blocks have 1 element or more"));
  CHECK_THAT(made(dist::balanced(3)), Contains("only dist::block and dist::cyclic have a length"));
  yoke::array<double, 1> x{rt, {40}, {dist::block.halo(1)}};
  CHECK_THAT(refusal([&] { yoke::redistribute(x, dist::cyclic); }), Contains("beside dist::cyclic"));
  CHECK_THAT(refusal([&] { yoke::redistribute(x, {dist::block, dist::block}); }),
             Contains("1 dimensions got 2 distributions"));
}

TEST_CASE("loops over arrays of unlike cuts are refused", "[arrays][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  if (n == 1) return;
  yoke::array<double, 2> rows{rt, {40, 40}, {dist::block, dist::duplicate}};
  yoke::array<double, 2> columns{rt, {40, 40}, {dist::duplicate, dist::block}};
  yoke::array<double, 2> first{rt, {40, 40}, {dist::duplicate, dist::duplicate}, dist::grid{1}.over({0})};
  CHECK_THAT(refusal([&] { yoke::for_each<five_points>(rt, {{1, 39}, {1, 39}}, in(columns), out(rows)); }),
             Contains("array 1 of the loop, counted from 1, is cut at other indices") &&
                 Contains("distribution of dimension 1"));
  CHECK_THAT(refusal([&] { yoke::for_each<five_points>(rt, {{1, 39}, {1, 39}}, in(first), out(rows)); }),
             Contains("has no elements on unit 1"));
  CHECK_THAT(refusal([&] { yoke::for_each<per_row>(rt, {40}, out(columns)); }),
             Contains("a loop of 1 dimensions over an array that is cut in dimension 1"));
  yoke::array<double, 1> x{rt, {40}, {dist::cyclic}}, y{rt, {40}, {dist::cyclic(2)}};
  CHECK_THAT(refusal([&] { yoke::for_each<next_one>(rt, {39}, in(x), out(y)); }),
             Contains("is cut at other indices"));
}

TEST_CASE("an index of another unit's block is refused where indices are checked", "[arrays][grid]") {
  yoke::runtime rt;
  if (rt.units().size() == 1) return;
  if (!rt.devices().empty() && !rt.devices().front()->info().emulated)
    return support::skip("a GPU does not check");
  yoke::array<double, 1> x{rt, {40}, {dist::cyclic(3)}}, y{rt, {40}, dist::as(x)};
  const bool on_cpus_alone = rt.units().all().back().kind == yoke::unit_kind::cpu;
  const char* const checks = std::getenv("YOKE_CHECK");  // NOLINT(concurrency-mt-unsafe)
  if (on_cpus_alone && (checks == nullptr || *checks != '1')) return;
  double unused = 0;
  CHECK_THROWS_AS((yoke::for_each<next_one>(rt, {39}, in(x), out(y)),
                   yoke::for_each<add_one>(rt, {40}, inout(x), sum(unused))),
                  yoke::usage_error);
}
