/// Reductions of other types, and of what is no number.
#include <cmath>
#include <cstdint>
#include <limits>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;

struct reduce_floats {
  YOKE_HD void operator()(yoke::index<1> at, yoke::view<const float, 1> x, yoke::partial<float>& sum,
                          yoke::partial<float, yoke::largest>& largest,
                          yoke::partial<double>& squares) const {
    sum += x(at);
    largest.take(x(at));
    squares += static_cast<double>(x(at)) * static_cast<double>(x(at));
  }
};
struct extremes {
  YOKE_HD void operator()(yoke::index<1> at, yoke::view<const std::int32_t, 1> x,
                          yoke::partial<std::int32_t, yoke::smallest>& low,
                          yoke::partial<std::int32_t, yoke::largest>& high) const {
    low.take(x(at));
    high.take(x(at));
  }
};

std::vector<float> values(std::size_t n) {
  std::vector<float> made;
  for (std::size_t i = 0; i < n; ++i) made.push_back(std::sin(static_cast<float>(i)) * 3);
  return made;
}

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
