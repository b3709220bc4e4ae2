/// What a recording does and when it is refused.
#include "emulated_options.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/emulated.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

struct add_to {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, double value) const {
    x(at) += value;
  }
};
struct sum_of_neighbours {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(at.i - 1) + x(at.i + 1);
  }
};
struct sum_of {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at);
  }
};
struct set_to_zero {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x) const { x(at) = 0; }
};
struct add_one_and_sum {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x, yoke::partial<double>& sum) const {
    sum += x(at) += 1;
  }
};
struct throws_if_negative {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const {
#if !YOKE_DEVICE_PASS
    if (x(at) < 0) throw std::runtime_error{"negative"};
#endif
    x(at) += 1;
  }
};

}  // namespace

TEST_CASE("record runs nothing, and replay takes values as they were", "[arrays][record]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {70}};
  double value = 2;
  yoke::recording step = yoke::record(rt, [&] {
    yoke::for_each<add_to>(rt, {70}, inout(x), value);
    yoke::for_each<add_to>(rt, {{10, 20}}, inout(x), value);
  });
  CHECK(x.gather() == std::vector<double>(70));
  value = 5;
  yoke::recording moved = std::move(step);
  for (int k = 0; k < 3; ++k) moved.replay();
  std::vector<double> wanted(70, 6.0);
  std::fill(wanted.begin() + 10, wanted.begin() + 20, 12.0);
  CHECK(x.gather() == wanted);
  // NOLINTNEXTLINE(bugprone-use-after-move)
  CHECK_THAT(refusal([&] { step.replay(); }), Contains("moved from"));
}

TEST_CASE("loops between which memories do not meet are one graph on each GPU CU", "[arrays][record]") {
  yoke::runtime rt;
  const auto replays = [&] {
    std::vector<std::size_t> of;
    for (yoke::device* dev : rt.devices())
      if (const auto* emulated = dynamic_cast<yoke::emulated_device*>(dev))
        of.push_back(emulated->statistics().replays);
    return of;
  };
  if (replays().empty()) return support::skip("no emulated device");
  yoke::array<double, 1> x{rt, {70}, {dist::block}};  // of balanced ones some replays are timed, loop by loop
  double all = 0;
  yoke::recording step = yoke::record(rt, [&] {
    for (int k = 0; k < 3; ++k) yoke::for_each<add_to>(rt, {70}, inout(x), 1.0);
    yoke::for_each<sum_of>(rt, {70}, in(x), sum(all));
  });
  for (int k = 0; k < 2; ++k) step.replay();
  CHECK(all == 70 * (3 + 6));
  std::vector<std::size_t> wanted(replays().size(), 0);
  for (const yoke::compute_unit& unit : rt.units().all())
    if (unit.dev != nullptr) wanted[static_cast<std::size_t>(unit.space - 1)] += 2;  // slices share a device
  CHECK(replays() == wanted);
}

TEST_CASE("what record cannot list is refused, and leaves arrays as they were", "[arrays][record]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {70}}, y{rt, {70}};
  yoke::for_each<add_to>(rt, {70}, inout(x), 1.0);
  const auto in_record = [&](const std::function<void()>& call) {
    return refusal([&] { static_cast<void>(yoke::record(rt, call)); });
  };
  CHECK_THAT(in_record([&] { swap(x, y); }), Contains("record: after the swaps"));
  CHECK(x.gather() == std::vector<double>(70, 1.0));
  CHECK_THAT(in_record([&] {
               swap(x, y);
               static_cast<void>(x.gather());
             }),
             Contains("gather: called inside record"));
  CHECK(x.gather() == std::vector<double>(70, 1.0));
  CHECK_THAT(in_record([&] { yoke::copy(x, y); }), Contains("copy: called inside record"));
  CHECK_THAT(in_record([&] { yoke::inclusive_scan(rt, x, y); }), Contains("inclusive_scan: called inside"));
  CHECK_THAT(in_record([&] { yoke::array<double, 1>{rt, {7}}; }), Contains("array: called inside record"));
  CHECK_THAT(in_record([&] { static_cast<void>(yoke::record(rt, [] {})); }),
             Contains("record: called inside record"));
  CHECK_THAT(in_record([&] { yoke::redistribute(x, dist::block); }),
             Contains("redistribute: called inside record"));
  CHECK_THAT(in_record([&] { yoke::for_each<add_to>(rt, {71}, inout(x), 1.0); }), Contains("[0, 71)"));
  yoke::recording nothing = yoke::record(rt, [] {});
  CHECK_THAT(in_record([&] { nothing.replay(); }), Contains("replay: called inside record"));
  nothing.replay();
  yoke::runtime other;
  CHECK_THAT(in_record([&] { yoke::for_each<add_to>(other, {71}, inout(x), 1.0); }),
             Contains("for another runtime"));
}

