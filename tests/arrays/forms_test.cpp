/// Bodies of tiles and of whole parts beside the same loops one index at a time.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;

/// c = a b, a tile of c at a time: each step brings a tile of a and one of b on chip.
template <int Side>
struct multiply_tiles : yoke::tiled<Side, Side> {
  static constexpr int block = 64;
  static constexpr std::size_t shared_bytes = 3 * Side * Side * sizeof(double);

  YOKE_HD void operator()(const yoke::tile<2>& t, yoke::view<const double, 2> a,
                          yoke::view<const double, 2> b, yoke::view<double, 2> c) const {
    double *const of_a = t.template shared<double>(), *const of_b = of_a + Side * Side,
                  *const of_c = of_b + Side * Side;
    t.for_each(Side * Side, [&](int at) { of_c[at] = 0; });
    for (std::int64_t k0 = 0; k0 < a.extent(1); k0 += Side) {
      t.for_each(Side * Side, [&](int at) {
        const std::int64_t i = t.begin(0) + at / Side, k = k0 + at % Side;
        of_a[at] = i < t.end(0) && k < a.extent(1) ? a(i, k) : 0;
        const std::int64_t of_k = k0 + at / Side, j = t.begin(1) + at % Side;
        of_b[at] = of_k < b.extent(0) && j < t.end(1) ? b(of_k, j) : 0;
      });
      t.for_each(Side * Side, [&](int at) {
        const std::int64_t left = a.extent(1) - k0;
        double sum = of_c[at];
        for (int k = 0; k < Side && k < left; ++k)
          sum += of_a[at / Side * Side + k] * of_b[k * Side + at % Side];
        of_c[at] = sum;
      });
    }
    t.for_each(Side * Side, [&](int at) {
      const std::int64_t i = t.begin(0) + at / Side, j = t.begin(1) + at % Side;
      if (i < t.end(0) && j < t.end(1)) c(i, j) = of_c[at];
    });
  }
};

struct multiply {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> a,
                          yoke::view<const double, 2> b, yoke::view<double, 2> c) const {
    double sum = 0;
    for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(at.i, k) * b(k, at.j);
    c(at) = sum;
  }
};

/// Marks each element with what it is told of its tile.
template <int... Sides>
struct mark : yoke::tiled<Sides...> {
  static constexpr int sides = sizeof...(Sides);
  YOKE_HD void operator()(const yoke::tile<sides>& t, yoke::view<std::int64_t, sides> x) const {
    std::int64_t n = 1;
    for (int d = 0; d < sides; ++d) n *= t.extent(d);
    t.for_each(static_cast<int>(n), [&](int at) {
      std::int64_t rest = at, where[4] = {};
      for (int d = sides - 1; d >= 0; --d) {
        where[d] = t.begin(d) + rest % t.extent(d);
        rest /= t.extent(d);
      }
      std::int64_t& element = [&]() -> std::int64_t& {
        if constexpr (sides == 1) {
          return x(where[0]);
        } else if constexpr (sides == 3) {
          return x(where[0], where[1], where[2]);
        } else {
          return x(where[0], where[1], where[2], where[3]);
        }
      }();
      element = element * 10 + 1;
    });
  }
};

struct smooth_tiles : yoke::tiled<8> {
  YOKE_HD void operator()(const yoke::tile<1>& t, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    t.for_each(static_cast<int>(t.extent(0)), [&](int n) {
      const std::int64_t i = t.begin(0) + n;
      y(i) = x(i - 1) + x(i + 1);
    });
  }
};
struct smooth_line {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i - 1) + x(at.i + 1);
  }
};

/// As one calls a library: pointers and strides on a CPU, a launch on a GPU.
struct scale_rows {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<const double> x, yoke::device_ptr<double> y,
                          std::int64_t from, std::int64_t to, double by) const {
    y[at.y * to + at.x] = by * x[at.y * from + at.x];
  }
};
struct scale_parts : yoke::whole_part {
  void operator()(const yoke::part<2>& p, yoke::view<const double, 2> x, yoke::view<double, 2> y,
                  double by) const {
    const auto first_x = x.first() + ((p.begin(0) - x.begin(0)) * x.stride(0) + p.begin(1) - x.begin(1));
    const auto first_y = y.first() + ((p.begin(0) - y.begin(0)) * y.stride(0) + p.begin(1) - y.begin(1));
    if (p.is_on_gpu()) {
      yoke::launch<scale_rows>(*p.dev(), p.stream(), {.x = p.extent(1), .y = p.extent(0)}, "scale_rows",
                               yoke::device_ptr<const double>{first_x}, first_y, x.stride(0), y.stride(0),
                               by);
      return;
    }
    for (std::int64_t i = 0; i < p.extent(0); ++i)
      for (std::int64_t j = 0; j < p.extent(1); ++j)
        first_y.address()[i * y.stride(0) + j] = by * first_x.address()[i * x.stride(0) + j];
  }
};
struct throws_in_a_part : yoke::whole_part {
  void operator()(const yoke::part<1>& p, yoke::view<double, 1>) const {
    throw yoke::usage_error{p.is_on_gpu() ? "no luck on a GPU" : "no luck on CPUs"};
  }
};

