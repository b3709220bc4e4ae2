/// What arrays are attached to, who owns which rows, and bad use of them.
#include "values.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

struct set_to {
  template <int D>
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<double, D> x, double value) const {
    x(at) = value;
  }
};
struct add_index {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const {
    x(at) += static_cast<double>(at.i);
  }
};

}  // namespace

TEST_CASE("detach brings what loops wrote to the memory of the program", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> host = counting(101);
  yoke::array<double, 1> x{rt, {101}, yoke::attach(host)};
  yoke::for_each<add_index>(rt, {{3, 90}}, inout(x));
  x.detach();
  std::vector<double> wanted = counting(101);
  for (std::size_t i = 3; i < 90; ++i) wanted[i] += static_cast<double>(i);
  CHECK(host == wanted);
  CHECK_THAT(refusal([&] { static_cast<void>(x.gather()); }),
             Contains("gather: the array (") && Contains("has been detached"));
}

TEST_CASE("an internal array is zeros, and its parts are as even as can be", "[arrays]") {
  yoke::runtime rt;
  const yoke::array<float, 2> x{rt, {11, 3}, {dist::block, dist::duplicate}};
  CHECK(x.gather() == std::vector<float>(33));
  const int n = rt.units().size();
  std::int64_t next = 0;
  for (int unit = 0; unit < n; ++unit) {
    const yoke::bound rows = x.rows_of(unit);
    CHECK(rows.begin == next);
    CHECK(rows.size() == 11 / n + (unit < 11 % n ? 1 : 0));
    next = rows.end;
  }
  CHECK(next == 11);
  CHECK_THROWS_AS(x.rows_of(n), yoke::usage_error);
}

TEST_CASE("weights say how much of an array a unit has", "[arrays]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
  weights.back() = 3;
  const yoke::array<double, 1> x{rt, {10 * (n + 2)}, {dist::weighted(weights)}};
  for (int unit = 0; unit < n; ++unit)
    CHECK(x.rows_of(unit).size() == (n == 1 ? 30 : unit + 1 < n ? 10 : 30));
  weights.back() = 0;
  if (n > 1) {
    const yoke::array<double, 1> y{rt, {100}, {dist::weighted(weights).halo(2)}};
    CHECK(y.rows_of(n - 1).size() == 0);
  }
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {9}, {dist::weighted(std::vector<double>(9, 1.0))}}; }),
             Contains("9 weights for"));
  weights.back() = -1;
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {9}, {dist::weighted(weights)}}; }),
             Contains("a weight of -1"));
  for (const double wrong : {1e-320, 1e201, 1e308}) {
    weights.back() = wrong;
    CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {9}, {dist::weighted(weights)}}; }),
               Contains("; 0, or a number from 1e-200 to 1e+200"));
  }
  weights.assign(weights.size(), 1e-200);
  weights.back() = 1e200;
  const yoke::array<double, 1> uneven{rt, {9}, {dist::weighted(weights)}};
  CHECK(uneven.rows_of(n - 1).size() == 9);
  CHECK_THAT(refusal([&] {
               yoke::array<double, 1>{rt, {9}, {dist::weighted(std::vector<double>(weights.size(), 0.0))}};
             }),
             Contains("all weights are 0"));
}

TEST_CASE("balanced arrays of one extent are cut at the same indices", "[arrays]") {
  yoke::runtime rt;
  const yoke::array<double, 1> x{rt, {5000}, {dist::balanced.halo(3)}};
  const yoke::array<float, 2> y{rt, {5000, 7}};
  std::int64_t all = 0;
  for (int unit = 0; unit < rt.units().size(); ++unit) {
    const yoke::bound rows = x.rows_of(unit);
    CHECK(rows == y.rows_of(unit));
    CHECK((rows.size() == 0 || rows.size() >= 3));
    all += rows.size();
  }
  CHECK(all == 5000);
}

TEST_CASE("after a swap attachments stay with their names", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> u_host = counting(40);
  yoke::array<double, 1> u{rt, {40}, {dist::block.halo(1)}, yoke::attach(u_host)};
  yoke::array<double, 1> old{rt, {40}, dist::as(u)};
  yoke::for_each<set_to>(rt, {40}, out(old), 2.0);
  swap(u, old);
  CHECK(old.gather() == counting(40));
  u.detach();
  CHECK(u_host == std::vector<double>(40, 2.0));
  CHECK(old.gather() == counting(40));
}

TEST_CASE("contents outlive the array whose memory they were in", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> kept{rt, {30}};
  {
    std::vector<double> host = counting(30);
    yoke::array<double, 1> x{rt, {30}, yoke::attach(host)};
    swap(x, kept);
  }
  CHECK(kept.gather() == counting(30));
}

TEST_CASE("an array that was redistributed after a swap leaves the memory of the other one", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> weights(static_cast<std::size_t>(rt.units().size()), 1.0);
  weights.front() = 3;
  for (const bool ends : {false, true})
    for (const yoke::distribution& from : {dist::block, dist::weighted(weights)})
      for (const yoke::distribution& to : {dist::block, dist::balanced, dist::weighted(weights)}) {
        std::vector<double> first_host = counting(40), second_host(40, -1.0);
        yoke::array<double, 1> second;
        {
          yoke::array<double, 1> first{rt, {40}, {from}, yoke::attach(first_host)};
          second = yoke::array<double, 1>{rt, {40}, dist::as(first), yoke::attach(second_host)};
          swap(first, second);
          yoke::redistribute(second, to);
          if (!ends) {
            first.detach();
            CHECK(first_host == std::vector<double>(40, -1.0));
          }
        }
        std::ranges::fill(first_host, 7.0);  // it is the program's again
        CHECK(second.gather() == counting(40));
        yoke::for_each<set_to>(rt, {40}, out(second), 2.0);
        CHECK(second.gather() == std::vector<double>(40, 2.0));
        CHECK(first_host == std::vector<double>(40, 7.0));
        second.detach();
        CHECK(second_host == std::vector<double>(40, 2.0));
      }
}

