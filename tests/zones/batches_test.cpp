// Host functions for all zones of a unit that run together.
#include "kernels.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>
#include <stdexcept>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>

namespace {

using namespace zone_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
using field = yoke::zoned<number, 1>;

constexpr int n_zones = 7;

/// What calls have said, by zone.
struct heard {
  std::mutex mutex;
  std::vector<int> times = std::vector<int>(n_zones);
  std::vector<int> units = std::vector<int>(n_zones, -1);
  int unequal = 0;  ///< batches with other than one view for a zone

  void note(const yoke::zone_batch& at, std::size_t views) {
    const std::lock_guard lock{mutex};
    unequal += views == at.zones.size() && std::ranges::is_sorted(at.zones) ? 0 : 1;
    for (const int zone : at.zones) {
      ++times[static_cast<std::size_t>(zone)];
      units[static_cast<std::size_t>(zone)] = int{at.unit->id};
    }
  }
};

}  // namespace

TEST_CASE("a host function for batches runs once a step for each zone, on its unit", "[zones]") {
  yoke::runtime rt;
  yoke::zones ring{rt, n_zones, [](int zone) { return yoke::zone_extents<1>{10 + zone}; }};
  for (int z = 0; z < n_zones; ++z)
    ring.join({z, yoke::side::high(0)}, {(z + 1) % n_zones, yoke::side::low(0)});
  field u{ring, yoke::halo{1}, "u"};
  heard by;
  yoke::zone_recording step = ring.record([&](yoke::zone_step& s) {
    s.call_batch(
        "note",
        [&](const yoke::zone_batch& at, std::span<const yoke::view<number, 1>> all, int steps) {
          by.note(at, all.size());
          if (at.is_gpu()) return;
          for (std::size_t i = 0; i < all.size(); ++i) all[i](0) += all[i](-1) + static_cast<number>(steps);
        },
        inout(u), 1);
  });
  step.replay(40);  // the first of them choose a map
  ring.wait();
  std::ranges::fill(by.times, 0);
  step.replay(3);
  ring.wait();
  CHECK(by.unequal == 0);
  CHECK(by.times == std::vector<int>(n_zones, 3));
  const std::vector<yoke::unit_id> map = ring.map();
  const auto is_right = [&](int unit, yoke::unit_id dealt) {
    const auto is_cpu = [&](yoke::unit_id id) { return rt.units().at(id).dev == nullptr; };
    return unit == int{dealt} || (is_cpu(yoke::unit_id{unit}) && is_cpu(dealt));  // CPU CUs may share
  };
  CHECK(std::ranges::equal(by.units, map, is_right));
}

