// Fields of several components, each a block of its own in memory.
#include "kernels.hpp"

#include <array>
#include <memory>
#include <support/catch.hpp>
#include <utility>

#include <yoke/runtime.hpp>

namespace {

using namespace zone_tests;  // NOLINT(google-build-using-namespace)
using many = yoke::zoned<number[3], 2>;
using one = yoke::zoned<number, 2>;

constexpr int n_in_grid = 6;

std::int64_t rows_of(int zone) { return 4 + 3 * (zone / 3); }
std::int64_t columns_of(int zone) { return 3 + 2 * (zone % 3); }
template <class Do>
void for_each_value(const Do& each) {
  for (int zone = 0; zone < n_in_grid; ++zone)
    for (std::size_t m = 0; m < 3; ++m)
      for (std::int64_t j = 0; j < rows_of(zone); ++j)
        for (std::int64_t i = 0; i < columns_of(zone); ++i) each(zone, m, j, i);
}

/// Two rows of three, round in both dimensions; columns of unlike widths.
std::unique_ptr<yoke::zones> grid(yoke::runtime& rt) {
  auto made = std::make_unique<yoke::zones>(
      rt, n_in_grid, [](int z) { return yoke::zone_extents<2>{rows_of(z), columns_of(z)}; });
  for (int z = 0; z < n_in_grid; ++z) {
    made->join({z, yoke::side::high(1)}, {z / 3 * 3 + (z + 1) % 3, yoke::side::low(1)});
    made->join({z, yoke::side::high(0)}, {(z + 3) % n_in_grid, yoke::side::low(0)});
  }
  return made;
}

}  // namespace

TEST_CASE("a field of components is one block after the other, halos included", "[zones]") {
  yoke::runtime rt;
  const auto blocks = grid(rt);
  many u{*blocks, yoke::halo{1, 2}, "u"};
  const auto there = u.host(4);
  CHECK(there.dimensions == 3);
  CHECK(std::array{there.begin(0), there.begin(1), there.begin(2)} == std::array<std::int64_t, 3>{0, -1, -2});
  CHECK(std::array{there.extent(0), there.extent(1), there.extent(2)} ==
        std::array<std::int64_t, 3>{3, 7 + 2, 5 + 4});
  CHECK(there.address(1, -1, -2) - there.address(0, -1, -2) == 9 * 9);
  CHECK(there.address(2, 0, 0) - there.address(2, -1, -2) == 9 + 2);
}

TEST_CASE("components travel as fields of their own would", "[zones]") {
  yoke::runtime rt;
  const auto blocks = grid(rt), others = grid(rt);
  many u{*blocks, yoke::halo{1, 1}, "u"}, v{*blocks, yoke::halo{1, 1}, "v"};
  std::array<std::unique_ptr<one>, 3> a, b;
  for (std::size_t m = 0; m < 3; ++m) {
    a[m] = std::make_unique<one>(*others, yoke::halo{1, 1}, "a");
    b[m] = std::make_unique<one>(*others, yoke::halo{1, 1}, "b");
  }
  for_each_value([&](int zone, std::size_t m, std::int64_t j, std::int64_t i) {
    u.host(zone)(m, j, i) = a[m]->host(zone)(j, i) =
        static_cast<number>(1000 * (m + 1)) + static_cast<number>(100 * zone + 10 * j + i);
  });
  yoke::zone_recording together = blocks->record([&](yoke::zone_step& s) {
    add_neighbours(s, u, v);
    s.swap(u, v);
  });
  yoke::zone_recording apart = others->record([&](yoke::zone_step& s) {
    for (std::size_t m = 0; m < 3; ++m) {
      add_neighbours(s, *a[m], *b[m]);
      s.swap(*a[m], *b[m]);
    }
  });
  together.replay(7);
  apart.replay(7);
  int wrong = 0;
  double last = 0;
  for_each_value([&](int zone, std::size_t m, std::int64_t j, std::int64_t i) {
    wrong += std::as_const(u).host(zone)(m, j, i) != std::as_const(*a[m]).host(zone)(j, i);
    if (m == 2) last += static_cast<double>(std::as_const(u).host(zone)(m, j, i));
  });
  CHECK(wrong == 0);
  CHECK(sum_of_components(*blocks, u) == Approx(last));
}
