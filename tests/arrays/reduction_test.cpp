/// Reductions of other types, of what is no number, and of units that run side by side.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;

struct reduce_floats {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const float, 1> x, yoke::partial<float>& sum,
                          yoke::partial<float, yoke::largest>& largest,
                          yoke::partial<double>& squares) const {
    sum += x(at);
    largest.take(x(at));
    squares += static_cast<double>(x(at)) * static_cast<double>(x(at));
  }
};
struct extremes {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const std::int32_t, 1> x,
                          yoke::partial<std::int32_t, yoke::smallest>& low,
                          yoke::partial<std::int32_t, yoke::largest>& high) const {
    low.take(x(at));
    high.take(x(at));
  }
};

struct where_extreme {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> x,
                          yoke::partial<yoke::located<double, 2>, yoke::smallest_at>& low,
                          yoke::partial<yoke::located<double, 2>, yoke::largest_at>& high) const {
    low.take({x(at), at});
    high.take({x(at), at});
  }
};

/// Mean and number of values in one.
struct mean {
  double sum = 0;
  std::int64_t n = 0;
};
struct add_means {
  YOKE_HD static mean none() { return {}; }
  YOKE_HD static mean combine(const mean& a, const mean& b) { return {a.sum + b.sum, a.n + b.n}; }
};
struct average {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const float, 1> x,
                          yoke::partial<mean, add_means>& all) const {
    all.take({static_cast<double>(x(at)), 1});
  }
};

std::vector<float> values(std::size_t n) {
  std::vector<float> made;
  for (std::size_t i = 0; i < n; ++i) made.push_back(std::sin(static_cast<float>(i)) * 3);
  return made;
}

constexpr std::int64_t part_of_one = 2048;
std::atomic<int> arrived{0};

/// 1 when so many have called, 0 after ten seconds.
inline int meet(int n) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  ++arrived;
  while (arrived < n && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return arrived < n ? 0 : 1;
}
/// The first index of each part waits for those of all others.
struct meets_the_others {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, yoke::partial<double>& met,
                          [[maybe_unused]] int n) const {
    x(at) = 1;
#if !YOKE_DEVICE_PASS
    if (at.i % part_of_one == 0) met += meet(n);
#else
    met += 0;
#endif
  }
};

}  // namespace

TEST_CASE("reductions of several types in one loop have the bits of the serial rule", "[arrays][reduction]") {
  yoke::runtime rt;
  std::vector<float> host = values(5000);
  const yoke::array<float, 1> x{rt, {5000}, yoke::attach(host)};
  float sum = 0, largest = -10;
  double squares = 1;
  yoke::for_each<reduce_floats>(rt, {5000}, in(x), yoke::loops::sum(sum), max(largest),
                                yoke::loops::sum(squares));
  // From the rule of reduction.hpp in one thread.
  std::vector<float> leaves;
  for (std::size_t begin = 0; begin < 5000; begin += 1024)
    leaves.push_back(yoke::detail::leaf_of<yoke::plus>(
        host.data() + begin, 0, static_cast<std::int64_t>(std::min<std::size_t>(1024, 5000 - begin))));
  CHECK(sum == yoke::detail::tree_of_leaves<yoke::plus>(leaves.data(), std::ssize(leaves)) + 0.0F);
  CHECK(largest == *std::ranges::max_element(host));
  CHECK(squares == Approx(1 + 5000 * 4.5).epsilon(0.01));
}

TEST_CASE("NaNs are left out of the smallest and the largest", "[arrays][reduction]") {
  yoke::runtime rt;
  std::vector<float> host = values(3000);
  host[0] = host[1500] = host[2999] = std::numeric_limits<float>::quiet_NaN();
  const yoke::array<float, 1> x{rt, {3000}, yoke::attach(host)};
  float sum = 0, largest = -10;
  double squares = 1;
  yoke::for_each<reduce_floats>(rt, {3000}, in(x), yoke::loops::sum(sum), max(largest),
                                yoke::loops::sum(squares));
  CHECK(largest <= 3);
  CHECK(largest > 2.9F);
  CHECK(std::isnan(sum));
}

