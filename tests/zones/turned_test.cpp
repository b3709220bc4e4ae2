// Zones that are turned against each other: each point has a place in space, and whoever looks beyond a side
// finds what is next to it there.
#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>

namespace {

using namespace zone_tests;  // NOLINT(google-build-using-namespace)
using point = std::array<std::int64_t, 3>;

/// Of a place in space.
number value_at(const point& where) {
  number value = 17;
  for (const std::int64_t each : where) value = 1000003 * value + static_cast<number>(each + 50);
  return value % 1'000'000;
}

/// A zone at the origin, and one beside it with dimensions of its own.
template <int D>
struct pair_of_zones {
  std::array<yoke::zone_extents<D>, 2> n{};
  yoke::zone_transform turn{};
  std::array<yoke::side, 2> sides{};
  point offset{};  ///< of the second, in space
  std::array<std::int64_t, 3> halo{};

  explicit pair_of_zones(std::mt19937_64& random) {
    const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    std::array<int, D> order{};
    std::iota(order.begin(), order.end(), 1);
    std::ranges::shuffle(order, random);
    for (std::size_t d = 0; d < D; ++d) {
      turn[d] = below(2) == 0 ? order[d] : -order[d];
      halo[d] = 1 + below(2);
      n[0][d] = 2 + below(5);
    }
    const int normal = below(D);
    const bool is_high = below(2) == 0;
    for (int d = 0; d < D; ++d) n[1][other(d)] = d == normal ? 2 + below(5) : n[0][index(d)];
    offset[index(normal)] = is_high ? n[0][index(normal)] : -n[1][other(normal)];
    sides = {yoke::side{normal, is_high},
             yoke::side{static_cast<int>(other(normal)), is_high == (turn[index(normal)] < 0)}};
  }
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::size_t other(int d) const { return index(std::abs(turn[index(d)]) - 1); }

  /// In space, of a point of a zone, its halo's too.
  point place_of(int zone, const point& at) const {
    if (zone == 0) return at;
    point where{};
    for (int d = 0; d < D; ++d) {
      const std::int64_t along = at[other(d)];
      where[index(d)] = offset[index(d)] + (turn[index(d)] < 0 ? n[1][other(d)] - 1 - along : along);
    }
    return where;
  }
  bool has(int zone, const point& at) const {
    for (std::size_t d = 0; d < D; ++d)
      if (at[d] < 0 || at[d] >= n[index(zone)][d]) return false;
    return true;
  }
  /// What is there, for who looks from `zone`: beyond the joined side the other one, beyond others nothing.
  number seen(int zone, const point& at) const {
    if (has(zone, at)) return value_at(place_of(zone, at));
    const yoke::side joined = sides[index(zone)];
    const std::size_t normal = index(joined.dimension);
    point inside = at;
    inside[normal] = 0;
    const bool is_beyond = joined.is_high ? at[normal] >= n[index(zone)][normal] : at[normal] < 0;
    return has(zone, inside) && is_beyond ? value_at(place_of(zone, at)) : 0;
  }
  std::string text() const {
    return fmt::format("turn {} {} {}, side {} of {}", turn[0], turn[1], turn[2],
                       sides[0].is_high ? "high" : "low", sides[0].dimension);
  }
};

template <int D, class Do>
void for_points(const yoke::zone_extents<D>& n, const Do& each) {
  const auto extent = [&](std::size_t d) { return d < D ? n[d] : 1; };
  for (std::int64_t i = 0; i < extent(0); ++i)
    for (std::int64_t j = 0; j < extent(1); ++j)
      for (std::int64_t k = 0; k < extent(2); ++k) each(point{i, j, k});
}
/// One step of smooth; where it is wrong, or nothing.
template <int D>
std::string wrong_in(yoke::runtime& rt, std::mt19937_64& random) {
  const pair_of_zones<D> two{random};
  yoke::zones blocks{
      rt, 2, [&](int zone) { return two.n[static_cast<std::size_t>(zone)]; }, {.schedule = "static"}};
  blocks.join({0, two.sides[0]}, {1, two.sides[1]}, two.turn);
  reach far;
  std::copy_n(two.halo.begin(), D, far.of);
  // Halos may differ by dimension: a wide one must not ask a thin neighbour for more than it has.
  const auto halo = [&] {
    if constexpr (D == 1) return yoke::halo{two.halo[0]};
    if constexpr (D == 2) return yoke::halo{two.halo[0], two.halo[1]};
    if constexpr (D == 3) return yoke::halo{two.halo[0], two.halo[1], two.halo[2]};
  }();
  yoke::zoned<number, D> u{blocks, halo, "u"}, v{blocks, halo, "v"};
  for (int zone = 0; zone < 2; ++zone)
    for_points<D>(two.n[static_cast<std::size_t>(zone)],
                  [&](const point& at) { u.host(zone)(loop_index_of<D>(at.data())) = two.seen(zone, at); });
  yoke::zone_recording step = blocks.record([&](yoke::zone_step& s) { smooth<D>(s, u, v, far); });
  step.replay();
  std::string wrong;
  for (int zone = 0; zone < 2; ++zone)
    for_points<D>(two.n[static_cast<std::size_t>(zone)], [&](const point& at) {
      number sum = two.seen(zone, at);
      for (std::size_t d = 0; d < D; ++d)
        for (std::int64_t by = 1; by <= far.of[d]; ++by) {
          point up = at, down = at;
          up[d] += by;
          down[d] -= by;
          sum += two.seen(zone, up) + 2 * two.seen(zone, down);
        }
      if (wrong.empty() && v.host(zone)(loop_index_of<D>(at.data())) != sum)
        wrong = fmt::format("zone {} at {} {} {}: {}", zone, at[0], at[1], at[2], two.text());
    });
  return wrong;
}

}  // namespace

