// What is still running when an object is asked for must neither see nor make wrong bytes.
#include "kernels.hpp"
#include "parts.hpp"

#include <chrono>
#include <future>
#include <optional>
#include <support/catch.hpp>
#include <thread>
#include <utility>

#include <yoke/error.hpp>

namespace {

using kernels::over;
using kernels::value;
using kernels::values;
using spaces::first;
using spaces::parts;
using yoke::host_space;
using yoke::placed;

constexpr std::size_t n_ordered = 100;

/// Unit 0 is a CPU's, 1 and 2 are those of two devices.
struct order_fixture {
  spaces::two_devices devices;
  parts runtime{1, *devices.a, *devices.b};
  values data = values(n_ordered, 1);
  placed<value> x{runtime, std::span{data}};
  placed<value> y{runtime, n_ordered};  ///< zeros
  kernels::gate gate;

  order_fixture() { static_cast<void>(y.host()); }
  /// On the device of unit 1, which then waits at the gate.
  void hold_unit_1() {
    yoke::launch<kernels::wait_at>(*devices.a, runtime.unit(1).stream, {.x = 1}, "wait_at",
                                   kernels::gate_argument{&gate});
  }
  kernels::gate_argument at_gate() const { return {&gate}; }
};

/// In another thread, which is no unit.
template <class Body>
auto meanwhile(const Body& body) {
  return std::async(std::launch::async, body);
}

}  // namespace

TEST_CASE("a move waits for kernels launched with the object, and for nothing behind them", "[placement]") {
  order_fixture on;
  parts::as(1, [&] { yoke::launch_here<kernels::scale>(over(n_ordered), "scale", on.x, 2, 3); });
  on.hold_unit_1();  // whoever waits for the whole stream waits for ever
  CHECK(on.x.host()[n_ordered - 1] == 5);
  on.gate.open();
}

TEST_CASE("a move waits for a kernel that was launched with the object and has not run", "[placement]") {
  for (const bool by_unit_0 : {false, true}) {
    order_fixture on;
    parts::as(1, [&] {
      yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", on.at_gate(), on.x, 2, 3);
    });
    auto moved = meanwhile([&] {
      value seen = 0;
      const auto look = [&] { seen = on.x.host()[n_ordered - 1]; };
      by_unit_0 ? parts::as(0, look) : look();
      return seen;
    });
    CHECK(on.x.where() == first);  // until the gate opens
    on.gate.open();
    CHECK(moved.get() == 5);
  }
}

TEST_CASE("where a plain address was given a move waits for the device", "[placement]") {
  order_fixture on;
  parts::as(1, [&] {
    const yoke::device_ptr<value> here = on.x.here();
    yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", on.at_gate(), here, 2, 3);
  });
  auto moved = meanwhile([&] { return on.x.host()[n_ordered - 1]; });
  CHECK(on.x.where() == first);
  on.gate.open();
  CHECK(moved.get() == 5);
}

TEST_CASE("a unit that has waited for its stream holds nobody up that moves what it was lent",
          "[placement]") {
  order_fixture on;
  parts::as(1, [&] {
    yoke::launch_here<kernels::scale>(over(n_ordered), "scale", on.x.here(), 2, 3);
    on.runtime.finish(1);
  });
  on.hold_unit_1();
  CHECK(on.x.host()[n_ordered - 1] == 5);
  on.gate.open();
}

TEST_CASE("the plain forms of keys wait for kernels launched with the object", "[placement]") {
  for (const int form : {0, 1, 2, 3}) {
    order_fixture on;
    parts::as(1, [&] {
      yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", on.at_gate(), on.x, 2, 3);
    });
    auto asked = meanwhile([&] {
      namespace placement = yoke::placement;
      if (form == 0) placement::migrate(on.x.key(), host_space);
      if (form == 1) placement::migrate_async(on.x.key(), host_space).wait();
      if (form == 2) placement::copy(on.x.key(), first, host_space);
      if (form == 3) placement::copy_async(on.x.key(), first, host_space).wait();
      return on.data[n_ordered - 1];
    });
    CHECK(on.data[n_ordered - 1] == 1);  // until the gate opens
    on.gate.open();
    CAPTURE(form);
    CHECK(asked.get() == 5);
  }
}

TEST_CASE("refilling a copy waits for the kernels that read it", "[placement]") {
  for (const bool plain : {false, true}) {
    order_fixture on;
    parts::as(1, [&] {
      if (plain) {
        yoke::launch_here<kernels::add_behind>(over(n_ordered), "add_behind", on.at_gate(), on.x.read_here(),
                                               on.y);
      } else {
        yoke::launch_here<kernels::add_behind>(over(n_ordered), "add_behind", on.at_gate(),
                                               std::as_const(on.x), on.y);
      }
    });
    for (value& each : on.x.host()) each = 50;
    auto refilled = meanwhile([&] { yoke::prefetch(std::as_const(on.x), yoke::unit_id{1}); });
    on.gate.open();
    refilled.get();
    parts::as(1, [&] { yoke::launch_here<kernels::add>(over(n_ordered), "add", std::as_const(on.x), on.y); });
    CAPTURE(plain);
    const std::span<value> sums = on.y.host();
    CHECK(values(sums.begin(), sums.end()) == values(n_ordered, 1 + 50));
  }
}

TEST_CASE("a copy is filled with what the last kernel wrote, and the next one waits until it is",
          "[placement]") {
  order_fixture on;
  parts::as(1, [&] {
    yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", on.at_gate(), on.x, 2, 3);
  });
  auto sums = meanwhile([&] {
    parts::as(2, [&] { yoke::launch_here<kernels::add>(over(n_ordered), "add", std::as_const(on.x), on.y); });
    parts::as(1, [&] { yoke::launch_here<kernels::scale>(over(n_ordered), "scale", on.x, 100, 0); });
    return on.y.host()[n_ordered - 1];
  });
  on.gate.open();
  CHECK(sums.get() == 5);
  CHECK(on.x.host()[0] == 500);
}

