/// Where checks are on: an index of a loop uses no other element of what the loop writes.
#include "checking.hpp"

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

constexpr std::int64_t height = 64, width = 5;

/// As one who forgets the second array writes a smoother.
struct smooth_in_place {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, std::int64_t by) const {
    x(at) = x(at.i + by) + 1;
  }
};
struct smooth_and_sum {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, yoke::partial<double>& sum,
                          std::int64_t by) const {
    x(at) = x(at.i + by) + 1;
    sum += x(at);
  }
};
struct along_the_row {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x, std::int64_t by) const {
    x(at) = x(at.i, at.j + by) + 1;
  }
};
struct whole_rows {
  YOKE_HD void operator()(yoke::loop_index<1> row, yoke::view<double, 2> x, std::int64_t) const {
    for (std::int64_t j = x.begin(1) + 1; j < x.end(1); ++j) x(row.i, j) = x(row.i, j - 1) + 1;
  }
};
struct writes_elsewhere {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, std::int64_t by) const {
    x(at.i + by) = 1;
  }
};

const std::string no_refusal = "(nothing was thrown)";
// Off the borders of parts, where an index outside of the part would be refused before.
const yoke::bound inner[] = {{1, 3}};

}  // namespace

TEST_CASE("an index that reads what another one writes is refused where checks are on", "[arrays]") {
  checking with;
  if (!with.can()) return support::skip("a GPU does not check");
  yoke::array<double, 1> x{with.rt(), {height}, {dist::block}};
  for (const std::int64_t by : {0, 1, -1}) {
    double sum = 0;
    const std::string plain =
        refusal([&] { yoke::for_each<smooth_in_place>(with.rt(), inner, inout(x), by); });
    const std::string summed = refusal(
        [&] { yoke::for_each<smooth_and_sum>(with.rt(), inner, inout(x), yoke::loops::sum(sum), by); });
    CAPTURE(by);
    if (by == 0) {
      CHECK(plain == no_refusal);
      CHECK(summed == no_refusal);
    } else {
      CHECK_THAT(plain, Contains("each index has its own element alone"));
      CHECK_THAT(summed, Contains("each index has its own element alone"));
    }
  }
  const yoke::bound one_index[] = {{1, 2}};  // several threads of a unit would meet any index first
  CHECK_THAT(refusal([&] { yoke::for_each<writes_elsewhere>(with.rt(), one_index, out(x), 1); }),
             Contains("index (1) of a loop used element (2)"));
  yoke::for_each<smooth_in_place>(with.rt(), {height}, inout(x), 0);  // nothing of the refusals is left
}

TEST_CASE("the dimensions that a loop does not have are an index's own", "[arrays]") {
  checking with;
  if (!with.can()) return support::skip("a GPU does not check");
  yoke::array<double, 2> x{with.rt(), {height, width}, {dist::block, dist::duplicate}};
  CHECK_THAT(
      refusal([&] { yoke::for_each<along_the_row>(with.rt(), {{0, height}, {1, width}}, inout(x), -1); }),
      Contains("of an array that the loop writes"));
  yoke::for_each<along_the_row>(with.rt(), {height, width}, inout(x), 0);
  yoke::for_each<whole_rows>(with.rt(), {height}, inout(x), 0);
  CHECK(static_cast<std::int64_t>(x.gather().size()) == height * width);
}

TEST_CASE("streamed memory is an index's own as arrays are", "[arrays]") {
  checking with;
  if (!with.can()) return support::skip("a GPU does not check");
  std::vector<double> host(height);
  yoke::streamed x{with.rt(), host, {height}};
  CHECK_THAT(refusal([&] { yoke::for_each<smooth_in_place>(with.rt(), inner, inout(x), 1); }),
             Contains("each index has its own element alone"));
  yoke::for_each<smooth_in_place>(with.rt(), {height}, inout(x), 0);
  CHECK(host[5] >= 1);
}