TEST_CASE("turned zones see what is beside them in space", "[zones]") {
  yoke::runtime rt;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random{seed};
    INFO("seed " << seed);
    REQUIRE(wrong_in<1>(rt, random).empty());
    REQUIRE(wrong_in<2>(rt, random) == "");
    REQUIRE(wrong_in<3>(rt, random) == "");
  }
}

TEST_CASE("components and elements of several words are turned, too", "[zones]") {
  yoke::runtime rt;
  if (rt.units().shape().gpu_units > 0) return support::skip("writes host memory");
  using three = std::array<std::int32_t, 3>;
  yoke::zones blocks{
      rt, 2, [](int zone) { return zone == 0 ? yoke::zone_extents<2>{3, 4} : yoke::zone_extents<2>{4, 5}; }};
  // Beyond the high rows of zone 0 lie the columns of zone 1, from its last one on.
  blocks.join({0, yoke::side::high(0)}, {1, yoke::side::high(1)}, {-2, 1});
  yoke::zoned<three, 2> u{blocks, yoke::halo{1, 2}, "u"};
  yoke::zoned<number[2], 2> w{blocks, yoke::halo{1, 2}, "w"};
  for (std::int64_t j = 0; j < 4; ++j)
    for (std::int64_t i = 0; i < 5; ++i) {
      u.host(1)(j, i) = {static_cast<std::int32_t>(j), static_cast<std::int32_t>(i), 7};
      for (int m = 0; m < 2; ++m) w.host(1)(m, j, i) = static_cast<number>(100 * m + 10 * j + i);
    }
  std::vector<three> beyond(4);
  std::vector<number> of_second(4);
  yoke::zone_recording step = blocks.record([&](yoke::zone_step& s) {
    s.call(
        "look",
        [&](const yoke::zone_site& at, yoke::view<const three, 2> x, yoke::view<const number, 3> y) {
          if (at.zone != 0) return;
          for (std::int64_t i = 0; i < 4; ++i) {
            beyond[static_cast<std::size_t>(i)] = x(3, i);
            of_second[static_cast<std::size_t>(i)] = y(1, 3, i);
          }
        },
        in(u), in(w));
  });
  step.replay();
  blocks.wait();
  for (std::int32_t i = 0; i < 4; ++i) {
    CHECK(beyond[static_cast<std::size_t>(i)] == three{i, 4, 7});
    CHECK(of_second[static_cast<std::size_t>(i)] == static_cast<number>(100 + 10 * i + 4));
  }
}

TEST_CASE("what is wrong with a turned join is refused by name", "[zones]") {
  yoke::runtime rt;
  constexpr auto high = yoke::side::high, low = yoke::side::low;
  yoke::zones blocks{
      rt, 2, [](int zone) { return zone == 0 ? yoke::zone_extents<2>{3, 4} : yoke::zone_extents<2>{4, 5}; }};
  const auto refusal = [&](yoke::zone_end a, yoke::zone_end b, yoke::zone_transform turn) {
    return support::refusal([&] { blocks.join(a, b, turn); });
  };
  CHECK(refusal({0, high(0)}, {1, low(1)}, {2, 2}) ==
        "join: a transform {2, 2}; each of 1 to 2 is accepted once, with or without a minus");
  CHECK_THAT(refusal({0, high(0)}, {1, low(1)}, {3, 1}), Catch::Matchers::Contains("a transform {3, 1}"));
  CHECK_THAT(refusal({0, high(0)}, {1, low(1)}, {-2, 1}),
             Catch::Matchers::Contains("says -2 for dimension 0, where 2 leads into zone 1"));
  CHECK_THAT(refusal({0, high(0)}, {1, low(1)}, {1, 2}),
             Catch::Matchers::Contains("says 1 for dimension 0, where 2 leads into zone 1"));
  CHECK_THAT(refusal({0, high(1)}, {1, low(0)}, {2, 1}),
             Catch::Matchers::Contains("3 and 5 points in dimension 0 and 1; faces are alike"));
  CHECK_THAT(refusal({0, high(1)}, {0, high(1)}, {1, -2}), Catch::Matchers::Contains("with itself"));
  blocks.join({0, high(0)}, {1, low(1)}, {2, 1});
  CHECK_THAT(support::refusal([&] { yoke::zoned<number, 2>{blocks, yoke::halo{1, 1}.with_corners(), "u"}; }),
             Catch::Matchers::Contains("u: a halo with corners, where zone 1 is turned against zone 0"));
}
