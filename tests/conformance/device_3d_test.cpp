#include "bench.hpp"
#include "device_kernels.hpp"

#include <cstdint>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>

// Kernels of items in three dimensions.

namespace {

using conformance::bench;
using yoke::device_ptr;
using yoke::extent_3d;

std::size_t count(const extent_3d& items) { return static_cast<std::size_t>(items.x * items.y * items.z); }

}  // namespace

TEST_CASE("an item knows its place in three dimensions, whatever part of a block it fills", "[device][3d]") {
  bench on;
  const extent_3d items = GENERATE(extent_3d{1, 1, 1}, extent_3d{8, 4, 2}, extent_3d{7, 5, 3},
                                   extent_3d{9, 3, 5}, extent_3d{130, 1, 2}, extent_3d{1, 130, 67});
  double* x = on.holding(std::vector<double>(count(items), 0));
  conformance::launch_number_3d(*on.device, on.stream, items, device_ptr{x});
  std::vector<double> expected;
  for (std::int64_t k = 0; k < items.z; ++k)
    for (std::int64_t j = 0; j < items.y; ++j)
      for (std::int64_t i = 0; i < items.x; ++i)
        expected.push_back(1e6 * static_cast<double>(k) + 1e3 * static_cast<double>(j) +
                           static_cast<double>(i));
  CHECK(on.read(x, expected.size()) == expected);
  on.device->deallocate(x);
}

TEST_CASE("items of three dimensions have no limit of rows or planes, and each is run once", "[device][3d]") {
  bench on;
  const extent_3d items = GENERATE(extent_3d{1, 65536, 1}, extent_3d{2, 1, 65536}, extent_3d{1, 70000, 2},
                                   extent_3d{1, 3, 140000}, extent_3d{1030, 1027, 1}, extent_3d{129, 67, 131},
                                   extent_3d{1, 524290, 2}, extent_3d{(1 << 20) + 65, 1, 1});
  double* x = on.holding(std::vector<double>(count(items), 0));
  conformance::launch_count_3d(*on.device, on.stream, items, device_ptr{x});
  CHECK(on.read(x, count(items)) == std::vector<double>(count(items), 1));
  conformance::launch_number_3d(*on.device, on.stream, items, device_ptr{x});
  const std::vector<double> found = on.read(x, count(items));
  const auto last = [](std::int64_t n) { return static_cast<double>(n - 1); };
  CHECK(found.back() == 1 + 1e6 * last(items.z) + 1e3 * last(items.y) + last(items.x));
  on.device->deallocate(x);
}

TEST_CASE("items at the beginning of each row may be left out", "[device][3d]") {
  bench on;
  const std::int64_t left_out = GENERATE(1, 15, 130);
  const extent_3d items =
      GENERATE(extent_3d{131, 1, 1}, extent_3d{140, 3, 2}, extent_3d{200, 9, 3}, extent_3d{1030, 1027, 1},
               extent_3d{131, 67, 131}, extent_3d{(1 << 20) + 65, 1, 1});
  double* x = on.holding(std::vector<double>(count(items), 0));
  conformance::launch_count_behind(*on.device, on.stream, items, left_out, device_ptr{x});
  const std::vector<double> found = on.read(x, count(items));
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool runs = static_cast<std::int64_t>(i) % items.x >= left_out;
    wrong += found[i] != (runs ? 1 : 0) ? 1 : 0;
  }
  CHECK(wrong == 0);
  on.device->deallocate(x);
}

TEST_CASE("an empty extent in three dimensions launches nothing", "[device][3d]") {
  bench on;
  double* x = on.holding({7});
  for (const extent_3d nothing :
       {extent_3d{0, 1, 1}, extent_3d{1, 0, 1}, extent_3d{1, 1, 0}, extent_3d{1, -1, 1}})
    conformance::launch_count_3d(*on.device, on.stream, nothing, device_ptr{x});
  CHECK(on.read(x, 1) == std::vector<double>{7});
  on.device->deallocate(x);
}

TEST_CASE("a graph keeps a launch in three dimensions", "[device][3d]") {
  bench on;
  const extent_3d items{5, 3, 70000};
  double* x = on.holding(std::vector<double>(count(items), 0));
  on.device->begin_capture(on.stream);
  conformance::launch_count_3d(*on.device, on.stream, items, device_ptr{x});
  const yoke::graph_handle graph = on.device->end_capture(on.stream);
  on.device->replay(graph, on.stream);
  on.device->replay(graph, on.stream);
  CHECK(on.read(x, count(items)) == std::vector<double>(count(items), 2));
  on.device->destroy_graph(graph);
  on.device->deallocate(x);
}

TEST_CASE("too many items along x are refused with kernel, shape and limit", "[device][3d]") {
  bench on;
  using Catch::Matchers::Contains;
  const std::int64_t many = (std::int64_t{1} << 31) * 1024;
  CHECK_THROWS_WITH(conformance::launch_count_3d(*on.device, on.stream, {many, 2, 3}, device_ptr<double>{}),
                    Contains(on.name()) &&
                        Contains("'count_3d' over 2199023255552 x 2 x 3 items in blocks of 128 x 1 x 1") &&
                        Contains("at most 2147483647 blocks along x") && !Contains("rows"));
}
