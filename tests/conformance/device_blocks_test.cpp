#include "bench.hpp"
#include "device_kernels.hpp"

#include <numeric>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>

// Every device passes this suite; a new backend joins it by being in the list of backends.

namespace {

using conformance::bench;
using conformance::counting;
using yoke::device_ptr;

}  // namespace

TEST_CASE("the threads of a block add through shared memory, phase after phase", "[device]") {
  bench on;
  const int n = GENERATE(1, 63, 64, 65, 1000);  // fewer and more than threads
  const yoke::extent blocks = {.x = 7, .y = 3};
  const auto n_blocks = static_cast<std::size_t>(blocks.x * blocks.y);
  const auto values = counting(n_blocks * static_cast<std::size_t>(n));
  double* x = on.holding(values);
  double* sums = on.holding(std::vector<double>(n_blocks, 0));
  conformance::launch_block_sums(*on.device, on.stream, blocks, device_ptr<const double>{x}, device_ptr{sums},
                                 n);
  std::vector<double> expected;
  for (std::size_t b = 0; b < n_blocks; ++b)
    expected.push_back(std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(b) * n,
                                       values.begin() + static_cast<std::ptrdiff_t>(b + 1) * n, 0.0));
  CHECK(on.read(sums, n_blocks) == expected);
  on.device->deallocate(x);
  on.device->deallocate(sums);
}

TEST_CASE("copies to shared memory that were waited for are there, while younger ones are under way",
          "[device]") {
  bench on;
  const int rows = GENERATE(1, 2, 3, 17);
  constexpr auto n = static_cast<std::size_t>(conformance::sum_threads);
  const auto values = counting(n * static_cast<std::size_t>(rows));
  double* x = on.holding(values);
  double* sums = on.make(n);
  conformance::launch_sum_rows(*on.device, on.stream, device_ptr<const double>{x}, rows, device_ptr{sums});
  std::vector<double> expected(n, 0);
  for (std::size_t i = 0; i < values.size(); ++i) expected[(i + n - 1) % n] += values[i];
  CHECK(on.read(sums, n) == expected);
  on.device->deallocate(x);
  on.device->deallocate(sums);
}

TEST_CASE("a thread of a block keeps a value from phase to phase and gets its neighbour's", "[device]") {
  bench on;
  double* x = on.make(conformance::pass_on_threads);
  conformance::launch_pass_on(*on.device, on.stream, device_ptr{x});
  std::vector<double> expected;
  for (int t = 0; t < conformance::pass_on_threads; ++t)
    expected.push_back(100 * (t + 1) + (t + 1) % conformance::pass_on_threads);
  CHECK(on.read(x, expected.size()) == expected);
  on.device->deallocate(x);
}

TEST_CASE("a block has all the shared memory that its device promises, and a graph keeps it", "[device]") {
  bench on;
  const std::size_t most = on.device->info().shared_memory;
  CHECK(most >= std::size_t{48} << 10);
  CHECK(on.device->info().shared_memory_of_processor >= most);
  double* x = on.holding({0});
  conformance::launch_use_shared(*on.device, on.stream, most, device_ptr{x});
  CHECK(on.read(x, 1) == std::vector<double>{5});
  const std::vector<double> zero{0};  // until the copy has run
  on.write(x, zero);
  on.device->begin_capture(on.stream);
  conformance::launch_use_shared(*on.device, on.stream, most, device_ptr{x});
  const yoke::graph_handle graph = on.device->end_capture(on.stream);
  on.device->replay(graph, on.stream);
  CHECK(on.read(x, 1) == std::vector<double>{5});
  on.device->destroy_graph(graph);
  on.device->deallocate(x);
}

TEST_CASE("a block that asks for more shared memory is refused with kernel, bytes and limit", "[device]") {
  bench on;
  const std::size_t most = on.device->info().shared_memory;
  double* x = on.holding({1});
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(conformance::launch_use_shared(*on.device, on.stream, most + 8, device_ptr{x}),
                    Contains(on.name()) && Contains("'use_shared'") && Contains(std::to_string(most + 8)) &&
                        Contains(std::to_string(most)));
  CHECK_THROWS_AS(conformance::launch_use_shared(*on.device, on.stream, most + 8, device_ptr{x}),
                  yoke::device_error);
  CHECK(on.read(x, 1) == std::vector<double>{1});
  on.device->deallocate(x);
}

TEST_CASE("a block that waits for the one before it sees all that it has written", "[device]") {
  bench on;
  constexpr int blocks = 2000, threads = conformance::follow_threads;  // more than run at once
  double* x = on.make(blocks * threads);
  const std::size_t bytes = (blocks + 1) * sizeof(int);
  auto* counters = static_cast<int*>(on.device->allocate(bytes));
  const std::vector<int> zeros(blocks + 1, 0);
  on.device->copy(on.stream, counters, zeros.data(), bytes, yoke::copy_kind::host_to_device);
  conformance::launch_follow(*on.device, on.stream, blocks, device_ptr{counters}, device_ptr{x});
  std::vector<double> expected;
  for (int n = 0; n < blocks; ++n)
    for (int t = 0; t < threads; ++t) expected.push_back((n + t) % threads + n);
  CHECK(on.read(x, expected.size()) == expected);
  on.device->deallocate(counters);
  on.device->deallocate(x);
}

TEST_CASE("an empty extent of blocks launches nothing", "[device]") {
  bench on;
  double* sums = on.holding({7});
  conformance::launch_block_sums(*on.device, on.stream, {0, 1}, {}, device_ptr{sums}, 1);
  conformance::launch_block_sums(*on.device, on.stream, {1, 0}, {}, device_ptr{sums}, 1);
  CHECK(on.read(sums, 1) == std::vector<double>{7});
  on.device->deallocate(sums);
}
