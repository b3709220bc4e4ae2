// What placed objects promise when the k-th call of a device fails, for k = 1, 2, 3, … until it gets through.
#include "kernels.hpp"
#include "parts.hpp"

#include <functional>
#include <memory>
#include <support/catch.hpp>
#include <support/failing_device.hpp>
#include <utility>

#include <yoke/error.hpp>

namespace {

using kernels::over;
using kernels::value;
using kernels::values;
using spaces::parts;
using yoke::placed;

constexpr std::size_t n_failing = 100;

struct failure_fixture {
  spaces::two_devices devices;
  support::failing_device a;
  support::failing_device b;
  std::unique_ptr<parts> runtime;
  values data = values(n_failing, 1);
  placed<value> x;  ///< ones
  placed<value> y;  ///< zeros

  explicit failure_fixture(bool exhaust) : a{*devices.a, exhaust}, b{*devices.b, exhaust} {
    runtime = std::make_unique<parts>(1, a, b);
    x = placed<value>{*runtime, std::span{data}};
    y = placed<value>{*runtime, n_failing};
    static_cast<void>(y.host());
  }
  support::failing_device& device(int i) { return i == 0 ? a : b; }
};

using step = std::function<void(failure_fixture&)>;

struct scenario {
  const char* name;
  step prepare;
  step run;
  bool writes = false;  ///< adds x to y
};

void add_on(failure_fixture& on, int unit) {
  parts::as(unit,
            [&] { yoke::launch_here<kernels::add>(over(n_failing), "add", std::as_const(on.x), on.y); });
}

const std::vector<scenario>& scenarios() {
  static const step nothing = [](failure_fixture&) {};
  static const step x_to_first = [](failure_fixture& on) { parts::as(1, [&] { yoke::bring_here(on.x); }); };
  static const step y_on_first = [](failure_fixture& on) {
    parts::as(1, [&] { yoke::bring_here(std::as_const(on.x), on.y); });
  };
  static const std::vector<scenario> all{
      {"here", nothing, x_to_first},
      {"here, from the other device", x_to_first,
       [](failure_fixture& on) { parts::as(2, [&] { static_cast<void>(on.x.here()); }); }},
      {"host", x_to_first, [](failure_fixture& on) { static_cast<void>(on.x.host()); }},
      {"host, reading", x_to_first,
       [](failure_fixture& on) { static_cast<void>(std::as_const(on.x).host()); }},
      {"read_here", nothing,
       [](failure_fixture& on) { parts::as(1, [&] { static_cast<void>(on.x.read_here()); }); }},
      {"read_here anew",
       [](failure_fixture& on) {
         parts::as(1, [&] { static_cast<void>(on.x.read_here()); });
         static_cast<void>(on.x.host());
       },
       [](failure_fixture& on) { parts::as(1, [&] { static_cast<void>(on.x.read_here()); }); }},
      {"bring_here", x_to_first,
       [](failure_fixture& on) { parts::as(2, [&] { yoke::bring_here(on.x, std::as_const(on.y)); }); }},
      {"prefetch", nothing, [](failure_fixture& on) { yoke::prefetch(on.x, yoke::unit_id{1}); }},
      {"prefetch to the host", x_to_first,
       [](failure_fixture& on) { yoke::prefetch(on.x, yoke::unit_id{0}); }},
      {"launch", nothing, [](failure_fixture& on) { add_on(on, 1); }, true},
      {"launch on the other device", y_on_first, [](failure_fixture& on) { add_on(on, 2); }, true},
      {"launch on a CPU", y_on_first, [](failure_fixture& on) { add_on(on, 0); }, true},
  };
  return all;
}

/// Both objects as the host has them.
std::pair<values, values> contents(failure_fixture& on) {
  const std::span<value> x = on.x.host(), y = on.y.host();
  return {{x.begin(), x.end()}, {y.begin(), y.end()}};
}

/// One round; false when the step got through before the k-th call.
bool fails_cleanly(const scenario& of, int device, int k, bool exhaust) {
  failure_fixture on{exhaust};
  of.prepare(on);
  on.runtime->finish_all();
  bool threw = false;
  on.device(device).fail_call(k);
  try {
    of.run(on);
  } catch (const yoke::device_error&) {
    threw = true;
  } catch (const yoke::out_of_memory&) {
    threw = true;
  }
  const bool failed = on.device(device).has_failed();
  CHECK(threw == failed);
  on.device(device).fail_call(0);
  const auto [x, y] = contents(on);
  CHECK(x == values(n_failing, 1));
  // A kernel that had been launched when the failure came has run, whole.
  const bool has_run = y == values(n_failing, 1);
  CHECK((has_run || y == values(n_failing, 0)));
  if (!failed) CHECK(has_run == of.writes);
  of.run(on);
  CHECK(contents(on).second == values(n_failing, (has_run ? 1 : 0) + (of.writes ? 1 : 0)));
  on.x = {};
  on.y = {};
  on.runtime.reset();
  CHECK(on.a.live() == support::live_things{});
  CHECK(on.b.live() == support::live_things{});
  return failed;
}

}  // namespace

