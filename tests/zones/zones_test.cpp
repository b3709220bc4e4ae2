// What zones do, and what they refuse.
#include "kernels.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>

namespace {

using namespace zone_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using yoke::zone_extents;
using yoke::zone_step;
using yoke::zones;
using field = yoke::zoned<number, 1>;

zones row_of(yoke::runtime& rt, int n) {
  return zones{rt, n, [](int zone) { return zone_extents<1>{10 + zone}; }};
}

}  // namespace

TEST_CASE("a field is zeros at first, and has what the host writes", "[zones]") {
  yoke::runtime rt;
  zones blocks = row_of(rt, 4);
  field u{blocks, yoke::halo{1}, "u"};
  CHECK(u.host(3)(12) == 0);
  u.host(3)(12) = 7;
  yoke::zone_recording step = blocks.record([&](zone_step& s) { change<1>(s, u, 2); });
  step.replay();
  CHECK(u.host(3)(12) == 5 * 7 + 2 * 4 + 12);
  CHECK(std::as_const(u).host(0)(0) == 2);
}

TEST_CASE("halos at sides that are not joined stay as they were written", "[zones]") {
  yoke::runtime rt;
  zones blocks = row_of(rt, 1);
  field u{blocks, yoke::halo{1}, "u"}, v{blocks, yoke::halo{1}, "v"};
  u.host(0)(-1) = 100;
  yoke::zone_recording step = blocks.record([&](zone_step& s) { smooth<1>(s, u, v, {{1, 0, 0}}); });
  step.replay();
  CHECK(v.host(0)(0) == 200);
}

TEST_CASE("a host function runs for each zone", "[zones]") {
  yoke::runtime rt;
  if (rt.units().shape().gpu_units > 0) return support::skip("writes host memory");
  zones blocks = row_of(rt, 5);
  field u{blocks, {}, "u"};
  yoke::zone_recording step = blocks.record([&](zone_step& s) {
    s.call(
        "set",
        [](const yoke::zone_site& at, yoke::view<number, 1> x) {
          for (std::int64_t i = 0; i < x.extent(0); ++i) x(i) = static_cast<number>(at.zone);
        },
        out(u));
  });
  step.replay();
  for (int zone = 0; zone < 5; ++zone) CHECK(u.host(zone)(zone) == static_cast<number>(zone));
}

TEST_CASE("an error of a body is thrown by who waits, and by who asks for the field", "[zones]") {
  yoke::runtime rt;
  zones blocks = row_of(rt, 3);
  field u{blocks, {}, "u"};
  yoke::zone_recording step = blocks.record([&](zone_step& s) {
    s.call(
        "fails", [](const yoke::zone_site&, yoke::view<number, 1>) { throw std::runtime_error{"bad luck"}; },
        out(u));
  });
  CHECK_THROWS_WITH(
      [&] {
        step.replay();
        blocks.wait();
      }(),
      "bad luck");
  CHECK_THROWS_WITH(u.host(0), "bad luck");
}

TEST_CASE("what is wrong with zones is refused by name", "[zones]") {
  yoke::runtime rt;
  const auto refusal = [](const auto& what) { return support::refusal(what); };
  CHECK(refusal([&] { row_of(rt, 0); }) == "zones: 0 of them; 1 or more are accepted");
  CHECK(refusal([&] { zones{rt, 2, [](int zone) { return zone_extents<2>{3, zone}; }}; }) ==
        "zone 0: 0 points in dimension 1; 1 or more are accepted");
  CHECK_THAT(refusal([&] { zones{rt, 1, [](int) { return zone_extents<2>{1 << 20, 1 << 20}; }}; }),
             Contains("at most 2^31 - 1"));
  CHECK(refusal([&] { zones{rt, 1, [](int) { return zone_extents<1>{5}; }, {.weights = {1, 2}}}; }) ==
        "zones: 2 weights for 1 zones");
  CHECK_THAT(refusal([&] { zones{rt, 1, [](int) { return zone_extents<1>{5}; }, {.weights = {-1}}}; }),
             Contains("zone 0: a weight of -1"));
}

TEST_CASE("what is wrong with joins is refused by name", "[zones]") {
  yoke::runtime rt;
  constexpr auto high = yoke::side::high, low = yoke::side::low;
  zones blocks{rt, 3, [](int zone) { return zone_extents<2>{4, 5 + zone / 2}; }};
  const auto refusal = [&](yoke::zone_end a, yoke::zone_end b) {
    return support::refusal([&] { blocks.join(a, b); });
  };
  CHECK(refusal({3, high(0)}, {0, low(0)}) == "join: zone 3; there are 0 to 2");
  CHECK(refusal({1, high(2)}, {0, low(2)}) == "join: dimension 2 of zone 1; zones have 0 to 1");
  CHECK_THAT(refusal({0, high(0)}, {1, low(1)}),
             Contains("a high side goes to a low one of the same dimension"));
  CHECK_THAT(refusal({0, high(0)}, {1, high(0)}),
             Contains("a high side goes to a low one of the same dimension"));
  CHECK(refusal({0, high(0)}, {2, low(0)}) ==
        "join: the high side of dimension 0 of zone 0 and the low side of dimension 0 of zone 2: 5 and 6 "
        "points in "
        "dimension 1; faces are alike");
  blocks.join({0, high(0)}, {1, low(0)});
  CHECK(refusal({0, high(0)}, {0, low(0)}) ==
        "join: the high side of dimension 0 of zone 0 is joined already, with zone 1");
  yoke::zoned<number, 2> u{blocks, {1, 1}, "u"};
  CHECK(refusal({1, high(1)}, {0, low(1)}) == "join: a field has been made; join all zones before");
  CHECK(support::refusal([&] { yoke::zoned<number, 2>{blocks, {9, 0}, "v"}; }) ==
        "v: a halo of 9 in dimension 0, where zone 0, which is joined there, has 4 points");
}

