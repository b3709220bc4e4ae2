#include "device_kernels.hpp"

#include "bench.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

#include <yoke/error.hpp>

// Every device passes this suite; a new backend joins it by being in the list of backends.

namespace {

using conformance::bench;
using conformance::blocker;
using yoke::copy_kind;
using yoke::device_ptr;

}  // namespace

TEST_CASE("a kernel runs once for every item of its extent and for no other", "[device]") {
  bench on;
  const auto [nx, ny] = GENERATE(std::pair{1, 1}, std::pair{127, 3}, std::pair{128, 2}, std::pair{129, 5});
  const std::int64_t pitch = nx + 2;
  const auto n = static_cast<std::size_t>(pitch * ny);
  double* x = on.holding(std::vector<double>(n, 0));
  conformance::launch_add(*on.device, on.stream, {nx, ny}, device_ptr{x}, pitch, 1);
  std::vector<double> expected(n, 0);
  for (std::int64_t i = 0; i < pitch * ny; ++i)
    expected[static_cast<std::size_t>(i)] = i % pitch < nx ? 1 : 0;
  CHECK(on.read(x, n) == expected);
  on.device->deallocate(x);
}

TEST_CASE("an empty extent launches nothing", "[device]") {
  bench on;
  double* x = on.holding({7});
  conformance::launch_add(*on.device, on.stream, {0, 1}, device_ptr{x}, 1, 1);
  conformance::launch_add(*on.device, on.stream, {1, 0}, device_ptr{x}, 1, 1);
  CHECK(on.read(x, 1) == std::vector<double>{7});
  on.device->deallocate(x);
}

TEST_CASE("a kernel follows device pointers that a table in device memory holds", "[device]") {
  bench on;
  double* even = on.make(3);
  double* odd = on.make(3);
  const std::vector<device_ptr<double>> rows{device_ptr{even}, device_ptr{odd}};
  const std::size_t bytes = rows.size() * sizeof rows[0];
  auto* table = static_cast<device_ptr<double>*>(on.device->allocate(bytes));
  on.device->copy(on.stream, table, rows.data(), bytes, copy_kind::host_to_device);
  conformance::launch_number_rows(*on.device, on.stream, {3, 2},
                                  device_ptr<const device_ptr<double>>{device_ptr{table}});
  CHECK(on.read(even, 3) == std::vector<double>{0, 1, 2});
  CHECK(on.read(odd, 3) == std::vector<double>{10, 11, 12});
  for (void* address : {static_cast<void*>(even), static_cast<void*>(odd), static_cast<void*>(table)}) {
    on.device->deallocate(address);
  }
}

TEST_CASE("arguments reach a kernel with their alignment, and their copy outlives the launch", "[device]") {
  bench on;
  double* x = on.make(2);
  {
    blocker hold{*on.device, on.stream};
    conformance::launch_sum_lanes(*on.device, on.stream, {2, 1}, device_ptr{x}, {{1, 2, 3, 4, 5, 6, 7, 8}});
  }
  CHECK(on.read(x, 2) == std::vector<double>{36, 36});
  on.device->deallocate(x);
}

TEST_CASE("a reciprocal has the bits of a division, up to the ends of its range", "[device]") {
  bench on;
  std::vector<double> x{0x1p-1022, -0x1p-1022, 0x1.fffffffffffffp1020, 1, 0x1.fffffffffffffp0, 3};
  std::mt19937_64 random{20261121};
  std::uniform_real_distribution<double> mantissa{1, 2};
  std::uniform_int_distribution<int> exponent{-1022, 1020};
  while (x.size() < 200'000) x.push_back(std::ldexp(mantissa(random), x.size() % 2 ? exponent(random) : 0));
  double* y = on.holding(x);
  conformance::launch_invert(*on.device, on.stream, {static_cast<std::int64_t>(x.size())}, device_ptr{y});
  const std::vector<double> inverse = on.read(y, x.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < x.size(); ++i) different += inverse[i] != 1.0 / x[i];
  CHECK(different == 0);
  on.device->deallocate(y);
}

TEST_CASE("quotients and roots have the bits of the host's", "[device]") {
  bench on;
  std::vector<double> x{1, 3, 0.4, 1}, y{3, 3, 0x1.fffffffffffffp0, 0x1p-970};
  std::mt19937_64 random{20261122};
  std::uniform_real_distribution<double> mantissa{1, 2};
  std::uniform_int_distribution<int> exponent{-400, 400};
  while (x.size() < 200'000) {
    x.push_back(std::ldexp(mantissa(random), exponent(random)));
    y.push_back(std::ldexp(mantissa(random), exponent(random)));
  }
  double *quotients = on.holding(x), *roots = on.holding(y);
  conformance::launch_divide_and_root(*on.device, on.stream, {static_cast<std::int64_t>(x.size())},
                                      device_ptr{quotients}, device_ptr{roots});
  const std::vector<double> quotient = on.read(quotients, x.size()), root = on.read(roots, y.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    different += quotient[i] != x[i] / y[i];
    different += root[i] != std::sqrt(y[i]);
  }
  CHECK(different == 0);
  on.device->deallocate(quotients);
  on.device->deallocate(roots);
}

TEST_CASE("a launch of a shape that a GPU cannot run is refused with kernel and limit", "[device]") {
  bench on;
  using Catch::Matchers::Contains;
  constexpr std::int64_t rows = 65535, blocks = (std::int64_t{1} << 31) - 1;
  double* x = on.holding(std::vector<double>(rows + 1, 0));
  const auto add = [&](yoke::extent items) {
    conformance::launch_add(*on.device, on.stream, items, device_ptr{x}, 1, 1);
  };
  const auto sum = [&](yoke::extent of) {
    conformance::launch_block_sums(*on.device, on.stream, of, device_ptr<const double>{x}, device_ptr{x}, 1);
  };
  const auto is_refused = [&](const auto& launch, yoke::extent of, const char* kernel, std::int64_t limit) {
    CHECK_THROWS_WITH(launch(of), Contains(on.name()) && Contains(kernel) && Contains(std::to_string(limit)));
  };
  is_refused(add, {1, rows + 1}, "'add'", rows);
  is_refused(sum, {1, rows + 1}, "'block_sums'", rows);
  is_refused(sum, {blocks + 1, 1}, "'block_sums'", blocks);
  is_refused(add, {(blocks + 1) * 1024, 1}, "'add'", blocks);
  CHECK_THROWS_AS(add({1, rows + 1}), yoke::device_error);
  add({1, rows});
  std::vector<double> expected(rows, 1);
  expected.push_back(0);
  CHECK(on.read(x, rows + 1) == expected);
  on.device->deallocate(x);
}

TEST_CASE("a call that cannot work is a device error that names the device", "[device]") {
  bench on;
  double* x = on.holding({1});
  const yoke::kernel_call nothing{.name = "nothing", .items = {.x = 1}};
  const auto names_device = Catch::Matchers::Contains(on.name());
  CHECK_THROWS_WITH(on.device->launch(on.stream, nothing),
                    names_device && Catch::Matchers::Contains("nothing"));
  CHECK_THROWS_AS(on.device->launch(on.stream, nothing), yoke::device_error);
  CHECK(on.read(x, 1) == std::vector<double>{1});
  on.device->deallocate(x);
}
