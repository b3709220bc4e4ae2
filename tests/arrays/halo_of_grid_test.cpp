/// Halos in a grid of units whose parts go round in one dimension.
#include "values.hpp"

#include <algorithm>
#include <cstdint>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct below {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> x,
                          yoke::view<double, 2> y) const {
    y(at) = x(at.i + 1, at.j);
  }
};

}  // namespace

// Two CPU CUs have the upper half, each a block of its columns that ends where the other's begins.
TEST_CASE("halos of rows come from each unit below, where columns go round in few blocks", "[arrays][grid]") {
  yoke::runtime rt;
  const int n = rt.units().size();
  if (n % 2 != 0) return support::skip("a grid of two rows");
  const dist::grid on{2, n / 2};
  const std::int64_t columns = 5 * (n / 2) - 1;
  std::vector<double> host = counting(static_cast<std::size_t>(8 * columns));
  const yoke::array<double, 2> x{
      rt, {8, columns}, {dist::block.halo(1).edge(dist::periodic), dist::cyclic(5)}, on, yoke::attach(host)};
  yoke::array<double, 2> y{rt, {8, columns}, {dist::block, dist::cyclic(5)}, on};
  yoke::for_each<below>(rt, {8, columns}, in(x, yoke::faces), out(y));
  std::vector<double> wanted = counting(host.size());
  std::rotate(wanted.begin(), wanted.begin() + columns, wanted.end());
  CHECK(y.gather() == wanted);
}
