/// Bad use that array_test.cpp and loop_test.cpp do not have: two runtimes, and calls in regions.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

struct assign {
  template <int D>
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<const double, D> x,
                          yoke::view<double, D> y) const {
    y(at) = x(at);
  }
};

struct add_up_all {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::partial<double>& sum) const {
    sum += x(at);
  }
};

std::unique_ptr<yoke::array<double, 1>> other_array;
std::optional<yoke::recording> other_recording;

struct end_others {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x) const {
#if !YOKE_DEVICE_PASS
    if (at.i == 0) {
      other_array.reset();
      other_recording.reset();
    }
#endif
    x(at) = 1;
  }
};

}  // namespace

TEST_CASE("an array and a recording that a body ends are of no use afterwards, and harm no one", "[arrays]") {
  using namespace yoke::loops;
  yoke::runtime rt;
  for (const yoke::device* const each : rt.devices())
    if (!each->info().emulated) return support::skip("a GPU ends nothing of the host's");
  yoke::array<double, 1> x{rt, {70}};
  other_array = std::make_unique<yoke::array<double, 1>>(yoke::array<double, 1>{rt, {70}});
  double all = 0, of_other = 0;
  const auto sum_of_other = [&] {
    yoke::for_each<add_up_all>(rt, {70}, in(*other_array, yoke::interior), sum(of_other));
  };
  yoke::recording step = yoke::record(rt, sum_of_other);
  other_recording.emplace(yoke::record(rt, sum_of_other));
  other_recording->replay();
  yoke::for_each<end_others>(rt, {70}, out(x));
  CHECK(x.gather() == std::vector<double>(70, 1));  // devices are through
  yoke::for_each<add_up_all>(rt, {70}, in(x, yoke::interior), sum(all));
  CHECK(all == 70);
  CHECK_THAT(refusal([&] { step.replay(); }), Contains("replay: the array (70 double"));
  const yoke::array<double, 1> wide{rt, {70}, {dist::balanced.halo(40)}};  // moves what is balanced
  CHECK(x.gather() == std::vector<double>(70, 1));
}

TEST_CASE("arrays of two runtimes are neither swapped, copied nor aligned", "[arrays]") {
  yoke::runtime rt, other;
  yoke::array<double, 1> x{rt, {20}}, y{other, {20}};
  CHECK_THAT(refusal([&] { swap(x, y); }), Contains("swap: the arrays are of two runtimes"));
  CHECK_THAT(refusal([&] { yoke::copy(x, y); }), Contains("copy: the arrays are of two runtimes"));
  CHECK_THAT(refusal([&] { yoke::array<double, 1>{other, {20}, dist::as(x)}; }),
             Contains("dist::as: the other array is of another runtime"));
  CHECK_THAT(refusal([&] { yoke::inclusive_scan(rt, x, y); }), Contains("array of another runtime"));
}

TEST_CASE("a side of a dimension that an array lacks is refused", "[arrays]") {
  yoke::runtime rt;
  const yoke::array<double, 1> x{rt, {20}, {dist::block.halo(1)}};
  CHECK(refusal([&] { yoke::exchange(x, yoke::side::low(0), yoke::side::high(1)); }) ==
        "exchange: side::high(1): the array has 1 dimension, counted from 0");
  CHECK(refusal([&] { yoke::exchange(x, yoke::side::low(-1)); }) ==
        "exchange: side::low(-1): the array has 1 dimension, counted from 0");
}

TEST_CASE("copies, exchanges and replays are not for parallel regions", "[arrays]") {
  yoke::runtime rt;
  yoke::array<double, 1> x{rt, {20}}, y{rt, {20}};
  yoke::recording nothing = yoke::record(rt, [] {});
  std::vector<std::string> said(static_cast<std::size_t>(5 * rt.units().size()));
  rt.each_unit([&](yoke::unit_id unit) {
    std::string* const mine = said.data() + static_cast<std::ptrdiff_t>(5 * int{unit});
    mine[0] = refusal([&] { yoke::copy(x, y); });
    mine[1] = refusal([&] { yoke::exchange(x); });
    mine[2] = refusal([&] { nothing.replay(); });
    mine[3] = refusal([&] { static_cast<void>(yoke::record(rt, [] {})); });
    mine[4] = refusal([&] { yoke::exclusive_scan(rt, x, y); });
  });
  for (const std::string& each : said) CHECK_THAT(each, Contains("called inside a parallel region"));
}

TEST_CASE("a reach below 0 is refused with loop, array and dimension", "[arrays]") {
  using namespace yoke::loops;
  yoke::runtime rt;
  const yoke::array<double, 2> x{rt, {40, 8}, {dist::block.halo(1), dist::duplicate}, "heights"};
  yoke::array<double, 2> y{rt, {40, 8}, dist::as(x)};
  const auto told = [&](const auto&... reading) {
    return refusal([&] { yoke::for_each<assign>(rt, {40, 8}, in(x, reading...), out(y)); });
  };
  using yoke::reach;
  CHECK_THAT(told(reach{-1, 0}), Contains("assign': ") && Contains("the array 'heights'") &&
                                     Contains("a reach of -1 below and 0 above in dimension 0; 0 or more"));
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  CHECK_THAT(told(reach{}, reach{0, least}),
             Contains("a reach of 0 below and -9223372036854775808 above in dimension 1; 0 or more"));
  CHECK_THAT(told(yoke::faces, reach{1, -2}), Contains("a reach of 1 below and -2 above in dimension 0"));
  CHECK_NOTHROW(yoke::for_each<assign>(rt, {40, 8}, in(x, reach{-(least + 1), -(least + 1)}), out(y)));
}
