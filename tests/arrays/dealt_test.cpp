/// Loops that no array shares out, and those that are balanced as arrays that they do not use.
#include "values.hpp"
#include "who_runs.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
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

struct add_value {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at);
  }
};

}  // namespace

TEST_CASE("a loop that writes nothing and reads replicas is shared among all units", "[arrays][sharing]") {
  yoke::runtime rt;
  std::vector<double> host = counting(4000), others_host = host;
  const yoke::array<double, 1> table{rt, {4000}, {dist::duplicate}, yoke::attach(host)};
  const auto check = [&](const std::vector<witness::piece>& seen, std::size_t n_who) {
    std::int64_t at = -3;
    for (const witness::piece& each : seen) {
      CHECK(each.rows.begin == at);
      at = each.rows.end;
    }
    CHECK(at == 4000);
    CHECK(seen.size() == n_who);
  };
  check(who_runs(rt, {-3, 4000}, in(table)), rt.units().size());
  check(who_runs(rt, {-3, 4000}), rt.units().size());
  // Those that have all it reads.
  const int last = rt.units().size() - 1;
  const yoke::array<double, 1> there{
      rt, {4000}, {dist::duplicate}, dist::grid{1}.over(dist::units{last}), yoke::attach(others_host)};
  const auto seen = who_runs(rt, {-3, 4000}, in(table), in(there));
  check(seen, 1);
  CHECK(seen.front().unit == last);
  if (last == 0) return;
  const yoke::array<double, 1> elsewhere{rt, {4000}, {dist::duplicate}, dist::grid{1}.over(dist::units{0})};
  CHECK_THAT(refusal([&] { who_runs(rt, {40}, in(there), in(elsewhere)); }),
             Contains("no unit has all arrays that the loop reads; put them on the same grid"));
}

TEST_CASE("sums over replicas have the same bits however their indices come to be shared",
          "[arrays][sharing][balance]") {
  yoke::runtime rt;
  for (const std::int64_t n : {1, 2, 3, 5000, 300'000}) {
    std::vector<double> host = counting(n);
    for (double& each : host) each = 1 / each;
    const yoke::array<double, 1> x{rt, {n}, {dist::duplicate}, yoke::attach(host)};
    double wanted = 0;
    yoke::for_each<add_value>(rt, {n}, distributed(dist::block(n)), in(x), sum(wanted));
    CHECK(wanted == Approx(std::accumulate(host.begin(), host.end(), 0.0)));
    for (int loop = 0; loop < 60; ++loop) {
      double found = 0;
      yoke::for_each<add_value>(rt, {n}, in(x), sum(found));
      if (found != wanted) FAIL("loop " << loop << " of " << n << ": " << found << " for " << wanted);
    }
  }
}

TEST_CASE("a loop is distributed as balanced arrays of its length are, and moves with them",
          "[arrays][sharing][balance]") {
  yoke::runtime rt;
  const auto n = static_cast<std::int64_t>(16 * rt.units().size());
  const yoke::array<float, 1> x{rt, {n}};
  for (int loop = 0; loop < 30; ++loop)
    for (const auto& sharing : {distributed(dist::balanced), aligned(x)})
      for (const witness::piece& each : who_runs(rt, {2, n}, sharing)) {
        const yoke::bound own = x.rows_of(each.unit);
        CHECK(each.rows == yoke::bound{std::max<std::int64_t>(own.begin, 2), own.end});
      }
  // Loops that do not use it are what it is balanced by; one unit has nothing to balance.
  if (rt.units().size() == 1) return;
  const std::string told = x.explain();  // counted anew where cuts have moved
  INFO(told);
  CHECK(told.find("balanced: ") != std::string::npos);
  CHECK(told.find("balanced: 0 loops") == std::string::npos);
}
