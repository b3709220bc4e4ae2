/// Bad use that array_test.cpp and loop_test.cpp do not have: two runtimes, and indices that meet.
#include <algorithm>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/settings.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;

/// Reads or writes the element `by` further.
struct reads_next {
  YOKE_HD void operator()(yoke::index<1> at, yoke::view<double, 1> x, int by) const { x(at) += x(at.i + by); }
};
struct writes_next {
  YOKE_HD void operator()(yoke::index<1> at, yoke::view<double, 1> x, int by) const { x(at.i + by) = 1; }
};
/// A row is what belongs to its index.
struct sums_row {
  YOKE_HD void operator()(yoke::index<1> row, yoke::view<double, 2> x, std::int64_t by) const {
    for (std::int64_t j = 1; j < x.extent(1); ++j) x(row.i + by, j) += x(row.i + by, j - 1);
  }
};
struct adds_next {
  YOKE_HD void operator()(yoke::index<1> at, yoke::view<double, 1> x, yoke::partial<double>& sum,
                          int by) const {
    sum += x(at.i + by);
  }
};

template <class Call>
std::string refusal(const Call& call) {
  return support::message_of<yoke::usage_error>(call);
}

/// GPUs check nothing.
bool all_are_checked(const yoke::runtime& rt) {
  return std::ranges::all_of(rt.devices(), [](const yoke::device* dev) { return dev->info().emulated; });
}

}  // namespace

TEST_CASE("where checks are on, no index uses what another one of its loop may write", "[arrays]") {
  yoke::detail::set_environment("YOKE_CHECK", "1");
  yoke::runtime rt;
  yoke::detail::unset_environment("YOKE_CHECK");
  if (!all_are_checked(rt)) return support::skip("GPUs check nothing");
  yoke::array<double, 1> x{rt, {64}};
  yoke::array<double, 2> rows{rt, {64, 5}};
  double sum = 0;
  const auto message = [&](const auto& loop) {
    return refusal([&] {
      loop();
      static_cast<void>(x.gather());
      static_cast<void>(rows.gather());
    });
  };
  for (const int by : {0, 1, -1}) {
    const auto is_right = by == 0 ? Contains("(nothing was thrown)") : Contains("a kernel used the index (");
    const yoke::bound over{1, 63};
    CHECK_THAT(message([&] { yoke::for_each<reads_next>(rt, {over}, inout(x), by); }), is_right);
    CHECK_THAT(message([&] { yoke::for_each<writes_next>(rt, {over}, out(x), by); }), is_right);
    CHECK_THAT(message([&] { yoke::for_each<sums_row>(rt, {over}, inout(rows), by); }), is_right);
    CHECK_THAT(message([&] { yoke::for_each<adds_next>(rt, {over}, inout(x), yoke::loops::sum(sum), by); }),
               is_right);
  }
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
