#include "helpers.hpp"

#include <algorithm>
#include <support/catch.hpp>
#include <support/errors.hpp>

// On three slices of one emulated device.

namespace {

using Catch::Matchers::Contains;
using yoke::runtime;

yoke::extent over(std::size_t n) { return {.x = static_cast<std::int64_t>(n)}; }

}  // namespace

TEST_CASE("slices of a device are CUs with streams of their own in one memory space", "[runtime][slices]") {
  runtime rt;
  REQUIRE(rt.units().size() == 3);
  CHECK(rt.devices().size() == 1);
  CHECK(rt.memory().n_spaces() == 2);
  std::vector<const yoke::device*> devices;
  std::vector<void*> streams;
  for (const yoke::compute_unit& unit : rt.units().all()) {
    CHECK(unit.space == yoke::space_id{1});
    CHECK(std::ranges::count(devices, unit.dev) == 0);
    CHECK(std::ranges::count(streams, unit.stream.native) == 0);
    devices.push_back(unit.dev);
    streams.push_back(unit.stream.native);
  }
  CHECK(rt.units().at(yoke::unit_id{1}).dev->info().name == "emulated:0/3:1");
  CHECK(rt.schedule_units()[2].processors == 1);
  CHECK(std::ranges::any_of(rt.notes(), [](const std::string& note) {
    return note.find("emulated:0 is used in slices: emulated:0/3:0 has 0.333 of it") != std::string::npos;
  }));
}

TEST_CASE("kernels of several slices on one placed object come one after the other", "[runtime][slices]") {
  runtime rt;
  std::vector<double> values(500, 0.0);
  constexpr int rounds = 40;
  {
    yoke::placed<double> x{rt, values};
    rt.each_unit([&](yoke::unit_id) {
      for (int i = 0; i < rounds; ++i) yoke::launch_here<add_one>(over(values.size()), "add_one", x);
    });
    static_cast<void>(x.host());
  }
  CHECK(std::ranges::count(values, 3.0 * rounds) == std::ssize(values));
}

TEST_CASE("what one slice's kernel has written another reads where it is", "[runtime][slices]") {
  runtime rt;
  pieces data{12, 100};
  for (const std::string& name : every_schedule()) {
    yoke::task_loop loop = rt.make_loop(name, {.n_tasks = 12});
    for (int pass = 0; pass < 2; ++pass) {
      rt.run(loop, [&](std::span<const yoke::task_id> batch) {
        for (const yoke::task_id task : batch) data.add_one_to(task);
      });
    }
  }
  CHECK(data.all_are(2 * static_cast<int>(every_schedule().size())));
}

TEST_CASE("fewer GPU CUs than slices leave slices out", "[runtime][slices]") {
  const runtime rt{{.cus = "+2", .devices = "emulated:1/4"}};
  CHECK(rt.units().at(yoke::unit_id{1}).dev->info().share == Approx(0.25));
  CHECK(std::ranges::any_of(rt.notes(), [](const std::string& note) {
    return note.find("emulated:0/4:3 is left out") != std::string::npos;
  }));
}

TEST_CASE("memory spaces on one device are told in a note", "[runtime][slices]") {
  const runtime rt{{.cus = "+2", .devices = "emulated:1*2"}};
  CHECK(rt.devices().size() == 2);
  CHECK(rt.units().at(yoke::unit_id{1}).space == yoke::space_id{2});
  CHECK(std::ranges::any_of(rt.notes(), [](const std::string& note) {
    return note.find("emulated:0 is opened as 2 memory spaces") != std::string::npos;
  }));
}

TEST_CASE("a slice that cannot be had is refused where the runtime is made", "[runtime][slices]") {
  CHECK_THAT(support::message_of([] { const runtime rt{{.cus = "+1", .devices = "emulated:1@9"}}; }),
             Contains("emulated:0@9: emulated:0 has 1 processor"));
}
