#include "emulated_fixture.hpp"

#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>
#include <vector>

#include <yoke/backends.hpp>
#include <yoke/clock.hpp>
#include <yoke/device_arena.hpp>
#include <yoke/error.hpp>

// Slices of an emulated device, and several memory spaces on one.

using Catch::Matchers::Contains;
using conformance::launch_body;

namespace {

using devices = std::vector<std::unique_ptr<yoke::device>>;

std::vector<yoke::device_request> requests_of(const std::string& list) {
  return yoke::parse_device_list({list, "test"}).requests;
}

devices slices_of(yoke::device& whole, const std::string& list) {
  return yoke::find_backend("emulated")->split(whole, requests_of(list));
}

std::string refusal(const std::string& list, int processors) {
  const auto whole = yoke::make_emulated_device(0, {.memory = 1 << 20, .processors = processors});
  return support::message_of([&] { (void)slices_of(*whole, list); });
}

/// By the clock of the device, from before to behind `work`, which queues on the stream.
template <class Work>
yoke::seconds time_of(yoke::device& dev, yoke::stream_handle stream, const Work& work) {
  const yoke::event_handle from = dev.create_timed_event(), to = dev.create_timed_event();
  dev.record(from, stream);
  work();
  dev.record(to, stream);
  dev.synchronize(stream);
  const yoke::seconds time = dev.seconds_between(from, to);
  dev.destroy_event(from);
  dev.destroy_event(to);
  return time;
}

/// A kernel's body that tells how long it took itself.
auto telling(yoke::seconds& own) {
  return [&own] {
    const yoke::ticks begin = yoke::now();
    for (int i = 0; i < 20; ++i) std::this_thread::yield();
    own = yoke::elapsed(begin, yoke::now());
  };
}

}  // namespace

TEST_CASE("slices of an emulated device have its processors between them", "[emulated][slices]") {
  const auto whole = yoke::make_emulated_device(0, {.memory = 1 << 20, .processors = 13});
  const devices quarters = slices_of(*whole, "emulated:1/4");
  REQUIRE(quarters.size() == 4);
  for (const auto& each : quarters) CHECK(each->info().processors == 3);
  CHECK(quarters[2]->info().name == "emulated:0/4:2");
  CHECK(quarters[2]->info().share == Approx(3.0 / 13));
  const devices one = slices_of(*whole, "emulated:1@8");
  CHECK(one.front()->info().processors == 8);
  CHECK(one.front()->info().name == "emulated:0@8");
}

TEST_CASE("a device whose processors nobody knows is split in any number of equal parts",
          "[emulated][slices]") {
  const auto whole = yoke::make_emulated_device(0, {.memory = 1 << 20});
  for (const auto& each : slices_of(*whole, "emulated:1/5")) {
    CHECK(each->info().processors == 1);
    CHECK(each->info().share == Approx(0.2));
  }
}

TEST_CASE("slices that an emulated device cannot give are refused with what it can", "[emulated][slices]") {
  CHECK_THAT(refusal("emulated:1/5", 4), Contains("emulated:0/5:0: emulated:0 has 4 processors") &&
                                             Contains("up to 4 equal slices, or slices of 4 in all"));
  CHECK_THAT(refusal("emulated:1@1000", 4), Contains("emulated:0@1000: emulated:0 has 4 processors"));
  CHECK_THAT(refusal("emulated:1@2", 1), Contains("emulated:0 has 1 processor:"));
}

TEST_CASE("a kernel of a slice takes as much longer as the slice is less than the whole",
          "[emulated][slices]") {
  const auto whole = yoke::make_emulated_device(0, {.memory = 1 << 20});
  const devices slices = slices_of(*whole, "emulated:1/8:3");
  const yoke::stream_handle stream = slices.front()->create_stream(), other = whole->create_stream();
  yoke::seconds own = 0;
  const auto body = telling(own);
  const auto check_slow = [&](yoke::device& dev, yoke::stream_handle on, const auto& work) {
    own = 0;
    const yoke::seconds time = time_of(dev, on, work);
    CHECK(own > 0);
    CHECK(time >= 7.99 * own);  // never less, however busy the machine is
  };
  check_slow(*whole, stream, [&] { launch_body(*whole, stream, body); });
  check_slow(*slices.front(), stream, [&] { launch_body(*slices.front(), stream, body); });

  slices.front()->begin_capture(stream);
  launch_body(*slices.front(), stream, body);
  const yoke::graph_handle graph = slices.front()->end_capture(stream);
  check_slow(*whole, other, [&] { whole->replay(graph, other); });
  whole->destroy_graph(graph);
  slices.front()->destroy_stream(stream);
  whole->destroy_stream(other);
}

TEST_CASE("each memory space on a device has an equal part of its memory and no more", "[emulated][spaces]") {
  const std::shared_ptr<yoke::device> whole = yoke::make_emulated_device(0, {.memory = 1 << 20});
  const auto requests = requests_of("emulated:1*2");
  REQUIRE(requests.size() == 2);
  yoke::device_arena first{whole, requests[0]}, second{whole, requests[1]};
  CHECK(first.info().name == "emulated:0*2:0");
  CHECK(first.info().memory == 1u << 19);
  CHECK(first.allocate((1 << 19) + 1) == nullptr);
  void* const all = first.allocate(1 << 19);
  REQUIRE(all != nullptr);
  CHECK(first.memory_free() == 0);
  CHECK(first.allocate(1) == nullptr);
  CHECK(second.memory_free() == 1u << 19);
  void* const other = second.allocate(1 << 18);
  REQUIRE(other != nullptr);
  CHECK(second.memory_free() == 1u << 18);
  first.deallocate(all);
  second.deallocate(other);
  CHECK(first.memory_free() == 1u << 19);
  CHECK(second.memory_free() == 1u << 19);
}