TEST_CASE("a batch gets the views of its zones, with halos filled", "[zones]") {
  yoke::runtime rt;
  if (rt.units().shape().gpu_units > 0) return support::skip("writes host memory");
  yoke::zones row{rt, n_zones, [](int zone) { return yoke::zone_extents<1>{3 + zone}; }};
  for (int z = 0; z + 1 < n_zones; ++z) row.join({z, yoke::side::high(0)}, {z + 1, yoke::side::low(0)});
  field u{row, yoke::halo{1}, "u"}, v{row, {}, "v"};
  for (int z = 0; z < n_zones; ++z)
    for (int i = 0; i < 3 + z; ++i) u.host(z)(i) = static_cast<number>(100 * z + i);
  yoke::zone_recording step = row.record([&](yoke::zone_step& s) {
    s.call_batch(
        "ends",
        [](const yoke::zone_batch& at, std::span<const yoke::view<const number, 1>> from,
           std::span<const yoke::view<number, 1>> to) {
          for (std::size_t i = 0; i < from.size(); ++i)
            to[i](0) = from[i](-1) + static_cast<number>(10'000 * at.zones[i]);
        },
        in(u), out(v));
  });
  step.replay();
  CHECK(v.host(0)(0) == 0);
  for (int z = 1; z < n_zones; ++z)
    CHECK(v.host(z)(0) == static_cast<number>(10'000 * z + 100 * (z - 1) + z + 1));
}

TEST_CASE("work that is prepared once for a batch runs in each step", "[zones]") {
  yoke::runtime rt;
  yoke::zones ring{
      rt, n_zones, [](int zone) { return yoke::zone_extents<1>{10 + zone}; }, {.schedule = "static"}};
  for (int z = 0; z < n_zones; ++z)
    ring.join({z, yoke::side::high(0)}, {(z + 1) % n_zones, yoke::side::low(0)});
  field u{ring, yoke::halo{1}, "u"}, v{ring, yoke::halo{1}, "v"};
  for (int z = 0; z < n_zones; ++z) u.host(z)(0) = static_cast<number>(z + 1);
  std::atomic<int> prepared{0};
  yoke::zone_recording step = ring.record([&](yoke::zone_step& s) {
    s.call_prepared(
        "shift",
        [&](const yoke::zone_batch& at, std::span<const yoke::view<const number, 1>> from,
            std::span<const yoke::view<number, 1>> to) {
          ++prepared;
          return shifting(at.dev, from, to);
        },
        in(u), out(v));
    s.swap(u, v);
  });
  step.replay(60);  // the first of them choose a map
  ring.wait();
  const int before = prepared;
  CHECK(before >= 2);  // for each of two swapped fields
  step.replay(2 * (7 * 13 + 42) - 60);
  ring.wait();
  CHECK(prepared == before);
  // Each value has gone round the ring of 7 * 13 points as often as it takes: 266 points on.
  std::vector<number> all;
  for (int z = 0; z < n_zones; ++z)
    for (int i = 0; i < 10 + z; ++i) all.push_back(std::as_const(u).host(z)(i));
  std::vector<number> expected(all.size());
  std::size_t first = 0;
  for (int z = 0; z < n_zones; ++z) {
    expected[(first + 266) % expected.size()] = static_cast<number>(z + 1);
    first += static_cast<std::size_t>(10 + z);
  }
  CHECK(all == expected);
}

TEST_CASE("an error of what prepares is thrown by replay", "[zones]") {
  yoke::runtime rt;
  yoke::zones row{rt, 2, [](int) { return yoke::zone_extents<1>{3}; }};
  field u{row, {}, "u"};
  yoke::zone_recording step = row.record([&](yoke::zone_step& s) {
    s.call_prepared(
        "fails",
        [](const yoke::zone_batch&, std::span<const yoke::view<number, 1>>) -> void (*)(yoke::stream_handle) {
          throw std::runtime_error{"bad luck"};
        },
        out(u));
  });
  CHECK_THROWS_WITH(step.replay(), "bad luck");
}

TEST_CASE("an error of a batch is thrown by who waits", "[zones]") {
  yoke::runtime rt;
  yoke::zones row{rt, 2, [](int) { return yoke::zone_extents<1>{3}; }};
  field u{row, {}, "u"};
  yoke::zone_recording step = row.record([&](yoke::zone_step& s) {
    s.call_batch(
        "fails",
        [](const yoke::zone_batch&, std::span<const yoke::view<number, 1>>) {
          throw std::runtime_error{"bad luck"};
        },
        out(u));
  });
  CHECK_THROWS_WITH(
      [&] {
        step.replay();
        row.wait();
      }(),
      "bad luck");
}

TEST_CASE("faces are sent by functions for batches, of halos without corners", "[zones]") {
  yoke::runtime rt;
  yoke::zones ring{rt, 2, [](int) { return yoke::zone_extents<1>{10}; }};
  ring.join({0, yoke::side::high(0)}, {1, yoke::side::low(0)});
  field u{ring, yoke::halo{1}, "u"}, with_corners{ring, yoke::halo{1}.with_corners(), "c"};
  const auto of_zone = [&](field& x) {
    static_cast<void>(ring.record([&](yoke::zone_step& s) {
      s.call(
          "alone", [](const yoke::zone_site&, const yoke::view<number, 1>&) {}, inout(x, yoke::sends_faces));
    }));
  };
  const auto of_batch = [&](field& x) {
    static_cast<void>(ring.record([&](yoke::zone_step& s) {
      s.call_batch(
          "together", [](const yoke::zone_batch&, std::span<const yoke::view<number, 1>>) {},
          inout(x, yoke::sends_faces));
    }));
  };
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { of_zone(u); }), Contains("sends_faces for u"));
  CHECK_THAT(support::message_of<yoke::usage_error>([&] { of_batch(with_corners); }), Contains("corners"));
  CHECK_NOTHROW(of_batch(u));
}

TEST_CASE("a zone that is joined to itself gets the faces that are sent", "[zones]") {
  yoke::runtime rt;
  yoke::zones rings{rt, 5, [](int zone) { return yoke::zone_extents<1>{3 + zone}; }};
  for (int z = 0; z < 5; ++z) rings.join({z, yoke::side::high(0)}, {z, yoke::side::low(0)});
  field u{rings, yoke::halo{1}, "u"}, v{rings, yoke::halo{1}, "v"};
  yoke::zone_recording step = rings.record([&](yoke::zone_step& s) {
    change_and_send<1>(s, u, 2, {1, 0, 0});
    smooth<1>(s, u, v, {{1, 0, 0}});
  });
  step.replay(2);
  for (int z = 0; z < 5; ++z) {
    std::vector<number> x(static_cast<std::size_t>(3 + z)), sum(x.size());
    for (int n = 0; n < 2; ++n) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 5 * x[i] + 2 * static_cast<number>(z + 1) + i;
      for (std::size_t i = 0; i < x.size(); ++i)
        sum[i] = 3 * sum[i] + x[i] + x[(i + 1) % x.size()] + 2 * x[(i + x.size() - 1) % x.size()];
    }
    CHECK(std::as_const(v).host(z)(0) == sum[0]);
    CHECK(std::as_const(v).host(z)(2 + z) == sum.back());
  }
}