struct add_one_tiles : yoke::tiled<8> {
  YOKE_HD void operator()(const yoke::tile<1>& t, yoke::view<std::int64_t, 1> x) const {
    t.for_each(static_cast<int>(t.extent(0)), [&](int n) { x(t.begin(0) + n) += 1; });
  }
};
/// Each index is a tile; the first one to run waits until all others of CPU CUs have.
struct late_tile : yoke::tiled<1> {
  static inline std::atomic<std::int64_t> waits_for{0}, run{0};
  static inline std::atomic<bool> has_begun{false};

  static void begin(std::int64_t tiles) {
    waits_for = tiles - 1;
    run = 0;
    has_begun = false;
  }
  static bool are_others_done() { return run >= waits_for; }

  void operator()(const yoke::tile<1>& t, yoke::view<std::int64_t, 1> x) const {
    if (!has_begun.exchange(true)) {
      const auto late = std::chrono::steady_clock::now() + std::chrono::seconds{20};
      while (!are_others_done() && std::chrono::steady_clock::now() < late) std::this_thread::yield();
      if (!are_others_done()) return;
    }
    x(t.begin(0)) += 1;
    ++run;
  }
};

std::vector<double> drawn(std::int64_t n, std::mt19937_64& rng) {
  std::vector<double> made(static_cast<std::size_t>(n));
  for (double& each : made) each = std::uniform_real_distribution{-1.0, 1.0}(rng);
  return made;
}

}  // namespace

TEST_CASE("tiles multiply matrices as indices one by one do", "[arrays]") {
  const auto seed = support::seed();
  CAPTURE(seed);
  std::mt19937_64 rng{seed};
  yoke::runtime rt;
  const auto size = [&] { return std::uniform_int_distribution<std::int64_t>{0, 70}(rng); };
  for (int round = 0; round < 6; ++round) {
    const std::int64_t n = size(), m = size(), of = size();
    CAPTURE(round, n, m, of);
    std::vector<double> a_host = drawn(n * of, rng), b_host = drawn(of * m, rng);
    yoke::array<double, 2> a{rt, {n, of}, yoke::attach(a_host)};
    yoke::array<double, 2> b{rt, {of, m}, {dist::duplicate, dist::duplicate}, yoke::attach(b_host)};
    yoke::array<double, 2> one{rt, {n, m}}, tiles{rt, {n, m}}, mixed{rt, {n, m}};
    yoke::for_each<multiply>(rt, {n, m}, in(a), in(b), out(one));
    yoke::for_each<multiply_tiles<8>>(rt, {n, m}, in(a), in(b), out(tiles));
    yoke::for_each<yoke::variants<cpu<multiply>, gpu<multiply_tiles<16>>>>(rt, {n, m}, in(a), in(b),
                                                                           out(mixed));
    CHECK(tiles.gather() == one.gather());
    CHECK(mixed.gather() == one.gather());
  }
}

TEST_CASE("each index of a loop is in one tile, in all dimensions", "[arrays]") {
  yoke::runtime rt;
  yoke::array<std::int64_t, 1> x{rt, {1000}};
  yoke::for_each<mark<7>>(rt, {{3, 990}}, inout(x));
  const std::vector<std::int64_t> all = x.gather();
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == (i >= 3 && i < 990 ? 1 : 0));

  yoke::array<std::int64_t, 3> y{rt, {9, 7, 5}};
  yoke::for_each<mark<2, 3, 4>>(rt, {{1, 9}, {0, 7}, {2, 5}}, inout(y));
  std::int64_t marked = 0;
  for (const std::int64_t each : y.gather()) marked += each;
  CHECK(marked == 8 * 7 * 3);

  yoke::array<std::int64_t, 4> z{rt, {6, 3, 5, 4}};
  yoke::for_each<mark<4, 2, 3, 3>>(rt, {6, 3, 5, 4}, inout(z));
  CHECK(z.gather() == std::vector<std::int64_t>(6 * 3 * 5 * 4, 1));
}

