#include "two_devices.hpp"

#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/variable.hpp>

// Faces between devices that reach each other.

namespace {

using kind = npb::benchmark_kind;
using choices = npb::march::choices;
using npb::peer_faces;

constexpr int steps = 7;

npb::zone_norms expected_of(kind which) {
  return marching_late{which, 6, npb::exchange_mode::dataflow, true}.norms_after({steps});
}

/// Bytes to and from the host in the steps alone.
std::size_t bytes_by_host(const npb::march& zones) {
  std::size_t bytes = 0;
  for (const npb::unit_account& unit : zones.accounts()) bytes += unit.bytes_in + unit.bytes_out;
  return bytes;
}

std::size_t bytes_directly(const npb::march& zones) {
  std::size_t bytes = 0;
  for (const npb::unit_account& unit : zones.accounts())
    bytes += std::accumulate(unit.bytes_to.begin(), unit.bytes_to.end(), std::size_t{0});
  return bytes;
}

void wait_for_nobody(const marching_on_two& under, int n_ahead) {
  for (const npb::unit_account& unit : under.zones->accounts()) CHECK(unit.steps_ahead == n_ahead);
}

}  // namespace

TEST_CASE("zones on two devices have the bits of one CPU CU, whichever part of a step is late",
          "[npb][peer]") {
  for (const kind which : {kind::sp, kind::bt, kind::lu}) {
    const npb::zone_norms expected = expected_of(which);
    for (const int n_on_first : {1, 3})  // with inner zones on the second device; all at the border
      for (const lateness& one : late_between_two) {
        const bool graphs = n_on_first == 3;
        marching_on_two under{which, n_on_first, {.graphs = graphs}};
        INFO(npb::short_name(which) << ", " << n_on_first << " zones on the first, late: " << one.what);
        late_device& late = *under.late[n_on_first == 1 ? 1 : 0];
        late.delay(one.is_late);
        CHECK(under.norms_after({2, steps - 2}) == expected);
        CHECK((late.delayed() > 0) == (one.is_late != nullptr));
        CHECK(bytes_by_host(*under.zones) == 0);
        CHECK(bytes_directly(*under.zones) > 0);
      }
  }
}

TEST_CASE("a device waits for no host between the steps of a fixed map", "[npb][peer]") {
  for (const kind which : {kind::sp, kind::bt, kind::lu}) {
    marching_on_two under{which, 3, {}};
    // A device that is slow enough: else it may be through with its step before the other one's host has said
    // anything, and the host, which has seen that, comes to no harm. Graphs keep that: each step is so slow.
    for (const auto& each : under.late)
      each->delay([](std::string_view name, std::int64_t) { return begins(name); });
    under.run({steps});  // plans are laid out in its first two steps
    under.run({steps});
    for (const auto& each : under.late) CHECK(each->delayed() > 0);
    long ahead = 0;
    for (const npb::unit_account& unit : under.zones->accounts()) {
      CHECK(unit.steps_ahead <= steps - 1);
      ahead += unit.steps_ahead;
    }
    CHECK(ahead > 0);
  }
}

TEST_CASE("hosts order the steps of two devices where they have to", "[npb][peer]") {
  const npb::zone_norms expected = expected_of(kind::sp);
  SECTION("with a barrier in each step") {
    marching_on_two under{kind::sp, 3, {.exchange = npb::exchange_mode::barrier}};
    CHECK(under.norms_after({steps}) == expected);
    wait_for_nobody(under, 0);
    CHECK(bytes_by_host(*under.zones) == 0);
  }
  SECTION("where faces go through host memory") {
    marching_on_two under{kind::sp, 3, {.between_devices = peer_faces::host}};
    CHECK(under.norms_after({steps}) == expected);
    wait_for_nobody(under, 0);
    CHECK(bytes_directly(*under.zones) == 0);
    CHECK(bytes_by_host(*under.zones) > 0);
  }
  SECTION("where devices do not reach each other") {
    const support::variable set{"YOKE_EMULATED", "peers=1"};
    marching_on_two under{kind::sp, 3, {}};
    CHECK(under.norms_after({steps}) == expected);
    CHECK(bytes_directly(*under.zones) == 0);
  }
}

TEST_CASE("frozen faces cost nothing and change what comes out", "[npb][peer]") {
  marching_on_two under{kind::sp, 3, {.between_devices = peer_faces::frozen}};
  CHECK(under.norms_after({steps}) != expected_of(kind::sp));
  CHECK(bytes_directly(*under.zones) + bytes_by_host(*under.zones) == 0);
}

TEST_CASE("whichever call of a device fails while faces go directly, that is the error and nobody hangs",
          "[npb][peer]") {
  const npb::zone_norms expected = expected_of(kind::sp);
  struct fault {
    const char* what;
    std::int64_t yoke::emulated_options::* nth;
    int most;
  };
  for (const auto& [what, nth, most] :
       {fault{"launch", &yoke::emulated_options::fail_launch, 40},
        fault{"copy", &yoke::emulated_options::fail_copy, 12},
        fault{"call", &yoke::emulated_options::fail_call, 160},
        fault{"after which it is lost", &yoke::emulated_options::lost_after, 160}}) {
    int failures = 0;
    for (int k = 1; k < most; k += 1 + k / 8) {
      marching_on_two under{kind::sp, k % 2 == 0 ? 3 : 1, {}};
      under.run({4});
      under.zones->restart(steps);
      yoke::task_loop loop = under.zones->assigned(under.map);
      yoke::emulated_options faults;
      faults.*nth = k;
      under.device(1).set_faults(faults);
      INFO(what << " " << k);
      try {
        under.zones->run(loop, steps);
      } catch (const yoke::device_error& met) {
        ++failures;
        CHECK_THAT(met.what(), Catch::Matchers::Contains("emulated:1"));
      }
      under.device(1).set_faults({});
      CHECK(under.norms_after({steps}) == expected);  // the march can begin anew
    }
    CHECK(failures > 3);
  }
}
