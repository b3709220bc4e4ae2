#include "bench.hpp"
#include "device_kernels.hpp"

#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>
#include <yoke/event.hpp>

// Every device passes this suite; a new backend joins it by being in the list of backends.

namespace {

using conformance::bench;
using conformance::blocker;
using yoke::copy_kind;
using yoke::device_ptr;

}  // namespace

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
