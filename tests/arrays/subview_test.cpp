/// Parts of views, in loops and for other libraries.
#include "checking.hpp"
#include "values.hpp"

#include <cstdint>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

constexpr std::int64_t rows = 24, columns = 5, depth = 9;

/// A body that knows of rows only.
YOKE_HD inline void add_rows(const yoke::view<const double, 1>& x, const yoke::view<double, 1>& y) {
  for (std::int64_t k = y.begin(0); k < y.end(0); ++k) y(k) += x(k);
}
struct add_planes {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 3> x,
                          yoke::view<double, 3> y) const {
    const yoke::view<const double, 2> above = x.subview(at.i - 1), below = x.subview(at.i + 1);
    const yoke::view<double, 2> mine = y.subview(at.i);
    for (std::int64_t j = mine.begin(0); j < mine.end(0); ++j) {
      add_rows(above.subview(j), mine.subview(j));
      add_rows(below.subview(j), mine.subview(j));
    }
  }
};
struct fill_inner {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 3> x) const {
    const yoke::view<double, 3> inner = x.subview({{at.i, at.i + 1}, {1, columns - 1}, {2, depth - 2}});
    for (std::int64_t j = inner.begin(1); j < inner.end(1); ++j)
      for (std::int64_t k = inner.begin(2); k < inner.end(2); ++k)
        inner(at.i, j, k) = static_cast<double>((at.i * columns + j) * depth + k);
  }
};
struct write_in_row {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x, std::int64_t by) const {
    x.subview(at.i)(at.j + by) = 1;
  }
};
struct write_in_other_row {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 2> x, std::int64_t by) const {
    const yoke::view<double, 1> row = x.subview(at.i + by);
    for (std::int64_t j = row.begin(0); j < row.end(0); ++j) row(j) = 1;
  }
};
struct write_in_box {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 2> x, std::int64_t by) const {
    x.subview({{at.i, at.i + by + 1}, {0, 2}})(at.i + by, 1) = 1;
  }
};

/// As a library has it.
void scale_strided(std::int64_t count, double by, double* x, std::int64_t stride) {
  for (std::int64_t i = 0; i < count; ++i) x[i * stride] *= by;
}
struct scale_second_column : yoke::whole_part {
  void operator()(const yoke::part<2>&, yoke::view<double, 2> x) const {
    const yoke::view<double, 2> column = x.subview({{x.begin(0), x.end(0)}, {1, 2}});
    scale_strided(column.extent(0), 3, column.first().address(), column.stride(0));
  }
};
struct scale_by_index {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x) const {
    if (at.j == 1) x.subview({{at.i, at.i + 1}, {1, 2}})(at) *= 3;
  }
};

const std::string nothing = "(nothing was thrown)";

}  // namespace

TEST_CASE("planes and rows of views are views by the other indices", "[arrays][subview]") {
  yoke::runtime rt;
  std::vector<double> host = counting(rows * columns * depth);
  const yoke::array<double, 3> x{rt,
                                 {rows, columns, depth},
                                 {dist::block.halo(1).edge(dist::periodic), dist::duplicate, dist::duplicate},
                                 yoke::attach(host)};
  yoke::array<double, 3> y{rt, {rows, columns, depth}, {dist::block, dist::duplicate, dist::duplicate}};
  yoke::for_each<add_planes>(rt, {rows}, in(x), inout(y));
  const std::vector<double> is = counting(rows * columns * depth), found = y.gather();
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] ==
          is[(i + columns * depth) % is.size()] + is[(i + (rows - 1) * columns * depth) % is.size()]);
}

TEST_CASE("a box of a view has the indices of the whole", "[arrays][subview]") {
  yoke::runtime rt;
  yoke::array<double, 3> x{rt, {rows, columns, depth}, {dist::block, dist::duplicate, dist::duplicate}};
  yoke::for_each<fill_inner>(rt, {rows}, inout(x));
  const std::vector<double> found = x.gather();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t k = i % depth, j = i / depth % columns;
    CHECK(found[i] == (j >= 1 && j < columns - 1 && k >= 2 && k < depth - 2 ? static_cast<double>(i) : 0));
  }
}

TEST_CASE("an index has its own element alone in subviews, too, where checks are on", "[arrays][subview]") {
  checking with;
  if (!with.can()) return support::skip("a GPU does not check");
  yoke::array<double, 2> x{with.rt(), {rows, columns}, {dist::block, dist::duplicate}};
  const yoke::bound one_row[] = {{0, 1}}, one_place[] = {{1, 2}, {2, 3}};
  const auto in_row = [&](std::int64_t by) {
    return refusal([&] { yoke::for_each<write_in_row>(with.rt(), one_place, inout(x), by); });
  };
  CHECK(in_row(0) == nothing);
  CHECK_THAT(in_row(1), Contains("index (1, 2) of a loop used element (1, 3)"));
  CHECK_THAT(refusal([&] { yoke::for_each<write_in_other_row>(with.rt(), one_row, inout(x), 1); }),
             Contains("index (0) of a loop used element (1, 0)"));
  CHECK_THAT(refusal([&] { yoke::for_each<write_in_box>(with.rt(), one_row, inout(x), 1); }),
             Contains("index (0) of a loop used element (1, 1)"));
  // Row 0 begins where the array does, and its elements have indices of one dimension, as the loop has.
  CHECK(refusal([&] { yoke::for_each<write_in_other_row>(with.rt(), {rows}, inout(x), 0); }) == nothing);
  CHECK(x.gather() == std::vector<double>(rows * columns, 1));
}

TEST_CASE("a subview beyond the part is refused where checks are on", "[arrays][subview]") {
  checking with;
  if (!with.can()) return support::skip("a GPU does not check");
  yoke::array<double, 2> x{with.rt(), {rows, columns}, {dist::block, dist::duplicate}};
  const yoke::bound last[] = {{rows - 1, rows}};
  CHECK_THAT(refusal([&] { yoke::for_each<write_in_other_row>(with.rt(), last, inout(x), 1); }),
             Contains("a kernel took the subview [24, 25) x [0, 5) of a view of"));
  CHECK_THAT(refusal([&] { yoke::for_each<write_in_box>(with.rt(), last, inout(x), 1); }),
             Contains("a kernel took the subview [23, 25) x [0, 2) of a view of"));
}

TEST_CASE("a library gets the first element and strides of a subview", "[arrays][subview]") {
  yoke::runtime rt;
  yoke::array<double, 2> x{rt, {rows, columns}, {dist::block, dist::duplicate}};
  yoke::for_each<write_in_other_row>(rt, {rows}, inout(x), 0);
  yoke::for_each<yoke::variants<cpu<scale_second_column>, gpu<scale_by_index>>>(rt, {rows, columns},
                                                                                inout(x));
  const std::vector<double> found = x.gather();
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == (i % columns == 1 ? 3 : 1));
}
