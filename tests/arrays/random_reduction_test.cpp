/// Reductions over arrays that are large enough for trees of leaves, compared with a model to the bit.
#include "random_cuts.hpp"
#include "random_loops.hpp"

#include <array>
#include <cstdint>
#include <support/catch.hpp>
#include <vector>

using namespace arrays_test;

TEST_CASE("reductions over trees of leaves that devices combine have the same bits", "[arrays][reduction]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  const std::array<std::array<std::int64_t, 2>, 4> shapes{
      {{1500, 3}, {5, 300'000}, {700, 2100}, {256 * 4, 1024}}};
  for (const std::array<std::int64_t, 2>& n : shapes) {
    model is{.dimensions = 2, .sides = {side{.extent = n[0]}, side{.extent = n[1]}, {}, {}}, .values = {}};
    for (std::int64_t i = 0; i < n[0] * n[1]; ++i) is.values.push_back(d.value());
    std::vector<double> host = is.values;
    const yoke::array<double, 2> x{rt, {n[0], n[1]}, yoke::attach(host)};
    const std::int64_t from = d.upto(3);
    const any_box over{yoke::bound{from, n[0] - d.upto(1)}, yoke::bound{from % 2, n[1]}, yoke::bound{1},
                       yoke::bound{1}};
    CHECK(loops_of<2>::reduce(rt, over, x, {1, 2, 3}) == reduce_of(2, over, is, {1, 2, 3}));
  }
}

TEST_CASE("reductions along a cut dimension have the same bits", "[arrays][reduction]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  for (const std::int64_t n : {1'000'003, 786'432}) {
    model is{.dimensions = 1, .sides = {side{.extent = n}, {}, {}, {}}, .values = {}};
    for (std::int64_t i = 0; i < n; ++i) is.values.push_back(d.value());
    std::vector<double> host = is.values;
    const yoke::array<double, 1> x{rt, {n}, yoke::attach(host)};
    const any_box over{yoke::bound{d.upto(2000), n - d.upto(2000)}, yoke::bound{1}, yoke::bound{1},
                       yoke::bound{1}};
    CHECK(loops_of<1>::reduce(rt, over, x, {1, 2, 3}) == reduce_of(1, over, is, {1, 2, 3}));
  }
}