TEST_CASE("a failing device call leaves placed objects whole and leaks nothing", "[placement]") {
  int failures = 0;
  for (const scenario& each : scenarios()) {
    for (const bool exhaust : {false, true}) {
      for (const int device : {0, 1}) {
        CAPTURE(each.name, exhaust, device);
        for (int k = 1; fails_cleanly(each, device, k, exhaust); ++k) ++failures;
      }
    }
  }
  CHECK(failures > 100);
}

TEST_CASE("an object does not take over what was copied for one that ended behind a failed kernel",
          "[placement]") {
  const spaces::two_devices devices;
  yoke::device& only = *devices.a;
  parts runtime{1, {&only}, {&only}, {spaces::first}};
  const auto add = [](const placed<value>& to_read, placed<value>& to_write) {
    parts::as(1, [&] { yoke::launch_here<kernels::add>(over(n_failing), "add", to_read, to_write); });
  };
  values ones = values(n_failing, 1), threes = values(n_failing, 3);
  kernels::gate gate;
  {
    placed<value> x{runtime, std::span{ones}}, y{runtime, n_failing};
    static_cast<void>(y.host());
    parts::as(1, [&] {
      yoke::launch_here<kernels::wait_at>({.x = 1}, "wait_at", kernels::gate_argument{&gate});
      yoke::launch_here<kernels::fail>({.x = 1}, "fail", yoke::device_ptr<value>{nullptr});
    });
    add(x, y);  // taken, for nothing has failed yet
    gate.open();
  }
  CHECK_THROWS(runtime.finish_all());
  placed<value> x{runtime, std::span{threes}}, y{runtime, std::span{ones}};
  parts::as(1, [&] { yoke::bring_here(x, y); });
  add(x, y);
  runtime.finish_all();
  CHECK(std::as_const(y).host()[0] == 4);
  CHECK(std::as_const(x).host()[0] == 3);
}

TEST_CASE("an error of a kernel is told once for each object that it writes", "[placement]") {
  failure_fixture on{false};
  placed<value> z{*on.runtime, n_failing};
  static_cast<void>(z.host());
  parts::as(1, [&] { yoke::launch_here<kernels::fail_both>({.x = 1}, "fail_both", on.y, z); });
  for (placed<value>* each : {&on.y, &z}) {
    CHECK_THROWS_WITH(each->host(), Catch::Matchers::Contains("kernel 'fail_both'"));
    CHECK_NOTHROW(each->host());
  }
  CHECK_THROWS_WITH(on.runtime->finish(1), Catch::Matchers::Contains("kernel 'fail_both'"));
}

TEST_CASE("an object that goes lets go of its memory whatever the device says", "[placement]") {
  for (int k = 1; k <= 8; ++k) {
    failure_fixture on{false};
    add_on(on, 1);
    on.a.fail_call(k);
    on.x = {};
    on.y = {};
    on.a.fail_call(0);
    on.runtime.reset();
    CHECK(on.a.live() == support::live_things{});
  }
}

TEST_CASE("a lost device fails what needs it and hangs in nothing", "[placement]") {
  for (int calls = 0; calls < 20; ++calls) {
    failure_fixture on{false};
    on.devices.a->set_faults({.lost_after = calls});
    int refused = 0;
    const auto refusing = [&](const auto& ask) {
      try {
        ask();
      } catch (const yoke::device_error&) {
        ++refused;
      }
    };
    for (int round = 0; round < 3; ++round) {
      refusing([&] { add_on(on, 1); });
      refusing([&] { parts::as(2, [&] { yoke::bring_here(on.x, on.y); }); });
      refusing([&] { static_cast<void>(on.y.host()); });
    }
    CHECK(refused > 0);
  }
}