TEST_CASE("what is wrong with fields and steps is refused by name", "[zones]") {
  yoke::runtime rt;
  zones blocks = row_of(rt, 2), others = row_of(rt, 2);
  CHECK(support::refusal([&] { yoke::zoned<number, 2>{blocks, {}, "u"}; }) ==
        "u: 2 dimensions, the zones have 1");
  CHECK(support::refusal([&] { field{blocks, {-1}, "u"}; }) ==
        "u: a halo of -1 in dimension 0; 0 to 1048576 are accepted");
  zones large{rt, 1, [](int) { return zone_extents<1>{2'147'000'000}; }};
  CHECK_THAT(support::refusal([&] { yoke::zoned<char, 1>{large, {1 << 20}, "c"}.host(0); }),
             Contains("bytes in zone 0"));
  auto u = std::make_unique<field>(blocks, yoke::halo{1}, "u");
  field v{blocks, {}, "v"}, w{others, yoke::halo{1}, "w"};
  CHECK(support::refusal([&] { u->host(2); }) == "u: zone 2; there are 0 to 1");
  const auto refusal = [&](const auto& step) {
    return support::refusal([&] { static_cast<void>(blocks.record(step)); });
  };
  CHECK(refusal([&](zone_step& s) { s.swap(*u, v); }) == "swap: u and v have unlike halos or elements");
  CHECK(refusal([&](zone_step& s) { s.swap(*u, *u); }) == "swap: u with itself; a swap takes two fields");
  CHECK_THAT(refusal([&](zone_step& s) { change<1>(s, w, 1); }), Contains("change: a field of other zones"));
  CHECK_THAT(refusal([&](zone_step& s) { smooth<1>(s, v, v, {}); }), Contains("smooth: v twice"));
  yoke::zone_recording step = blocks.record([&](zone_step& s) { change<1>(s, *u, 1); });
  CHECK(support::refusal([&] { step.replay(-1); }) == "replay: -1 steps; 0 or more are accepted");
  u.reset();
  CHECK(support::refusal([&] { step.replay(); }) == "replay: u, which the recording uses, has ended");
}

TEST_CASE("a body that looks beyond the halo is told so where indices are checked", "[zones]") {
  const support::variable checks{"YOKE_CHECK", "1"};
  yoke::runtime rt;
  for (const yoke::device* each : rt.devices())
    if (!each->info().emulated) return support::skip("a GPU checks no index");
  zones blocks = row_of(rt, 1);
  field u{blocks, yoke::halo{1}, "u"}, v{blocks, yoke::halo{1}, "v"};
  yoke::zone_recording step = blocks.record([&](zone_step& s) { look_too_far(s, u, v); });
  CHECK_THAT(support::refusal([&] {
               step.replay();
               blocks.wait();
             }),
             Contains("index"));
}

TEST_CASE("a sum takes what a launch has written", "[zones]") {
  yoke::runtime rt;
  zones blocks = row_of(rt, 3), others = row_of(rt, 1);
  field u{blocks, {1}, "u"}, w{others, {}, "w"};
  CHECK(sum_of_inverses<1>(blocks, u) == 33);
  CHECK(largest<1>(blocks, u) == 0);
  CHECK_THAT(
      support::refusal([&] { sum_with_halo(blocks, u); }),
      Contains("with halo: u with a role that writes or reads the halo; a sum takes in(u, yoke::interior)"));
  CHECK(support::refusal([&] { largest<1>(blocks, w); }) == "largest: a field of other zones");
}

TEST_CASE("zones stay where they are when memory does not suffice to move them", "[zones]") {
  const support::variable small{"YOKE_EMULATED", "memory=64KiB,slowdown=16"};
  yoke::runtime rt;
  if (rt.devices().empty() || !rt.devices().front()->info().emulated)
    return support::skip("no emulated device");
  if (rt.units().shape().gpu_units > std::ssize(rt.devices()))
    return support::skip("slices share the memory");
  constexpr std::int64_t n = 560;  // 55 KB of both fields where a device has six zones
  zones blocks{rt, 8, [](int) { return zone_extents<1>{n}; }, {.schedule = "cost"}};
  field u{blocks, {}, "u"}, v{blocks, {}, "v"};
  yoke::zone_recording step = blocks.record([&](zone_step& s) {
    change<1>(s, u, 1);
    s.swap(u, v);
  });
  step.replay(40);
  number expected = 0;
  for (int i = 0; i < 20; ++i) expected = 5 * expected + 8 + 3;
  CHECK(u.host(7)(3) == expected);
  CHECK(v.host(7)(3) == expected);
}

TEST_CASE("zones go to CPU CUs where a device has too little memory for its share", "[zones]") {
  const support::variable small{"YOKE_EMULATED", "memory=16KiB"};
  yoke::runtime rt;
  if (rt.devices().empty() || !rt.devices().front()->info().emulated)
    return support::skip("no emulated device");
  const auto make = [&](const char* schedule) {
    zones blocks{rt, 8, [](int) { return zone_extents<1>{2000}; }, {.schedule = schedule}};
    for (int zone = 0; zone + 1 < 8; ++zone)
      blocks.join({zone, yoke::side::high(0)}, {zone + 1, yoke::side::low(0)});
    field u{blocks, yoke::halo{1}, "u"}, v{blocks, yoke::halo{1}, "v"};
    u.host(7)(3) = 1;
    yoke::zone_recording step = blocks.record([&](zone_step& s) {
      change<1>(s, u, 1);
      smooth<1>(s, u, v, {{1, 1, 1}});
    });
    step.replay(12);
    number expected = 1;
    for (int i = 0; i < 12; ++i) expected = 5 * expected + 8 + 3;
    CHECK(u.host(7)(3) == expected);
    for (const yoke::unit_id each : blocks.map()) CHECK(rt.units().at(each).dev == nullptr);
    return step.explain();
  };
  if (rt.units().shape().cpu_units == 0) {
    CHECK_THROWS_AS(make("auto"), yoke::out_of_memory);
    return;
  }
  make("auto");
  CHECK_THAT(make("static"), Contains("too little memory"));  // which minds no memory
}

TEST_CASE("what a GPU CU needs beside fields counts for its share", "[zones]") {
  const support::variable small{"YOKE_EMULATED", "memory=64KiB"};
  yoke::runtime rt;
  if (rt.devices().empty() || !rt.devices().front()->info().emulated || rt.units().shape().cpu_units == 0)
    return support::skip("no emulated device beside CPUs");
  const auto on_devices = [&](std::size_t beside) {
    zones blocks{rt,
                 8,
                 [](int) { return zone_extents<1>{100}; },
                 {.schedule = "cost", .gpu_bytes = std::vector<std::size_t>(8, beside)}};
    field u{blocks, {}, "u"};
    yoke::zone_recording step = blocks.record([&](zone_step& s) { change<1>(s, u, 1); });
    step.replay(2);
    CHECK(u.host(7)(3) == 5 * 11 + 11);
    return std::ranges::count_if(blocks.map(),
                                 [&](yoke::unit_id unit) { return rt.units().at(unit).dev != nullptr; });
  };
  CHECK(on_devices(0) > 0);
  CHECK(on_devices(100'000) == 0);
  CHECK(support::refusal([&] { zones{rt, 2, [](int) { return zone_extents<1>{4}; }, {.gpu_bytes = {1}}}; }) ==
        "zones: bytes for GPU CUs of 1 zones, there are 2");
}

TEST_CASE("nothing is replayed inside a parallel region", "[zones]") {
  yoke::runtime rt;
  zones blocks = row_of(rt, 1);
  field u{blocks, {}, "u"};
  yoke::zone_recording step = blocks.record([&](zone_step& s) { change<1>(s, u, 1); });
  std::string text;
  rt.each_unit([&](yoke::unit_id unit) {
    if (unit == 0) text = support::refusal([&] { step.replay(); });
  });
  CHECK_THAT(text, Contains("inside a parallel region"));
}

TEST_CASE("what is explained has the units, the stages and the bytes", "[zones]") {
  yoke::runtime rt;
  zones blocks{
      rt, 4, [](int) { return zone_extents<1>{50}; }, {.schedule = "static"}};  // CPU CUs share nothing
  for (int zone = 0; zone < 4; ++zone)
    blocks.join({zone, yoke::side::high(0)}, {(zone + 1) % 4, yoke::side::low(0)});
  field u{blocks, {1}, "u"}, v{blocks, {1}, "v"};
  yoke::zone_recording step = blocks.record([&](zone_step& s) {
    smooth<1>(s, u, v, {{1, 0, 0}});
    s.swap(u, v);
  });
  step.replay(10);
  blocks.wait();
  const std::string text = step.explain();
  INFO(text);
  CHECK_THAT(text, Contains("a step: 1 stages, 1 halos filled"));
  const std::vector<yoke::unit_id> map = blocks.map();
  const bool is_shared = std::ranges::any_of(map, [&](yoke::unit_id each) { return each != map.front(); });
  CHECK((text.find("bytes a step") != std::string::npos) == is_shared);
}