TEST_CASE("writing on the host waits for the copies that are made from there", "[placement]") {
  order_fixture on;
  spaces::held_stream held{*on.devices.a};
  const yoke::event arrived = on.runtime.memory().migrate_async(on.y.key(), first, held.stream());
  yoke::event copied;
  {
    // A copy for reading of x, queued behind what is held.
    on.runtime.memory().alloc(on.x.key(), first);
    copied = on.runtime.memory().copy_async(on.x.key(), host_space, first, held.stream());
  }
  auto written = meanwhile([&] {
    on.x.host()[0] = 9;
    return copied.done();
  });
  held.release();
  CHECK(written.get());
  arrived.wait();
}

TEST_CASE("units that share a device come after one another's kernels on an object", "[placement]") {
  for (const bool plain : {false, true}) {
    spaces::two_devices devices;
    parts runtime{0, {devices.a.get()}, {devices.a.get(), devices.a.get()}, {first, first}};
    placed<value> x{runtime, n_ordered};
    x.host()[n_ordered - 1] = 1;
    kernels::gate gate;
    parts::as(0, [&] {
      const kernels::gate_argument at{&gate};
      if (plain) {
        yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", at, x.here(), 2, 3);
      } else {
        yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", at, x, 2, 3);
      }
    });
    auto other = meanwhile([&] {
      parts::as(1, [&] {
        if (plain) {
          yoke::launch_here<kernels::scale>(over(n_ordered), "scale", x.here(), 10, 1);
        } else {
          yoke::launch_here<kernels::scale>(over(n_ordered), "scale", x, 10, 1);
        }
        runtime.finish(1);
      });
    });
    gate.open();
    other.get();
    CAPTURE(plain);
    CHECK(x.host()[n_ordered - 1] == 51);
  }
}

TEST_CASE("an object that goes waits for what uses it", "[placement]") {
  order_fixture on;
  std::optional<placed<value>> z{std::in_place, on.runtime, n_ordered};
  parts::as(1, [&] {
    yoke::launch_here<kernels::add_behind>(over(n_ordered), "add_behind", on.at_gate(), std::as_const(on.x),
                                           *z);
  });
  auto gone = meanwhile([&] { z.reset(); });
  on.gate.open();
  gone.get();
  on.runtime.finish(1);  // throws where the kernel met memory that had been given back
  CHECK(on.devices.a->statistics().launches == 1);
}

TEST_CASE("bring_here queues all copies before it waits for one", "[placement]") {
  order_fixture on;
  parts::as(2, [&] { yoke::launch_here<kernels::scale>(over(n_ordered), "scale", on.y, 1, 7); });
  on.runtime.finish(2);
  parts::as(1, [&] {
    yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", on.at_gate(), on.x, 2, 3);
  });
  const auto before = on.devices.b->statistics().copies;
  auto brought = meanwhile([&] { parts::as(0, [&] { yoke::bring_here(on.x, on.y); }); });
  // y comes although x cannot yet. Hangs where x is waited for first.
  while (on.devices.b->statistics().copies == before) std::this_thread::yield();
  CHECK(brought.wait_for(std::chrono::seconds{0}) == std::future_status::timeout);
  on.gate.open();
  brought.get();
  CHECK(on.data[n_ordered - 1] == 5);
  CHECK(on.y.host()[0] == 7);
}

TEST_CASE("bring_here and a launch lock the same objects in any order", "[placement]") {
  order_fixture on;
  auto forth = meanwhile([&] {
    for (int i = 0; i < 200; ++i) parts::as(1, [&] { yoke::bring_here(on.x, std::as_const(on.y)); });
    on.runtime.finish(1);
  });
  for (int i = 0; i < 200; ++i) parts::as(2, [&] { yoke::bring_here(std::as_const(on.y), on.x); });
  on.runtime.finish(2);
  forth.get();
  CHECK(on.x.host()[0] == 1);
}

TEST_CASE("prefetch waits for nothing, and who asks next gets what was on its way", "[placement]") {
  order_fixture on;
  parts::as(1, [&] {
    yoke::launch_here<kernels::scale_behind>(over(n_ordered), "scale_behind", on.at_gate(), on.x, 2, 3);
  });
  yoke::prefetch(on.x, yoke::unit_id{0});
  CHECK(on.x.where() == host_space);
  on.gate.open();
  CHECK(on.x.host()[n_ordered - 1] == 5);
  CHECK(on.devices.a->statistics().copies == 2);  // there for the kernel, and back once
  yoke::prefetch(std::as_const(on.x), yoke::unit_id{2});
  parts::as(2, [&] { yoke::launch_here<kernels::add>(over(n_ordered), "add", std::as_const(on.x), on.y); });
  CHECK(on.y.host()[n_ordered - 1] == 5);
  CHECK(on.x.where() == host_space);
  CHECK_THROWS_AS(yoke::prefetch(on.x, yoke::unit_id{3}), yoke::usage_error);
}

TEST_CASE("an error of a kernel reaches who asks for the object next", "[placement]") {
  order_fixture on;
  parts::as(1, [&] { yoke::launch_here<kernels::fail>({.x = 1}, "fail", on.y); });
  CHECK_THROWS_WITH(on.y.host(), Catch::Matchers::Contains("kernel 'fail'"));
  CHECK_THROWS_WITH(on.runtime.finish(1), Catch::Matchers::Contains("kernel 'fail'"));
  CHECK(on.y.host()[0] == 0);
}
