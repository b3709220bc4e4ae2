#include "bench.hpp"
#include "device_kernels.hpp"

#include <cstdint>
#include <support/catch.hpp>
#include <vector>

// Views as arguments of kernels.

namespace {

using conformance::bench;
using conformance::counting;
using yoke::device_ptr;
using yoke::view;

}  // namespace

TEST_CASE("a kernel reads and writes through views that a struct holds, with strides of their own",
          "[device][view]") {
  bench on;
  constexpr std::int64_t width = 7, height = 5;
  double* from = on.holding(counting(width * height));
  double* to = on.holding(std::vector<double>(width * height, 0));
  // What lies within a border of one, turned over: rows become columns.
  conformance::launch_move(
      *on.device, on.stream, {3, 5},
      {.from = view<const double, 2>{device_ptr<const double>{from + width + 1}, {5, 3}, {1, width}},
       .to = view<double, 2>{device_ptr{to}, {5, 3}}});
  std::vector<double> expected(width * height, 0);
  for (std::size_t j = 0; j < 5; ++j)
    for (std::size_t i = 0; i < 3; ++i)
      expected[3 * j + i] = 10 + counting(width * height)[(i + 1) * width + j + 1];
  CHECK(on.read(to, expected.size()) == expected);
  on.device->deallocate(from);
  on.device->deallocate(to);
}

TEST_CASE("a view in three dimensions has its last index along the row", "[device][view]") {
  bench on;
  constexpr std::int64_t n = 3, m = 2, l = 5;
  double* u = on.holding(counting(n * m * l));
  double* sums = on.holding(std::vector<double>(n * m, 0));
  const view<double, 3> all{device_ptr{u}, {n, m, l}};
  CHECK(all.stride(0) == m * l);
  CHECK(all.stride(1) == l);
  CHECK(all.stride(2) == 1);
  conformance::launch_sum_last(*on.device, on.stream, all, {device_ptr{sums}, {n, m}});
  std::vector<double> expected;
  for (int row = 0; row < n * m; ++row) expected.push_back(5 * (5 * row) + 15);
  CHECK(on.read(sums, expected.size()) == expected);
  on.device->deallocate(u);
  on.device->deallocate(sums);
}