TEST_CASE("tiles read halos, in recordings too", "[arrays]") {
  yoke::runtime rt;
  // Of balanced arrays CPU CUs share them.
  const yoke::distribution rows =
      GENERATE(yoke::distribution{dist::block}, yoke::distribution{dist::balanced});
  constexpr std::int64_t n = 203;
  std::vector<double> host(n);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<double>(i * i % 17);
  yoke::array<double, 1> x{rt, {n}, {rows.halo(1)}, yoke::attach(host)};
  yoke::array<double, 1> one{rt, {n}, dist::as(x)}, tiles{rt, {n}, dist::as(x)};
  yoke::for_each<smooth_line>(rt, {{1, n - 1}}, in(x), out(one));
  yoke::recording step = yoke::record(rt, [&] {
    yoke::for_each<smooth_tiles>(rt, {{1, n - 1}}, in(x), out(tiles));
    yoke::for_each<smooth_tiles>(rt, {{2, n - 2}}, in(tiles), out(x));
  });
  step.replay();
  CHECK(tiles.gather() == one.gather());
  yoke::array<double, 1> twice{rt, {n}, dist::as(x)};
  yoke::for_each<smooth_line>(rt, {{2, n - 2}}, in(one), out(twice));
  const std::vector<double> expected = twice.gather(), found = x.gather();
  for (std::size_t i = 2; i < n - 2; ++i) REQUIRE(found[i] == expected[i]);
}

TEST_CASE("what a late CPU does not come to of a balanced array the others run", "[arrays]") {
  yoke::runtime rt;
  const auto shape = rt.units().shape();
  if (shape.cpu_units * shape.cpus_per_unit < 2) return;
  constexpr std::int64_t n = 60;
  yoke::array<std::int64_t, 1> x{rt, {n}};
  const auto tiles = [&] {  // they may be others after each loop
    std::int64_t all = 0;
    for (int unit = 0; unit < shape.cpu_units; ++unit) all += x.rows_of(unit).size();
    return all;
  };
  const auto loop = [&] {
    yoke::for_each<yoke::variants<cpu<late_tile>, gpu<add_one_tiles>>>(rt, {n}, inout(x));
  };
  yoke::recording step = yoke::record(rt, loop);
  for (std::int64_t times = 1; times < 4; ++times) {
    late_tile::begin(tiles());
    step.replay();
    CHECK(x.gather() == std::vector<std::int64_t>(n, times));
  }
  late_tile::begin(tiles());
  loop();
  CHECK(x.gather() == std::vector<std::int64_t>(n, 4));
}

TEST_CASE("a body of whole parts is called once for each unit, with its indices", "[arrays]") {
  yoke::runtime rt;
  constexpr std::int64_t n = 41, m = 13;
  std::vector<double> host(n * m);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<double>(i);
  yoke::array<double, 2> x{rt, {n, m}, yoke::attach(host)}, y{rt, {n, m}};
  yoke::for_each<scale_parts>(rt, {{2, n - 1}, {3, m}}, in(x), out(y), 0.5);
  const std::vector<double> first = y.gather();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) {
      const bool is_in = i >= 2 && i < n - 1 && j >= 3;
      REQUIRE(first[static_cast<std::size_t>(i * m + j)] ==
              (is_in ? 0.5 * static_cast<double>(i * m + j) : 0));
    }
  yoke::recording step = yoke::record(rt, [&] {
    yoke::for_each<scale_parts>(rt, {n, m}, in(x), out(y), 3.0);
    yoke::for_each<scale_parts>(rt, {n, m}, in(y), out(x), 1.0);
  });
  step.replay();
  step.replay();
  const std::vector<double> nine = x.gather();
  for (std::size_t i = 0; i < nine.size(); ++i) REQUIRE(nine[i] == 9 * static_cast<double>(i));
}

TEST_CASE("an exception of a whole part leaves the loop", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {64}, {dist::block}}, y{rt, {64}, {dist::block}};
  CHECK_THAT(
      support::message_of<yoke::usage_error>([&] { yoke::for_each<throws_in_a_part>(rt, {64}, out(x)); }),
      Contains("no luck"));
  CHECK(y.gather() == std::vector<double>(64));
}

TEST_CASE("a recorded loop of tiles goes on where its array is cut for good", "[arrays][record]") {
  yoke::runtime rt;
  yoke::array<std::int64_t, 1> x{rt, {100}};
  yoke::recording step = yoke::record(rt, [&] { yoke::for_each<add_one_tiles>(rt, {100}, inout(x)); });
  step.replay();
  for (const yoke::distribution& to : {dist::block, dist::balanced}) {
    yoke::redistribute(x, to);
    step.replay();
  }
  CHECK(x.gather() == std::vector<std::int64_t>(100, 3));
}