TEST_CASE("a recording is not replayed on arrays that are others now", "[arrays][record]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {70}}, y{rt, {70}};
  yoke::recording step = yoke::record(rt, [&] { yoke::for_each<add_to>(rt, {70}, inout(x), 1.0); });
  swap(x, y);
  CHECK_THAT(refusal([&] { step.replay(); }), Contains("has been swapped since"));
  swap(x, y);
  step.replay();
  CHECK(x.gather() == std::vector<double>(70, 1.0));
  x = yoke::array<double, 1>{rt, {70}};
  CHECK_THAT(refusal([&] { step.replay(); }),
             Contains("replay: the array (70 double, the 1st that was made) has ended"));
}

TEST_CASE("a replay goes by cuts that have moved", "[arrays][record]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {5000}, {dist::block.halo(1).edge(dist::periodic)}},
      y{rt, {5000}, dist::as(x)};
  double all = 0;
  yoke::recording step = yoke::record(rt, [&] {
    yoke::for_each<add_to>(rt, {5000}, inout(x), 1.0);
    yoke::for_each<sum_of_neighbours>(rt, {5000}, in(x), out(y));
    yoke::for_each<sum_of>(rt, {5000}, in(y, yoke::interior), sum(all));
  });
  step.replay();
  CHECK(all == 5000 * 2);
  std::vector<double> weights(static_cast<std::size_t>(rt.units().size()), 1.0);
  weights.front() = 5.5;
  yoke::redistribute(x, dist::weighted(weights));
  if (rt.units().size() > 1)
    for (int k = 0; k < 2; ++k)
      CHECK_THAT(refusal([&] { step.replay(); }), Contains("is cut at other indices"));
  yoke::redistribute(y, dist::weighted(weights));
  step.replay();
  step.replay();
  CHECK(all == 5000 * (2 + 4 + 6));
  CHECK(y.gather() == std::vector<double>(5000, 6.0));
}

TEST_CASE("a loop that is distributed as balanced arrays are goes along with them when it is replayed",
          "[arrays][record][balance]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {100}};
  double all = 0;
  yoke::recording step = yoke::record(rt, [&] {
    yoke::for_each<add_to>(rt, {100}, distributed(dist::balanced), inout(x), 1.0);
    yoke::for_each<sum_of>(rt, {100}, distributed(dist::balanced), in(x, yoke::interior), sum(all));
  });
  step.replay();
  {
    const yoke::array<double, 1> other{rt, {100}, {dist::balanced.halo(60)}};  // for which one unit has all
    step.replay();
  }
  step.replay();
  CHECK(x.gather() == std::vector<double>(100, 3.0));
  CHECK(all == 100 * (1 + 2 + 3));
}

TEST_CASE("a recording lasts beyond balanced arrays of as many elements as its loops are distributed by",
          "[arrays][record][balance]") {
  yoke::runtime rt;
  const auto make_and_end = [&](const yoke::distribution& how) {
    CHECK(yoke::array<double, 1>{rt, {90}, {how}}.size() == 90);
  };
  yoke::array<double, 1> ones{rt, {90}, {dist::duplicate}};
  yoke::for_each<add_to>(rt, {90}, inout(ones), 1.0);
  double all = 0;
  yoke::recording step = yoke::record(
      rt, [&] { yoke::for_each<sum_of>(rt, {90}, distributed(dist::balanced), in(ones), sum(all)); });
  make_and_end(dist::balanced.halo(60));
  make_and_end(dist::balanced);  // which needs no long parts any more
  for (int k = 0; k < 3; ++k) step.replay();
  CHECK(all == 270);
}

