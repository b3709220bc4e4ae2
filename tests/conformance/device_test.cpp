#include "device_kernels.hpp"
#include "devices.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>

// Every device passes this suite; a new backend joins it by being in the list of backends.

namespace {

using conformance::blocker;
using yoke::copy_kind;
using yoke::device_ptr;

/// A device with a stream, and helpers that move doubles.
struct bench {
  std::unique_ptr<yoke::device> device;
  yoke::stream_handle stream;

  bench() : device{conformance::open_device(GENERATE(from_range(conformance::usable_backends())))} {
    stream = device->create_stream();
  }
  ~bench() { device->destroy_stream(stream); }

  double* make(std::size_t n) const {
    void* address = device->allocate(n * sizeof(double));
    REQUIRE(address != nullptr);
    return static_cast<double*>(address);
  }
  double* holding(const std::vector<double>& values) const {
    double* address = make(values.size());
    write(address, values);
    device->synchronize(stream);
    return address;
  }
  void write(double* to, const std::vector<double>& values) const {
    device->copy(stream, to, values.data(), values.size() * sizeof(double), copy_kind::host_to_device);
  }
  std::vector<double> read(const double* from, std::size_t n) const {
    std::vector<double> values(n, -1);
    device->copy(stream, values.data(), from, n * sizeof(double), copy_kind::device_to_host);
    device->synchronize(stream);
    return values;
  }
};

std::vector<double> counting(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace

TEST_CASE("allocations are aligned to 256 bytes and do not overlap", "[device]") {
  bench on;
  std::map<std::uintptr_t, std::size_t> bytes_at;
  for (std::size_t bytes : {1u, 255u, 256u, 257u, 100000u, 300u, 513u}) {
    void* const address = on.device->allocate(bytes);
    REQUIRE(address != nullptr);
    bytes_at[reinterpret_cast<std::uintptr_t>(address)] = bytes;
  }
  CHECK(bytes_at.size() == 7);
  std::uintptr_t free_from = 0;
  for (const auto& [address, bytes] : bytes_at) {
    CHECK(address % 256 == 0);
    CHECK(address >= free_from);
    free_from = address + bytes;
  }
  for (const auto& [address, bytes] : bytes_at) on.device->deallocate(reinterpret_cast<void*>(address));
}

TEST_CASE("an allocation that does not fit gives nullptr and the device stays usable", "[device]") {
  bench on;
  CHECK(on.device->info().memory > 0);
  CHECK(on.device->allocate(on.device->info().memory + 1) == nullptr);
  CHECK(on.device->memory_free() > 0);
  double* x = on.holding({1, 2, 3});
  CHECK(on.read(x, 3) == std::vector<double>{1, 2, 3});
  on.device->deallocate(x);
}

TEST_CASE("copies to, from and inside a device keep every byte", "[device]") {
  bench on;
  const auto values = counting(100003);
  double* x = on.holding(values);
  double* y = on.make(values.size());
  on.device->copy(on.stream, y, x, values.size() * sizeof(double), copy_kind::device_to_device);
  CHECK(on.read(y, values.size()) == values);
  CHECK(on.read(x + 100000, 3) == std::vector<double>{100001, 100002, 100003});
  on.device->deallocate(x);
  on.device->deallocate(y);
}

TEST_CASE("pinned memory is copied from and to", "[device]") {
  bench on;
  auto* pinned = static_cast<double*>(on.device->allocate_pinned(2 * sizeof(double)));
  REQUIRE(pinned != nullptr);
  pinned[0] = 3;
  double* x = on.holding({0});
  on.device->copy(on.stream, x, pinned, sizeof(double), copy_kind::host_to_device);
  on.device->copy(on.stream, pinned + 1, x, sizeof(double), copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(pinned[1] == 3);
  on.device->deallocate_pinned(pinned);
  on.device->deallocate(x);
}

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
                    Contains(on.device->info().name) && Contains("'use_shared'") &&
                        Contains(std::to_string(most + 8)) && Contains(std::to_string(most)));
  CHECK_THROWS_AS(conformance::launch_use_shared(*on.device, on.stream, most + 8, device_ptr{x}),
                  yoke::device_error);
  CHECK(on.read(x, 1) == std::vector<double>{1});
  on.device->deallocate(x);
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
    CHECK_THROWS_WITH(
        launch(of), Contains(on.device->info().name) && Contains(kernel) && Contains(std::to_string(limit)));
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

TEST_CASE("a stream runs in order and the caller does not wait for it", "[device]") {
  bench on;
  double* x = on.holding({1});
  blocker hold{*on.device, on.stream};
  for (int i = 0; i < 10; ++i) {
    conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 1);
  }
  yoke::event behind{*on.device, on.stream};
  CHECK_FALSE(behind.done());
  hold.release();
  behind.wait();
  CHECK(behind.done());
  CHECK(on.read(x, 1) == std::vector<double>{11});
  on.device->deallocate(x);
}

TEST_CASE("streams run beside each other, and one waits for an event of another when told to", "[device]") {
  bench on;
  const bool is_urgent = GENERATE(false, true);
  const yoke::stream_handle other =
      is_urgent ? on.device->create_urgent_stream() : on.device->create_stream();
  double* x = on.holding({1});
  double* y = on.holding({0});
  blocker hold{*on.device, on.stream};
  conformance::launch_add(*on.device, other, {1, 1}, device_ptr{y}, 1, 5);
  on.device->synchronize(other);  // does not wait for the blocked stream
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 1);
  const yoke::event_handle ready = on.device->create_event();
  on.device->record(ready, on.stream);
  on.device->wait(other, ready);
  on.device->copy(other, y, x, sizeof(double), copy_kind::device_to_device);
  yoke::event copied{*on.device, other};
  CHECK_FALSE(copied.done());
  hold.release();
  copied.wait();
  CHECK(on.read(y, 1) == std::vector<double>{2});
  on.device->destroy_event(ready);
  on.device->destroy_stream(other);
  on.device->deallocate(x);
  on.device->deallocate(y);
}

