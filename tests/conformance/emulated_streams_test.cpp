#include "device_kernels.hpp"
#include "emulated_fixture.hpp"

#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/clock.hpp>
#include <yoke/error.hpp>

// What the emulated device does beyond the conformance suite.

namespace {

using Catch::Matchers::Contains;
using conformance::fixture;
using conformance::launch_body;
using yoke::copy_kind;
using yoke::device_ptr;

}  // namespace

TEST_CASE("a capture refuses what a graph cannot hold and wrong nesting", "[emulated]") {
  const fixture on;
  const yoke::event_handle event = on.device->create_event();
  CHECK_THROWS_WITH(on.device->end_capture(on.stream), Contains("not recording a graph"));
  on.device->begin_capture(on.stream);
  CHECK_THROWS_WITH(on.device->begin_capture(on.stream), Contains("already"));
  CHECK_THROWS_WITH(on.device->record(event, on.stream), Contains("copies and launches only"));
  CHECK_THROWS_WITH(on.device->wait(on.stream, event), Contains("copies and launches only"));
  CHECK_THROWS_WITH(on.device->synchronize(on.stream), Contains("recording a graph"));
  on.device->destroy_graph(on.device->end_capture(on.stream));
  on.device->record(event, on.stream);
  on.device->destroy_event(event);
}

TEST_CASE("a null stream, event or graph is refused with what makes one", "[emulated]") {
  const fixture on;
  yoke::device& dev = *on.device;
  const yoke::event_handle event = dev.create_event();
  const char* stream = "the stream is null: make one with create_stream";
  CHECK_THROWS_WITH(dev.synchronize(yoke::stream_handle{}), Contains(stream));
  CHECK_THROWS_WITH(dev.record(event, {}), Contains(stream));
  const char* made = "the event is null: make one with create_event";
  CHECK_THROWS_WITH(dev.record({}, on.stream), Contains(made));
  CHECK_THROWS_WITH(dev.wait(on.stream, {}), Contains(made));
  CHECK_THROWS_WITH(dev.synchronize(yoke::event_handle{}), Contains(made));
  CHECK_THROWS_WITH(dev.is_done({}), Contains(made));
  CHECK_THROWS_WITH(dev.seconds_between({}, event), Contains(made));
  CHECK_THROWS_WITH(dev.seconds_between(event, {}), Contains(made));
  CHECK_THROWS_WITH(dev.replay({}, on.stream), Contains("the graph is null: make one with end_capture"));
  CHECK_THROWS_AS(dev.replay({}, on.stream), yoke::device_error);
  dev.destroy_event({});
  dev.destroy_graph({});
  dev.record(event, on.stream);
  dev.synchronize(event);
  dev.destroy_event(event);
}

TEST_CASE("statistics count bytes by direction, calls and replays", "[emulated]") {
  const fixture on;
  double* x = on.make(2);
  double host[2] = {1, 2};
  on.device->copy(on.stream, x, host, 16, copy_kind::host_to_device);
  on.device->begin_capture(on.stream);
  on.device->copy(on.stream, x + 1, x, 8, copy_kind::device_to_device);
  conformance::launch_add(*on.device, on.stream, {2, 1}, device_ptr{x}, 2, 1);
  const yoke::graph_handle graph = on.device->end_capture(on.stream);
  on.device->replay(graph, on.stream);
  on.device->replay(graph, on.stream);
  on.device->copy(on.stream, host, x, 8, copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  const auto counted = on.device->statistics();
  CHECK(counted.bytes_to_device == 16);
  CHECK(counted.bytes_inside == 16);
  CHECK(counted.bytes_to_host == 8);
  CHECK(counted.copies == 4);
  CHECK(counted.launches == 2);
  CHECK(counted.replays == 2);
  CHECK(counted.allocations == 1);
  CHECK(counted.bytes_allocated == 256);
  on.device->destroy_graph(graph);
}

TEST_CASE("a slowdown of X makes a kernel take at least X times its own time", "[emulated]") {
  const fixture on{{.memory = 1 << 20, .slowdown = 20}};
  const yoke::event_handle from = on.device->create_timed_event(), to = on.device->create_timed_event();
  yoke::seconds own = 0;
  const auto body = [&own] {
    const yoke::ticks begin = yoke::now();
    for (int i = 0; i < 20; ++i) std::this_thread::yield();
    own = yoke::elapsed(begin, yoke::now());
  };
  for (int round = 0; round < 30; ++round) {  // some of them undisturbed
    on.device->record(from, on.stream);
    launch_body(*on.device, on.stream, body);
    on.device->record(to, on.stream);
    on.device->synchronize(on.stream);
    CHECK(own > 0);
    CHECK(on.device->seconds_between(from, to) >= 19.9 * own);  // never less, however busy the machine is
  }
  on.device->destroy_event(from);
  on.device->destroy_event(to);
}

TEST_CASE("a stream's thread may run on every CPU that the program was given", "[emulated]") {
  const fixture on;
  std::vector<int> cpus;
  const auto body = [&cpus] { cpus = yoke::affinity_of_this_thread(); };
  launch_body(*on.device, on.stream, body);
  on.device->synchronize(on.stream);
  CHECK(cpus == yoke::allowed_cpus_at_start());
}