TEST_CASE("sums over columns that are cut come where they belong before, while and after replays are timed",
          "[arrays][record][balance]") {
  yoke::runtime rt;
  yoke::array<double, 2> x{rt, {3, 40}, {dist::duplicate, dist::balanced}};
  double all = 0, wanted = 0;
  // Of most loops there is no time, so that no cut moves.
  yoke::recording others = yoke::record(rt, [&] {
    for (int k = 0; k < 1000; ++k) yoke::for_each<set_to_zero>(rt, {3, 40}, out(x));
  });
  others.replay();
  yoke::recording step =
      yoke::record(rt, [&] { yoke::for_each<add_one_and_sum>(rt, {3, 40}, inout(x), sum(all)); });
  for (int k = 1; k <= 12; ++k) {
    step.replay();
    wanted += 3 * 40 * k;
    REQUIRE(all == wanted);
  }
}

TEST_CASE("an exception of a body leaves replay, and the recording may be replayed again",
          "[arrays][record]") {
  yoke::runtime rt;
  const bool throws_on_devices =
      std::ranges::all_of(rt.devices(), [](const yoke::device* dev) { return dev->info().emulated; });
  if (rt.units().shape().cpu_units == 0 && !throws_on_devices) return support::skip("a GPU throws nothing");
  std::vector<double> host(70, 1.0);
  yoke::array<double, 1> x{rt, {70}, {dist::block.halo(1).edge(dist::periodic)}, yoke::attach(host)};
  yoke::array<double, 1> y{rt, {70}, dist::as(x)};
  yoke::recording step = yoke::record(rt, [&] {
    yoke::for_each<throws_if_negative>(rt, {70}, inout(x));
    yoke::for_each<sum_of_neighbours>(rt, {70}, in(x), out(y));
  });
  step.replay();
  CHECK(y.gather() == std::vector<double>(70, 4.0));
  yoke::for_each<add_to>(rt, {{0, 1}}, inout(x), -100.0);
  CHECK_THROWS([&] {
    step.replay();
    static_cast<void>(x.gather());
  }());
  const std::vector<double> left = x.gather();
  for (std::int64_t i = 0; i < 70; ++i)
    yoke::for_each<add_to>(rt, {{i, i + 1}}, inout(x), 1.0 - left[static_cast<std::size_t>(i)]);
  step.replay();
  CHECK(y.gather() == std::vector<double>(70, 4.0));
}

TEST_CASE("whichever call of a device fails, a replay gives an error or the right result",
          "[arrays][record][faults]") {
  yoke::runtime healthy;
  if (!heeds_options(healthy)) return support::skip("no emulated device");
  const auto solve = [](yoke::runtime& rt) {
    std::vector<double> host(60, 1.5);
    yoke::array<double, 1> x{rt, {60}, {dist::block.halo(1).edge(dist::periodic)}, yoke::attach(host)};
    yoke::array<double, 1> y{rt, {60}, dist::as(x)};
    yoke::recording step = yoke::record(rt, [&] {
      yoke::for_each<sum_of_neighbours>(rt, {60}, in(x), out(y));
      yoke::for_each<add_to>(rt, {60}, inout(y), 0.5);
      yoke::for_each<sum_of_neighbours>(rt, {60}, in(y), out(x));
    });
    for (int k = 0; k < 2; ++k) step.replay();
    return x.gather();
  };
  const std::vector<double> wanted = solve(healthy);
  int failed = 0, right = 0;
  for (int k = 1; right < 3 && k < 400; ++k) {
    const emulated_options with{"fail-call=" + std::to_string(k)};
    try {
      yoke::runtime rt;
      const bool is_right = solve(rt) == wanted;
      INFO(k);
      REQUIRE(is_right);
      ++right;
    } catch (const yoke::error&) {
      ++failed;
      right = 0;
    }
  }
  CHECK(failed > 0);
  CHECK(right == 3);
}
