/// Loops: roles, what is refused, and what is left when a body throws.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

struct number {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x, double by) const {
    x(at) = by * static_cast<double>(10 * at.i + at.j);
  }
};
struct times_vector {
  YOKE_HD void operator()(yoke::loop_index<1> row, yoke::view<const double, 2> a,
                          yoke::view<const double, 1> x, yoke::view<double, 1> y) const {
    double sum = 0;
    for (std::int64_t j = a.begin(1); j < a.end(1); ++j) sum += a(row.i, j) * x(j);
    y(row) = sum;
  }
};
struct of_neighbours {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          std::int64_t by) const {
    y(at) = x(at.i - by) + x(at.i + by);
  }
};
struct ones {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const { x(at) = 1; }
};
struct ones_again {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, yoke::view<double, 1> y) const {
    x(at) = y(at) = 1;
  }
};
struct reads {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at);
  }
};
struct count_all {
  YOKE_HD void operator()(yoke::loop_index<3>, yoke::partial<std::int64_t>& n) const { n += 1; }
};
struct throws_at {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, std::int64_t where) const {
#if !YOKE_DEVICE_PASS
    if (at.i == where) throw std::runtime_error{"no luck"};
#endif
    x(at) = 7 + static_cast<double>(where);
  }
};
struct fill_replica {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, yoke::partial<double>& sum) const {
    x(at) = 0.5 * static_cast<double>(at.i);
    sum += 1;
  }
};

}  // namespace

TEST_CASE("elements outside of the loop keep their values", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 2> x{rt, {7, 5}};
  yoke::for_each<number>(rt, {7, 5}, out(x), 1.0);
  yoke::for_each<number>(rt, {{2, 6}, {1, 3}}, out(x), -1.0);
  std::vector<double> wanted;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 5; ++j)
      wanted.push_back((i >= 2 && i < 6 && j >= 1 && j < 3 ? -1 : 1) * (10 * i + j));
  CHECK(x.gather() == wanted);
}

TEST_CASE("a loop over rows reads a whole vector in each memory", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> x_host{1, 2, 3, 4, 5};
  const yoke::array<double, 1> x{rt, {5}, {dist::duplicate}, yoke::attach(x_host)};
  yoke::array<double, 2> a{rt, {9, 5}};
  yoke::array<double, 1> y{rt, {9}};
  yoke::for_each<number>(rt, {9, 5}, out(a), 1.0);
  yoke::for_each<times_vector>(rt, {9}, in(a), in(x), out(y));
  std::vector<double> wanted;
  for (int i = 0; i < 9; ++i) wanted.push_back(150 * i + 40);
  CHECK(y.gather() == wanted);
}

TEST_CASE("what is not distributed is computed in each memory, and counts once", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {50}, {dist::duplicate}};
  double sum = 0.5;
  yoke::for_each<fill_replica>(rt, {50}, out(x), yoke::loops::sum(sum));
  CHECK(sum == 50.5);
  yoke::array<double, 1> y{rt, {50}};
  yoke::for_each<of_neighbours>(rt, {{1, 49}}, in(x), out(y), 1);
  std::vector<double> wanted(50);
  for (std::size_t i = 1; i < 49; ++i) wanted[i] = static_cast<double>(i);
  CHECK(y.gather() == wanted);
}

TEST_CASE("a loop without arrays is shared by all units", "[arrays]") {
  yoke::runtime rt;
  std::int64_t n = 3;
  yoke::for_each<count_all>(rt, {{-2, 5}, {0, 3}, {-1000, 1100}}, sum(n));
  CHECK(n == 3 + 7 * 3 * 2100);
}

TEST_CASE("arrays that do not go together are refused before anything runs", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {64}}, y{rt, {64}}, longer{rt, {80}}, replica{rt, {64}, {dist::duplicate}};
  yoke::array<double, 2> wide{rt, {64, 4}};
  double sum = 0;
  CHECK_THAT(refusal([&] { yoke::for_each<ones>(rt, {65}, out(x)); }),
             Contains("for_each 'ones': the array (64 double") && Contains("array 1 of the loop") &&
                 Contains("[0, 64) in dimension 0") && Contains("[0, 65)"));
  CHECK_THAT(refusal([&] { yoke::for_each<ones>(rt, {{-1, 3}}, out(x)); }), Contains("[-1, 3)"));
  CHECK_THAT(refusal([&] { yoke::for_each<of_neighbours>(rt, {64}, in(x), out(x), 0); }),
             Contains("is array 1 again"));
  CHECK_THAT(refusal([&] { yoke::for_each<ones_again>(rt, {64}, out(x), out(replica)); }),
             Contains("is written, and dist::duplicate"));
  CHECK_THAT(refusal([&] { yoke::for_each<ones_again>(rt, {64}, out(replica), out(x)); }),
             Contains("is distributed, but the first array"));
  CHECK_THAT(refusal([&] { yoke::for_each<reads>(rt, {65}, in(x), yoke::loops::sum(sum)); }),
             Contains("[0, 65)"));
  if (rt.units().size() > 1)
    CHECK_THAT(refusal([&] { yoke::for_each<of_neighbours>(rt, {64}, in(longer), out(x), 0); }),
               Contains("cut at other indices"));
  yoke::array<double, 1> none;
  CHECK_THAT(refusal([&] { yoke::for_each<ones>(rt, {1}, out(none)); }),
             Contains("moved from, or made without"));
  CHECK(x.gather() == std::vector<double>(64));
}

TEST_CASE("arrays are not used inside run, nor by another runtime's loops", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {64}};
  std::atomic<int> refused{0};
  rt.each_unit([&](yoke::unit_id) {
    if (refusal([&] {
          yoke::for_each<ones>(rt, {64}, out(x));
        }).find("for_each: called inside a parallel region") == 0)
      ++refused;
  });
  CHECK(refused == rt.units().size());
  yoke::runtime other;
  CHECK_THAT(refusal([&] { yoke::for_each<ones>(other, {64}, out(x)); }),
             Contains("array of another runtime"));
}

TEST_CASE("an index outside of part and halo is refused where checks are on", "[arrays]") {
  const support::variable check{"YOKE_CHECK", "1"};
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {64}, {dist::block.halo(1)}}, y{rt, {64}, dist::as(x)};
  const auto run = [&](std::int64_t by) {
    return refusal([&] {
      yoke::for_each<of_neighbours>(rt, {{by, 64 - by}}, in(x), out(y), by);
      static_cast<void>(y.gather());
    });
  };
  CHECK(run(1) == "(nothing was thrown)");
  // One part has all there is, and a GPU checks nothing.
  const bool is_checked =
      std::ranges::all_of(rt.devices(), [](const yoke::device* dev) { return dev->info().emulated; });
  if (is_checked && rt.units().size() > 1) CHECK_THAT(run(2), Contains("a kernel used the index ("));
}

TEST_CASE("an exception of a body on a CPU leaves the loop, and all else is whole", "[arrays]") {
  yoke::runtime rt;
  if (rt.units().shape().cpu_units == 0) return support::skip("no CPU CU");
  yoke::array<double, 1> x{rt, {64}, {dist::block}}, y{rt, {64}, {dist::block}};
  yoke::for_each<ones>(rt, {64}, out(y));
  CHECK_THROWS_WITH(yoke::for_each<throws_at>(rt, {64}, out(x), 0), "no luck");
  CHECK(y.gather() == std::vector<double>(64, 1.0));
  yoke::for_each<throws_at>(rt, {64}, out(x), 64);
  CHECK(x.gather() == std::vector<double>(64, 71.0));
}
