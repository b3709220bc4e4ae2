#include "bench.hpp"
#include "device_kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <support/catch.hpp>
#include <vector>

// Views as arguments of kernels.

namespace {

using conformance::bench;
using conformance::counting;
using yoke::device_ptr;
using yoke::view;

/// Memory of doubles for other numbers of 8 bytes or fewer, at first zeros.
template <class T>
view<T, 1> zeros_of(const bench& on, std::int64_t n) {
  double* const first = on.holding(std::vector<double>(static_cast<std::size_t>(n), 0));
  return {device_ptr{reinterpret_cast<T*>(first)}, {n}};
}

template <class T>
std::vector<T> taken_from(const bench& on, const view<T, 1>& x) {
  std::vector<T> values(static_cast<std::size_t>(x.extent(0)));
  T* const first = x.first().address();
  on.device->copy(on.stream, values.data(), first, values.size() * sizeof(T),
                  yoke::copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  on.device->deallocate(first);
  return values;
}

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

TEST_CASE("subviews have the elements of the view, in kernels and as their arguments", "[device][view]") {
  bench on;
  constexpr std::int64_t n = 4, m = 3, l = 6;
  double* u = on.holding(counting(n * m * l));
  double* sums = on.holding(std::vector<double>(n * m, 0));
  const view<const double, 3> all{device_ptr<const double>{u}, {n, m, l}};
  const view<double, 2> to{device_ptr{sums}, {n, m}};
  conformance::launch_sum_inner(*on.device, on.stream, all, to);
  std::vector<double> expected;
  for (int row = 0; row < n * m; ++row) expected.push_back(4 * (6 * row) + 2 + 3 + 4 + 5);
  CHECK(on.read(sums, expected.size()) == expected);
  const std::vector<double> zeros(n * m, 0);
  on.write(sums, zeros);
  conformance::launch_sum_twice(*on.device, on.stream, all, to);
  for (std::size_t row = 0; row < expected.size(); ++row)
    expected[row] = 2 * (36 * static_cast<double>(row) + 21);
  CHECK(on.read(sums, expected.size()) == expected);
  on.write(sums, zeros);
  conformance::launch_move(*on.device, on.stream, {2, 2},
                           {.from = all.subview(n - 1).subview({2, 2}), .to = to.subview({{0, 2}, {0, m}})});
  std::ranges::fill(expected, 0);
  for (const std::size_t at : {0, 1, 3, 4})
    expected[at] = 10 + counting(n * m * l)[(n - 1) * m * l + (at < 2 ? at : at - 3 + l)];
  CHECK(on.read(sums, expected.size()) == expected);
  on.device->deallocate(u);
  on.device->deallocate(sums);
}

TEST_CASE("no update of an element by atomics is lost, whatever its type", "[device][view]") {
  bench on;
  constexpr std::int64_t n = 5, items = 100'000;
  const conformance::tallies to{.ints = zeros_of<int>(on, n),
                                .longs = zeros_of<std::uint64_t>(on, n),
                                .floats = zeros_of<float>(on, n),
                                .sums = zeros_of<double>(on, n),
                                .least = zeros_of<double>(on, n),
                                .most = zeros_of<double>(on, n),
                                .least_long = zeros_of<std::int64_t>(on, n)};
  conformance::launch_tally(*on.device, on.stream, items, to);
  std::vector<std::int64_t> sums(n), all(n), least(n), most(n);
  for (std::int64_t i = 0; i < items; ++i) {
    const auto of = static_cast<std::size_t>(i % n);
    const std::int64_t value = i % 2 == 0 ? i : -i;
    sums[of] += value;
    all[of] += i;
    least[of] = std::min(least[of], value);
    most[of] = std::max(most[of], value);
  }
  CHECK(taken_from(on, to.floats) == std::vector<float>(n, items / n / 2.0F));
  const auto ints = taken_from(on, to.ints);
  const auto longs = taken_from(on, to.longs);
  const auto added = taken_from(on, to.sums), lowest = taken_from(on, to.least),
             highest = taken_from(on, to.most);
  const auto lowest_long = taken_from(on, to.least_long);
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(ints[i] == sums[i]);
    CHECK(longs[i] == static_cast<std::uint64_t>(all[i]) << 32);
    CHECK(added[i] == static_cast<double>(sums[i]));
    CHECK(lowest[i] == static_cast<double>(least[i]));
    CHECK(highest[i] == static_cast<double>(most[i]));
    CHECK(lowest_long[i] == least[i] << 32);
  }
}
