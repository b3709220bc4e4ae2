/// Arrays of fewer dimensions beside blocks that go round.
#include <array>
#include <cstdint>
#include <numeric>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

namespace dist = yoke::dist;
using namespace yoke::loops;

constexpr long n_columns = 16, width = 4;

struct copy_row {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const long, 1> w, yoke::view<long, 2> y) const {
    y(at) = w(at.j);
  }
};
struct extent_of_row {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const long, 1> w, yoke::view<long, 2> y) const {
    y(at) = 100 * w.begin(0) + (w.end(0) - w.begin(0));
  }
};
struct copy_column_of_planes {
  YOKE_HD void operator()(yoke::loop_index<3> at, yoke::view<const long, 2> w, yoke::view<long, 3> y) const {
    y(at) = w(at.j, at.k);
  }
};

std::vector<long> counting(std::size_t n) {
  std::vector<long> values(n);
  std::iota(values.begin(), values.end(), 0L);
  return values;
}

/// With the array in the other dimension, too.
template <class Body>
std::vector<long> run_rows(yoke::runtime& rt, long rows, std::vector<long>& values) {
  yoke::array<long, 2> y{rt, {rows, n_columns}, {dist::duplicate, dist::cyclic(width)}};
  const yoke::array<long, 1> w{rt, {n_columns}, {dist::along(y, 1)}, yoke::attach(values)};
  yoke::for_each<Body>(rt, {rows, n_columns}, in(w), out(y));
  return y.gather();
}

bool goes_round(const yoke::runtime& rt) { return rt.units().size() > 1; }

}  // namespace

TEST_CASE("a row beside columns that go round has the elements of each block", "[arrays][cyclic]") {
  yoke::runtime rt;
  for (const long rows : {1L, 3L, 9L, 16L}) {
    CAPTURE(rows);
    std::vector<long> values = counting(n_columns);
    std::vector<long> all;
    for (long row = 0; row < rows; ++row) all.insert(all.end(), values.begin(), values.end());
    CHECK(run_rows<copy_row>(rt, rows, values) == all);
  }
}

TEST_CASE("the view of a row ends where the block of the loop ends, whatever its rows are",
          "[arrays][cyclic]") {
  yoke::runtime rt;
  if (!goes_round(rt)) return support::skip("one unit has all blocks");
  for (const long rows : {1L, 8L, 16L}) {
    CAPTURE(rows);
    std::vector<long> values = counting(n_columns), ends;
    for (long row = 0; row < rows; ++row)
      for (long j = 0; j < n_columns; ++j) ends.push_back(100 * (j / width * width) + width);
    CHECK(run_rows<extent_of_row>(rt, rows, values) == ends);
  }
}

TEST_CASE("a plane beside volumes on a grid follows the dimensions that it is along", "[arrays][cyclic]") {
  yoke::runtime rt;
  yoke::array<long, 3> y{rt, {2, 12, 10}, {dist::duplicate, dist::cyclic(2), dist::cyclic(3)}};
  std::vector<long> values = counting(12 * 10);
  const yoke::array<long, 2> w{rt, {12, 10}, {dist::along(y, 1), dist::along(y, 2)}, yoke::attach(values)};
  yoke::for_each<copy_column_of_planes>(rt, {2, 12, 10}, in(w), out(y));
  std::vector<long> both = values;
  both.insert(both.end(), values.begin(), values.end());
  CHECK(y.gather() == both);
}

TEST_CASE("a loop that is distributed by hand finds the row that it goes along", "[arrays][cyclic]") {
  yoke::runtime rt;
  std::vector<long> values = counting(n_columns);
  const yoke::array<long, 1> w{rt, {n_columns}, {dist::cyclic(width)}, yoke::attach(values)};
  for (const long rows : {1L, 3L, 16L}) {
    CAPTURE(rows);
    yoke::array<long, 2> y{rt, {rows, n_columns}, {dist::duplicate, dist::cyclic(width)}};
    yoke::for_each<copy_row>(rt, yoke::box<2>{{rows, n_columns}},
                             distributed(dist::duplicate, dist::cyclic(width)), in(w), out(y));
    std::vector<long> all;
    for (long row = 0; row < rows; ++row) all.insert(all.end(), values.begin(), values.end());
    CHECK(y.gather() == all);
  }
}

TEST_CASE("a row that goes along no dimension of a distributed loop is refused", "[arrays][cyclic]") {
  yoke::runtime rt;
  if (!goes_round(rt)) return support::skip("one unit has all blocks");
  std::vector<long> values = counting(n_columns);
  const yoke::array<long, 1> w{rt, {n_columns}, {dist::cyclic(width)}, yoke::attach(values)};
  // Row 0 is in the first block, so that one unit at least has an element for each of its rows.
  yoke::array<long, 2> y{rt, {1, n_columns}, {dist::duplicate, dist::cyclic(1)}};
  CHECK_THAT(support::refusal([&] {
               yoke::for_each<copy_row>(rt, yoke::box<2>{{1, n_columns}},
                                        distributed(dist::duplicate, dist::cyclic(1)), in(w), out(y));
             }),
             Catch::Matchers::Contains("has others of it"));
}