TEST_CASE("arrays without elements, and fewer elements than units, work", "[arrays]") {
  yoke::runtime rt;
  for (const std::int64_t n : {0, 1, 2}) {
    std::vector<double> host(static_cast<std::size_t>(n), 1.0);
    yoke::array<double, 1> x{rt, {n}, {dist::block.halo(n > 0 ? 1 : 3)}, yoke::attach(host)};
    double all = 1;
    yoke::for_each<add_index>(rt, {n}, inout(x));
    CHECK(x.gather().size() == static_cast<std::size_t>(n));
    x.detach();
    for (std::int64_t i = 0; i < n; ++i)
      CHECK(host[static_cast<std::size_t>(i)] == 1 + static_cast<double>(i));
    CHECK(all == 1);
  }
  yoke::array<double, 3> flat{rt, {5, 0, 4}};
  yoke::for_each<set_to>(rt, {5, 0, 4}, out(flat), 1.0);
  CHECK(flat.gather().empty());
}

TEST_CASE("bad shapes and distributions are refused with their numbers", "[arrays]") {
  yoke::runtime rt;
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {-3}}; }), Contains("dimension 0 has -3 elements"));
  CHECK_THAT(refusal([&] { yoke::array<double, 2>{rt, {3, 3}, {dist::block}}; }),
             Contains("2 dimensions got 1 distributions"));
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {40}, {dist::block.halo(0, -1)}}; }),
             Contains("a high halo of -1"));
  CHECK_THAT(
      refusal([&] { yoke::array<double, 1>{rt, {40}, {dist::duplicate.halo(41).edge(dist::periodic)}}; }),
      Contains("periodic low halo of 41 with 40 elements; 40 at most"));
  CHECK_THAT(refusal([&] {
               yoke::array<double, 1>{rt, {40}, {dist::duplicate.halo(0, 40).edge(dist::reflecting)}};
             }),
             Contains("reflecting high halo of 40 with 40 elements; 39 at most"));
  const std::int64_t beyond_int = (std::int64_t{1} << 32) + 1,
                     largest = std::numeric_limits<std::int64_t>::max();
  CHECK_THAT(refusal([&] {
               yoke::array<double, 1>{rt, {40}, {dist::duplicate.halo(0, beyond_int).edge(dist::periodic)}};
             }),
             Contains("periodic high halo of 4294967297 with 40 elements; 40 at most"));
  CHECK_THAT(
      refusal([&] { yoke::array<double, 1>{rt, {40}, {dist::duplicate.halo(largest)}}; }),
      Contains(
          "dimension 0: a low halo of 9223372036854775807 with 40 elements; 1152921504606846976 at most"));
  CHECK_THAT(refusal([&] { (void)dist::block.halo(0, ~std::uint64_t{0}); }),
             Contains("18446744073709551615"));
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {40}, {dist::block.halo(41)}}; }),
             Contains("a halo of 41 is wider than the part of unit 0"));
  CHECK_THAT(refusal([&] { yoke::array<double, 3>{rt, {1LL << 40, 1LL << 40, 1LL << 40}}; }),
             Contains("1099511627776 x 1099511627776 x 1099511627776 elements with 8 bytes each: these are "
                      "10633823966279326983230456482242756608 bytes"));
}

TEST_CASE("memory that does not fit or is in use is not attached", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> host(20);
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {21}, yoke::attach(host)}; }),
             Contains("memory of 20 elements for an array of 21"));
  const yoke::array<double, 1> x{rt, {20}, yoke::attach(host)};
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {5}, yoke::attach(std::span{host}.subspan(15))}; }),
             Contains("share elements"));
  const yoke::array<double, 1> internal{rt, {4}};
  CHECK_THAT(refusal([&] { const_cast<yoke::array<double, 1>&>(internal).detach(); }),
             Contains("gather gives"));
}

TEST_CASE("arrays that differ are not swapped, copied or aligned", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> a{rt, {20}}, b{rt, {21}}, c{rt, {20}, {dist::duplicate}};
  CHECK_THAT(refusal([&] { swap(a, b); }), Contains("swap: the arrays differ"));
  CHECK_THAT(refusal([&] { swap(a, c); }), Contains("swap: the arrays differ"));
  CHECK_THAT(refusal([&] { yoke::copy(a, b); }), Contains("copy: the arrays have other extents"));
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{rt, {20}, dist::as(b)}; }),
             Contains("dist::as: the array (") && Contains("has other extents"));
  yoke::for_each<set_to>(rt, {20}, out(a), 3.0);
  yoke::copy(a, c);
  CHECK(c.gather() == std::vector<double>(20, 3.0));
}

TEST_CASE("an array whose runtime has ended, or that was moved from, says so", "[arrays]") {
  std::optional<yoke::runtime> rt{std::in_place};
  yoke::array<double, 1> x{*rt, {20}};
  yoke::array<double, 1> y = std::move(x);
  // NOLINTNEXTLINE(bugprone-use-after-move)
  CHECK_THAT(refusal([&] { static_cast<void>(x.gather()); }), Contains("moved from"));
  rt.reset();
  CHECK_THAT(refusal([&] { static_cast<void>(y.gather()); }),
             Contains("the runtime of the array (") && Contains(" has ended"));
}