TEST_CASE("waiting for an event that was never recorded waits for nothing", "[device]") {
  bench on;
  const yoke::event_handle never = on.device->create_event();
  CHECK(on.device->is_done(never));
  on.device->synchronize(never);
  on.device->wait(on.stream, never);
  on.device->synchronize(on.stream);
  on.device->destroy_event(never);
}

TEST_CASE("timed events tell how long the stream took from one to the other", "[device]") {
  bench on;
  const yoke::event_handle from = on.device->create_timed_event(), to = on.device->create_timed_event();
  const yoke::ticks before_from = yoke::now();
  on.device->record(from, on.stream);
  on.device->synchronize(from);
  const yoke::ticks after_from = yoke::now();
  blocker hold{*on.device, on.stream};
  on.device->record(to, on.stream);
  CHECK_THROWS_AS(on.device->seconds_between(from, to), yoke::device_error);
  for (int i = 0; i < 20'000; ++i) std::this_thread::yield();
  const yoke::ticks before_to = yoke::now();
  hold.release();
  on.device->synchronize(on.stream);
  // Each event lies between two readings of the host's clock; a GPU's own is a little coarse.
  constexpr yoke::seconds coarse = 5e-6;
  const yoke::seconds found = on.device->seconds_between(from, to);
  CHECK(found >= 0.999 * yoke::elapsed(after_from, before_to) - coarse);
  CHECK(found <= 1.001 * yoke::elapsed(before_from, yoke::now()) + coarse);
  CHECK(on.device->seconds_between(from, from) == 0);
  on.device->destroy_event(from);
  on.device->destroy_event(to);
}

TEST_CASE("synchronizing a device waits for all its streams", "[device]") {
  bench on;
  const yoke::stream_handle other = on.device->create_stream();
  double* x = on.holding({0, 0});
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 1);
  conformance::launch_add(*on.device, other, {1, 1}, device_ptr{x + 1}, 1, 2);
  yoke::event first{*on.device, on.stream};
  yoke::event second{*on.device, other};
  on.device->synchronize();
  CHECK(first.done());
  CHECK(second.done());
  CHECK(on.read(x, 2) == std::vector<double>{1, 2});
  on.device->destroy_stream(other);
  on.device->deallocate(x);
}

TEST_CASE("a capture runs nothing, and each replay runs all of it", "[device]") {
  bench on;
  double* x = on.holding({1});
  double* y = on.holding({0});
  on.device->begin_capture(on.stream);
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 2);
  on.device->copy(on.stream, y, x, sizeof(double), copy_kind::device_to_device);
  const yoke::graph_handle graph = on.device->end_capture(on.stream);
  CHECK(on.read(x, 1) == std::vector<double>{1});
  for (int i = 0; i < 3; ++i) on.device->replay(graph, on.stream);
  CHECK(on.read(y, 1) == std::vector<double>{7});
  on.device->destroy_graph(graph);
  CHECK(on.read(x, 1) == std::vector<double>{7});
  on.device->deallocate(x);
  on.device->deallocate(y);
}

TEST_CASE("a call that cannot work is a device error that names the device", "[device]") {
  bench on;
  double* x = on.holding({1});
  const yoke::kernel_call nothing{.name = "nothing", .items = {.x = 1}};
  const auto names_device = Catch::Matchers::Contains(on.device->info().name);
  CHECK_THROWS_WITH(on.device->launch(on.stream, nothing),
                    names_device && Catch::Matchers::Contains("nothing"));
  CHECK_THROWS_AS(on.device->launch(on.stream, nothing), yoke::device_error);
  CHECK(on.read(x, 1) == std::vector<double>{1});
  on.device->deallocate(x);
}
