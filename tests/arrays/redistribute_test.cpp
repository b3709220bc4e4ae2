/// Arrays that are cut otherwise, and transposed.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

struct plus_neighbours {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i - 1) + 2 * x(at.i) + x(at.i + 1);
  }
};
struct increase {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<float, 2> x) const { x(at) += 1; }
};

std::vector<double> squares(std::int64_t n) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i * i));
  return values;
}

/// One weight for each unit, all rows on the last one.
std::vector<double> last_alone(const yoke::runtime& rt) {
  std::vector<double> weights(static_cast<std::size_t>(rt.units().size()));
  weights.back() = 1;
  return weights;
}

std::vector<yoke::distribution> all_distributions(const yoke::runtime& rt) {
  return {dist::block, dist::balanced, dist::duplicate, dist::weighted(last_alone(rt))};
}

struct element {
  std::int32_t row;
  char column;
  char pad[2];
  friend bool operator==(const element&, const element&) = default;
};

}  // namespace

TEST_CASE("an array is the same however it is cut, and loops go on with it", "[arrays][redistribute]") {
  yoke::runtime rt;
  for (const yoke::distribution& from : all_distributions(rt)) {
    for (const yoke::distribution& to : all_distributions(rt)) {
      std::vector<double> host = squares(50);
      yoke::array<double, 1> x{rt, {50}, {from.halo(1).edge(dist::periodic)}, yoke::attach(host)};
      yoke::array<double, 1> y{rt, {50}, {from}};
      yoke::exchange(x);
      yoke::redistribute(x, to);
      yoke::redistribute(y, dist::as(x));
      for (int unit = 0; unit < rt.units().size(); ++unit) CHECK(x.rows_of(unit) == y.rows_of(unit));
      yoke::for_each<plus_neighbours>(rt, {50}, in(x), out(y));
      const std::vector<double> is = squares(50), found = y.gather();
      for (std::size_t i = 0; i < 50; ++i)
        CHECK(found[i] == is[(i + 49) % 50] + 2 * is[i] + is[(i + 1) % 50]);
      x.detach();
      CHECK(host == is);
    }
  }
}

