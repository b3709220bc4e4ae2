/// Arrays, sections and streamed memory of sizes that no number of bytes holds.
#include <array>
#include <cstdint>
#include <limits>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

using Catch::Matchers::Contains;
using support::refusal;

namespace {

namespace dist = yoke::dist;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

struct copy_element {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const long, 1> x, yoke::view<long, 1> y) const {
    y(at) = x(at);
  }
};

}  // namespace

TEST_CASE("an array of more bytes than addresses count is refused with its bytes", "[arrays][sizes]") {
  yoke::runtime rt;
  CHECK_THAT(
      refusal([&] { yoke::array<double, 1>(rt, {(std::int64_t{1} << 61) + 1}); }),
      Contains("an array of 2305843009213693953 elements with 8 bytes each: these are 18446744073709551624 "
               "bytes, and memory has 9223372036854775807 at most; 1152921504606846975 elements"));
  const std::int64_t n = std::int64_t{1} << 60;
  CHECK_THAT(refusal([&] {
               yoke::array<double, 4>(rt, {n, n, n, n},
                                      {dist::block, dist::duplicate, dist::duplicate, dist::duplicate});
             }),
             Contains("about 1.4e+73 bytes"));
}

TEST_CASE("an array of the largest extent with a halo is refused, at either edge", "[arrays][sizes]") {
  yoke::runtime rt;
  for (const yoke::edge_policy edge : {dist::none, dist::periodic}) {
    CHECK_THAT(
        refusal([&] { yoke::array<char, 1>(rt, {largest}, {dist::block.halo(1).edge(edge)}); }),
        Contains("dimension 0 has 9223372036854775807 elements; 0 or more, 4611686018427387904 at most"));
    CHECK_THAT(refusal([&] {
                 yoke::array<char, 2>(rt, {2, std::int64_t{1} << 62},
                                      {dist::duplicate, dist::block.halo(1).edge(edge)});
               }),
               Contains("these are 92233720368547758"));
  }
}

TEST_CASE("an empty array may be long in its other dimension, as far as memory is", "[arrays][sizes]") {
  yoke::runtime rt;
  const yoke::array<double, 2> x{rt, {std::int64_t{1} << 58, 0}};
  CHECK(x.size() == 0);
  CHECK_THAT(refusal([&] { yoke::array<double, 2>(rt, {std::int64_t{1} << 61, 0}); }),
             Contains("2305843009213693952 x 0 elements"));
}

TEST_CASE("memory is not taken for an array whose elements it has modulo 2^64", "[arrays][sizes]") {
  yoke::runtime rt;
  std::vector<long> host(4);
  const std::int64_t n = std::int64_t{1} << 33, m = (std::int64_t{1} << 31) + 0;
  CHECK_THAT(refusal([&] { yoke::array<long, 2>(rt, {n, m}, yoke::attach(std::span{host}.first(0))); }),
             Contains("8589934592 x 2147483648 elements"));
  CHECK_THAT(refusal([&] {
               yoke::array<long, 2>(rt, {1, 1},
                                    yoke::attach(std::span{host}.first(0), {n, m}, {{0, 1}, {0, 1}}));
             }),
             Contains("attach: memory of 8589934592 x 2147483648 elements"));
  CHECK_THAT(refusal([&] { yoke::streamed(rt, std::span{host}.first(0), {n, m}); }),
             Contains("yoke::streamed of 8589934592 x 2147483648 elements"));
}

TEST_CASE("a section's step may be as long as a number is", "[arrays][sizes]") {
  yoke::runtime rt;
  std::vector<long> host{1, 2, 3, 4, 5, 6};
  for (const std::int64_t step : {std::int64_t{6}, std::int64_t{1} << 61, largest}) {
    CAPTURE(step);
    const yoke::array<long, 2> x{rt, {1, 2}, yoke::attach(host, {2, 3}, {{1, 2}, {0, 3}}, {step, 2})};
    CHECK(x.gather() == std::vector<long>{4, 6});
    const yoke::array<long, 2> y{rt, {1, 1}, yoke::attach(host, {2, 3}, {{0, 2}, {1, 3}}, {step, step})};
    CHECK(y.gather() == std::vector<long>{2});
  }
}

TEST_CASE("a loop at the end of streamed memory ends", "[arrays][sizes]") {
  yoke::runtime rt;
  std::vector<long> from{1, 2, 3, 4, 5}, to(5);
  yoke::streamed x{rt, from, {5}}, y{rt, to, {5}};
  CHECK_THAT(refusal([&] {
               yoke::for_each<copy_element>(rt, {{std::numeric_limits<std::int64_t>::min(), largest}},
                                            yoke::roles::in(x), yoke::roles::out(y));
             }),
             Contains("has more indices than a loop may have"));
  yoke::for_each<copy_element>(rt, {{2, 5}}, yoke::roles::in(x), yoke::roles::out(y));
  CHECK(to == std::vector<long>{0, 0, 3, 4, 5});
}
