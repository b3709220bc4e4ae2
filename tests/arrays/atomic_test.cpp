/// Elements that several indices of a loop update.
#include "checking.hpp"

#include <algorithm>
#include <cstdint>
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

constexpr std::int64_t n_rows = 24, n_columns = 3000, n_bins = 16;

/// An index has every 16th value of its row, and bins for any of them.
struct histogram {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const int, 2> values,
                          yoke::view<std::int64_t, 2> bins) const {
    for (std::int64_t j = at.j; j < values.end(1); j += n_bins)
      yoke::atomic_add(bins, {at.i, values(at.i, j)}, 1);
  }
};
/// The same for one row that every memory has.
struct histogram_of_row {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const int, 1> values,
                          yoke::view<std::int64_t, 1> bins) const {
    for (std::int64_t j = at.i; j < values.end(0); j += n_bins) yoke::atomic_add(bins, {values(j)}, 1);
  }
};
struct sums_of_rows {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> sum,
                          yoke::partial<double>& all) const {
    yoke::atomic_add(sum, {at.i, 0}, 0.5);
    all += 0.5;
  }
};
struct limits_of_row {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> x, yoke::view<double, 2> least,
                          yoke::view<double, 2> most) const {
    yoke::atomic_min(least, {at.i, 1}, x(at));
    yoke::atomic_max(most, {at.i, 1}, x(at));
  }
};
struct add_beyond {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<std::int64_t, 1> x, std::int64_t by) const {
    yoke::atomic_add(x, {at.i + by}, 1);
  }
};

/// Values that come by no rule that cuts follow.
std::vector<int> values_to_count(std::int64_t n) {
  std::vector<int> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<int>(i * i % 101 * 7 % n_bins));
  return values;
}

}  // namespace

TEST_CASE("a histogram counts all values of each row", "[arrays][atomic]") {
  yoke::runtime rt;
  std::vector<int> host = values_to_count(n_rows * n_columns);
  std::vector<std::int64_t> wanted(n_rows * n_bins);
  for (std::size_t i = 0; i < host.size(); ++i)
    ++wanted[i / n_columns * n_bins + static_cast<std::size_t>(host[i])];
  const yoke::array<int, 2> values{
      rt, {n_rows, n_columns}, {dist::block, dist::duplicate}, yoke::attach(host)};
  yoke::array<std::int64_t, 2> bins{rt, {n_rows, n_bins}, {dist::block, dist::duplicate}};
  yoke::for_each<histogram>(rt, {n_rows, n_bins}, in(values), inout(bins));
  CHECK(bins.gather() == wanted);
  yoke::recording again =
      yoke::record(rt, [&] { yoke::for_each<histogram>(rt, {n_rows, n_bins}, in(values), inout(bins)); });
  again.replay();
  std::ranges::transform(wanted, wanted.begin(), [](std::int64_t n) { return 2 * n; });
  CHECK(bins.gather() == wanted);
}

TEST_CASE("a histogram that every memory has is whole in each of them", "[arrays][atomic]") {
  yoke::runtime rt;
  std::vector<int> host = values_to_count(n_columns);
  std::vector<std::int64_t> wanted(n_bins);
  for (const int each : host) ++wanted[static_cast<std::size_t>(each)];
  const yoke::array<int, 1> values{rt, {n_columns}, {dist::duplicate}, yoke::attach(host)};
  yoke::array<std::int64_t, 1> bins{rt, {n_bins}, {dist::duplicate}};
  yoke::for_each<histogram_of_row>(rt, {n_bins}, in(values), inout(bins));
  CHECK(bins.gather() == wanted);
  yoke::redistribute(bins, dist::block);
  CHECK(bins.gather() == wanted);
}

TEST_CASE("a loop with a reduction updates elements of other indices, too", "[arrays][atomic]") {
  yoke::runtime rt;
  yoke::array<double, 2> sum{rt, {n_rows, n_columns}, {dist::block, dist::duplicate}};
  double all = 1;
  yoke::for_each<sums_of_rows>(rt, {n_rows, n_columns}, inout(sum), yoke::loops::sum(all));
  CHECK(all == 1 + n_rows * n_columns / 2);
  const std::vector<double> found = sum.gather();
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == (i % n_columns == 0 ? n_columns / 2 : 0));
}

TEST_CASE("the smallest and the largest value of a row are found in any order", "[arrays][atomic]") {
  yoke::runtime rt;
  std::vector<double> host;
  for (const int each : values_to_count(n_rows * 50)) host.push_back(each - 8.5);
  const yoke::array<double, 2> x{rt, {n_rows, 50}, {dist::block, dist::duplicate}, yoke::attach(host)};
  yoke::array<double, 2> least{rt, {n_rows, 50}, dist::as(x)}, most{rt, {n_rows, 50}, dist::as(x)};
  yoke::for_each<limits_of_row>(rt, {n_rows, 50}, in(x), inout(least), inout(most));
  const std::vector<double> lowest = least.gather(), highest = most.gather();
  for (std::size_t i = 0; i < n_rows; ++i) {
    const auto [low, high] = std::minmax_element(host.begin() + static_cast<std::ptrdiff_t>(50 * i),
                                                 host.begin() + static_cast<std::ptrdiff_t>(50 * i + 50));
    CHECK(lowest[50 * i + 1] == std::min(*low, 0.0));
    CHECK(highest[50 * i + 1] == std::max(*high, 0.0));
  }
}

TEST_CASE("atomics may use other indices' elements of the part, and none beyond it", "[arrays][atomic]") {
  checking with;
  if (!with.can()) return support::skip("a GPU does not check");
  constexpr std::int64_t n = 64;
  yoke::array<std::int64_t, 1> x{with.rt(), {n}, {dist::block.halo(1)}};
  yoke::for_each<add_beyond>(with.rt(), {{1, 3}}, inout(x), 1);
  std::vector<std::int64_t> wanted(n);
  wanted[2] = wanted[3] = 1;
  CHECK(x.gather() == wanted);
  for (int unit = 0; unit < with.rt().units().size(); ++unit) {
    const std::int64_t last = x.rows_of(unit).end - 1;
    const yoke::bound one[] = {{last, last + 1}};
    CHECK_THAT(refusal([&] { yoke::for_each<add_beyond>(with.rt(), one, inout(x), 1); }),
               Contains("a kernel used the index (" + std::to_string(last + 1) + ") of a view of"));
  }
}