TEST_CASE("the extremes of integers count what was given", "[arrays][reduction]") {
  yoke::runtime rt;
  std::vector<std::int32_t> host{4, -7, 12, 0, 3, 3, 9};
  const yoke::array<std::int32_t, 1> x{rt, {7}, yoke::attach(host)};
  std::int32_t low = -1, high = 100;
  yoke::for_each<extremes>(rt, {7}, in(x), min(low), max(high));
  CHECK(low == -7);
  CHECK(high == 100);
  yoke::for_each<extremes>(rt, {{2, 2}}, in(x), min(low), max(high));
  CHECK(low == -7);
}

TEST_CASE("the smallest and the largest are found with their first index", "[arrays][reduction]") {
  yoke::runtime rt;
  std::mt19937_64 random{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  using found = yoke::located<double, 2>;
  for (const std::int64_t m : {7, 40, 3000}) {
    std::vector<double> host;
    for (std::int64_t i = 0; i < 60 * m; ++i) host.push_back(static_cast<double>(random() % 500));
    host[static_cast<std::size_t>(11 * m)] = std::numeric_limits<double>::quiet_NaN();
    found wanted_low{450, {-1, -1}}, wanted_high{450, {-1, -1}};
    for (std::int64_t i = 1; i < 59; ++i)
      for (std::int64_t j = 0; j < m; ++j) {
        const double value = host[static_cast<std::size_t>(i * m + j)];
        if (value < wanted_low.value) wanted_low = {value, {i, j}};
        if (value > wanted_high.value) wanted_high = {value, {i, j}};
      }
    const yoke::array<double, 2> x{rt, {60, m}, yoke::attach(host)};
    found low{450, {-1, -1}}, high{450, {-1, -1}};
    yoke::for_each<where_extreme>(rt, {{1, 59}, {0, m}}, in(x), min_at(low), max_at(high));
    CHECK((low == wanted_low));
    CHECK((high == wanted_high));
  }
}

TEST_CASE("of an empty loop the given place is left", "[arrays][reduction]") {
  yoke::runtime rt;
  const yoke::array<double, 2> x{rt, {6, 5}};
  yoke::located<double, 2> low{3, {2, 1}}, high{-3, {1, 2}};
  yoke::for_each<where_extreme>(rt, {{4, 4}, {0, 5}}, in(x), min_at(low), max_at(high));
  CHECK((low == yoke::located<double, 2>{3, {2, 1}}));
  CHECK((high == yoke::located<double, 2>{-3, {1, 2}}));
}

TEST_CASE("an own operation combines what a struct holds", "[arrays][reduction]") {
  yoke::runtime rt;
  std::vector<float> host = values(5000);
  const yoke::array<float, 1> x{rt, {5000}, yoke::attach(host)};
  mean all{1.5, 2};
  yoke::for_each<average>(rt, {5000}, in(x), reduce<add_means>(all));
  CHECK(all.n == 5002);
  double sum = 0;
  for (const float each : host) sum += static_cast<double>(each);
  CHECK(all.sum == Approx(sum + 1.5).epsilon(1e-9));
}

TEST_CASE("all GPUs are at work before results of any are waited for", "[arrays]") {
  yoke::runtime rt;
  const auto is_emulated = [](const yoke::compute_unit& unit) {
    return unit.dev != nullptr && unit.dev->info().emulated;
  };
  const int n = rt.units().size();
  if (!std::ranges::all_of(rt.units().all(), is_emulated) || std::ssize(rt.devices()) != n)
    return support::skip("not emulated devices alone, one for each unit");
  yoke::array<double, 1> x{rt, {n * part_of_one}, {yoke::dist::block}};
  for (int turn = 0; turn < 3; ++turn) {
    arrived = 0;
    double met = 0;
    yoke::for_each<meets_the_others>(rt, {n * part_of_one}, out(x), sum(met), n);
    CHECK(met == n);
  }
}
