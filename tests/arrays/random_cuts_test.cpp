/// What is moved between arrays of any two cuts: copies, transposes, scans.
#include "random_cuts.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <support/catch.hpp>
#include <vector>

namespace {

using namespace arrays_test;

std::vector<std::int64_t> any_values(dice& d, std::int64_t n) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(d.upto(1'000'000));
  return values;
}

template <int D>
yoke::array<std::int64_t, D> cut_so(yoke::runtime& rt, const yoke::detail::extent_of_dimension (&n)[D],
                                    const cuts& how, std::vector<std::int64_t>& host) {
  yoke::array<std::int64_t, D> made{rt, n, yoke::attach(host)};
  made.handle().redistribute(how.dims, how.grid());
  return made;
}

}  // namespace

TEST_CASE("a copy between arrays of any cuts has all elements", "[arrays][random][grid]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  for (int round = 0; round < 60; ++round) {
    const std::array<std::int64_t, 3> n{d.between(1, 20), d.between(1, 12), d.between(1, 9)};
    std::vector<std::int64_t> from = any_values(d, n[0] * n[1] * n[2]), to(from.size());
    const std::vector<std::int64_t> wanted = from;
    random_cuts random{rt, d, n};
    const auto a = cut_so(rt, {n[0], n[1], n[2]}, random.any(), from);
    auto b = cut_so(rt, {n[0], n[1], n[2]}, random.any(), to);
    yoke::copy(a, b);
    REQUIRE(b.gather() == wanted);
    b.detach();
    REQUIRE(to == wanted);
  }
}

TEST_CASE("arrays of any cuts are transposed", "[arrays][random][transpose]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  for (int round = 0; round < 60; ++round) {
    const std::array<std::int64_t, 2> n{d.between(1, 90), d.between(1, 90)}, m{n[1], n[0]};
    std::vector<std::int64_t> from = any_values(d, n[0] * n[1]), to(from.size()), wanted(from.size());
    for (std::int64_t i = 0; i < n[0]; ++i)
      for (std::int64_t j = 0; j < n[1]; ++j)
        wanted[static_cast<std::size_t>(j * n[0] + i)] = from[static_cast<std::size_t>(i * n[1] + j)];
    const auto a = cut_so(rt, {n[0], n[1]}, random_cuts{rt, d, n}.any(), from);
    auto b = cut_so(rt, {m[0], m[1]}, random_cuts{rt, d, m}.any(), to);
    yoke::transpose(a, b);
    REQUIRE(b.gather() == wanted);
  }
}

TEST_CASE("scans of arrays of any cuts have the sums before each element", "[arrays][random][scan]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  for (int round = 0; round < 30; ++round) {
    const std::array<std::int64_t, 1> n{d.one_in(2) ? d.between(1, 200) : d.between(1000, 9000)};
    std::vector<std::int64_t> from = any_values(d, n[0]), wanted(from.size());
    std::exclusive_scan(from.begin(), from.end(), wanted.begin(), std::int64_t{7});
    const std::int64_t all = std::accumulate(from.begin(), from.end(), std::int64_t{7});
    const auto x = cut_so(rt, {n[0]}, random_cuts{rt, d, n}.any(), from);
    yoke::array<std::int64_t, 1> y{rt, {n[0]}, yoke::dist::as(x)};
    REQUIRE(yoke::exclusive_scan(rt, x, y, 7) == all);
    REQUIRE(y.gather() == wanted);
  }
}