TEST_CASE("replicas of attached memory start alike, whoever computes first", "[arrays][redistribute]") {
  yoke::runtime rt;
  std::vector<float> host(std::size_t{40'000} * 3, 1);
  for (int run = 1; run <= 20; ++run) {
    yoke::array<float, 2> x{rt, {40'000, 3}, {dist::duplicate, dist::duplicate}, yoke::attach(host)};
    yoke::for_each<increase>(rt, {40'000, 3}, inout(x));
    yoke::redistribute(x, dist::block);
    x.detach();
    REQUIRE(std::ranges::count(host, static_cast<float>(run + 1)) == std::ssize(host));
  }
}

TEST_CASE("what cannot be redistributed is refused and stays", "[arrays][redistribute]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {20}, {dist::duplicate.halo(15)}}, longer{rt, {21}};
  CHECK_THAT(refusal([&] { yoke::redistribute(x, dist::block.halo(1)); }), Contains("a halo or an edge"));
  CHECK_THAT(refusal([&] { yoke::redistribute(x, dist::as(longer)); }),
             Contains("the other array has 21 elements in dimension 0, and this one 20"));
  if (rt.units().size() > 1)
    CHECK_THAT(refusal([&] { yoke::redistribute(x, dist::block); }), Contains("a halo of 15 is wider"));
  const std::vector<double> too_many(static_cast<std::size_t>(rt.units().size()) + 1, 1);
  CHECK_THAT(refusal([&] { yoke::redistribute(x, dist::weighted(too_many)); }),
             Contains(std::to_string(too_many.size()) + " weights for"));
  yoke::array<double, 1> none;
  CHECK_THAT(refusal([&] { yoke::redistribute(none, dist::block); }), Contains("moved from"));
  CHECK(x.gather() == std::vector<double>(20));
  CHECK_THAT(x.explain(), Contains("all of it in each memory"));
}

TEST_CASE("a transposed array has each element at its indices exchanged", "[arrays][transpose]") {
  yoke::runtime rt;
  std::mt19937 random{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  const auto upto = [&](int most) { return static_cast<std::int64_t>(random() % (most + 1U)); };
  const std::vector<yoke::distribution> hows = all_distributions(rt);
  for (int round = 0; round < 25; ++round) {
    const std::int64_t n = upto(40), m = upto(40);
    std::vector<element> a_host, wanted(static_cast<std::size_t>(n * m));
    for (std::int64_t i = 0; i < n * m; ++i)
      a_host.push_back({static_cast<std::int32_t>(i / m), static_cast<char>(i % m), {}});
    for (const element& each : a_host) wanted[static_cast<std::size_t>(each.column * n + each.row)] = each;
    std::vector<element> b_host(wanted.size());
    const auto inner = dist::duplicate.halo(m > 1 && n > 1 ? 1 : 0).edge(dist::reflecting);
    const yoke::distribution &of_a = hows[random() % 4], &of_b = hows[random() % 4];
    const yoke::array<element, 2> a{rt, {n, m}, {of_a, inner}, yoke::attach(a_host)};
    yoke::array<element, 2> b{rt, {m, n}, {of_b, inner}, yoke::attach(b_host)}, internal{rt, {m, n}};
    yoke::transpose(a, b);
    yoke::transpose(a, internal);
    CHECK(b.gather() == wanted);
    CHECK(internal.gather() == wanted);
    b.detach();
    CHECK(b_host == wanted);
  }
}

// 32 x 32, 8 x 8, and no tile at all.
TEMPLATE_TEST_CASE("elements of any size are transposed, by tiles and beside them", "[arrays][transpose]",
                   (std::array<double, 1>), (std::array<double, 5>), (std::array<double, 75>)) {
  yoke::runtime rt;
  constexpr std::int64_t n = 101, m = 67;
  std::vector<TestType> host(n * m), wanted(n * m);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      TestType& each = host[static_cast<std::size_t>(i * m + j)];
      each.fill(static_cast<double>(i));
      each.back() += static_cast<double>(j) / 100;
      wanted[static_cast<std::size_t>(j * n + i)] = each;
    }
  }
  for (const yoke::distribution& how : all_distributions(rt)) {
    std::vector<TestType> mine = host;
    const yoke::array<TestType, 2> a{rt, {n, m}, {how, dist::duplicate}, yoke::attach(mine)};
    yoke::array<TestType, 2> b{rt, {m, n}};
    yoke::transpose(a, b);
    const bool is_right = b.gather() == wanted;
    CHECK(is_right);
  }
}

TEST_CASE("transposing twice gives what was there, of what loops have written", "[arrays][transpose]") {
  yoke::runtime rt;
  yoke::array<float, 2> a{rt, {33, 70}}, b{rt, {70, 33}};
  for (int k = 0; k < 20; ++k) {
    yoke::for_each<increase>(rt, {{k, 33}, {0, 70}}, inout(a));
    yoke::transpose(a, b);
    yoke::for_each<increase>(rt, {{k, 70}, {0, 33}}, inout(b));
    yoke::transpose(b, a);
  }
  std::vector<float> wanted;
  for (int i = 0; i < 33; ++i)
    for (int j = 0; j < 70; ++j)
      wanted.push_back(static_cast<float>(std::min(i + 1, 20) + std::min(j + 1, 20)));
  CHECK(a.gather() == wanted);
}

TEST_CASE("arrays that are not each other's transposes are refused", "[arrays][transpose]") {
  yoke::runtime rt;
  yoke::array<float, 2> a{rt, {3, 5}}, same{rt, {3, 5}}, square{rt, {4, 4}};
  CHECK_THAT(refusal([&] { yoke::transpose(a, same); }),
             Contains("an array of 3 x 5 into one of 3 x 5, which is not 5 x 3"));
  CHECK_THAT(refusal([&] { yoke::transpose(square, square); }), Contains("an array into itself"));
  yoke::runtime other;
  yoke::array<float, 2> of_other{other, {5, 3}};
  CHECK_THAT(refusal([&] { yoke::transpose(a, of_other); }), Contains("two runtimes"));
}
