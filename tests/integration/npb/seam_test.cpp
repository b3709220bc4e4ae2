#include "two_devices.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <support/catch.hpp>
#include <support/crash.hpp>
#include <support/errors.hpp>
#include <utility>
#include <vector>

// Shares with neighbours on CPUs and on another device: inner zones, those of the seam between the devices,
// and those of the border with the CPUs, of which some are neighbours of the other device too.

namespace {

using kind = npb::benchmark_kind;
using choices = npb::march::choices;

constexpr int steps = 7, n_zones = 16;

/// Set before Catch's handlers, which hand a signal on to these.
[[maybe_unused]] const bool tells_of_crashes = (support::tell_of_crashes(), true);

/// Zones in a torus of 8x2: zone x + 8 y.
std::unique_ptr<npb::benchmark> sixteen_zones(kind which) {
  const bool is_bt = which == kind::bt;  // whose smallest zone must have six points too
  npb::problem what = npb::make_custom_problem(which, 'S', {is_bt ? 150 : 66, is_bt ? 32 : 23, 9, 8, 2});
  if (which == kind::bt) return npb::bt::make_benchmark(std::move(what));
  if (which == kind::lu) return npb::lu::make_benchmark(std::move(what));
  return npb::sp::make_benchmark(std::move(what));
}

/// The CU of each column, as digits, but for zone 0, which is the CPU CU's.
std::vector<yoke::unit_id> map_of(std::string_view columns) {
  std::vector<yoke::unit_id> map;
  for (int zone = 0; zone < n_zones; ++zone)
    map.emplace_back(columns[static_cast<std::size_t>(zone % 8)] - '0');
  map[0] = yoke::unit_id{0};
  return map;
}

/// Says in which part of its life it is.
struct marching_on_three : marching_on_two {
  marching_on_three(kind which, std::string_view columns, const choices& how)
      : marching_on_two{begin(which, columns), "1x1+2", map_of(columns), how},
        name_{npb::short_name(which)},
        columns_{columns} {
    support::set_stage("a march was made: " + name_ + " " + columns_);
  }
  ~marching_on_three() { support::set_stage("a march ends: " + name_ + " " + columns_); }
  npb::zone_norms norms_after(const std::vector<int>& runs) {
    support::set_stage("a march runs: " + name_ + " " + columns_);
    return marching_on_two::norms_after(runs);
  }

 private:
  static std::unique_ptr<npb::benchmark> begin(kind which, std::string_view columns) {
    support::set_stage(fmt::format("a march is made: {} {}", npb::short_name(which), columns));
    return sixteen_zones(which);
  }

  std::string name_, columns_;
};

npb::zone_norms expected_of(kind which) {
  return marching_on_three{which, "00000000", {}}.norms_after({steps});
}

/// The CPUs' zone inside of one share; between both; beside a share that is all seam.
const std::array maps = {"11122211", "11112222", "12111111"};

}  // namespace

TEST_CASE("zones on CPUs and two devices have the bits of one CPU CU, whichever part of a step is late",
          "[npb][seam]") {
  for (const kind which : {kind::sp, kind::bt, kind::lu}) {
    const npb::zone_norms expected = expected_of(which);
    unsigned turn = 0;
    for (const char* const columns : maps)
      for (const lateness& one : late_between_two) {
        if ((++turn + Catch::rngSeed()) % 2 == 0) continue;  // half of them in each run of the tests
        const std::size_t late = turn / 2 % 2;
        marching_on_three under{which, columns, {.graphs = turn % 3 != 0}};
        INFO(npb::short_name(which) << ", columns " << columns << ", late on " << late << ": " << one.what
                                    << ", seed " << Catch::rngSeed());
        under.late[late]->delay(one.is_late);
        CHECK(under.norms_after({2, steps - 2}) == expected);
        CHECK((under.late[late]->delayed() > 0) == (one.is_late != nullptr));
      }
  }
}

TEST_CASE("hosts order the steps of a seam with a barrier in each step", "[npb][seam]") {
  const npb::zone_norms expected = expected_of(kind::sp);
  for (const char* const columns : maps) {
    INFO(columns);
    CHECK(marching_on_three{kind::sp, columns, {.exchange = npb::exchange_mode::barrier}}.norms_after(
              {steps}) == expected);
    CHECK(marching_on_three{kind::sp, columns, {.between_devices = npb::peer_faces::host}}.norms_after(
              {steps}) == expected);
  }
}

TEST_CASE("devices go on where CPUs have zones, too", "[npb][seam]") {
  for (const kind which : {kind::sp, kind::lu}) {
    marching_on_three under{which, maps[0], {}};
    for (const auto& each : under.late)
      each->delay([](std::string_view name, std::int64_t) { return begins(name); });
    under.norms_after({steps});  // plans are laid out in its first two steps
    under.norms_after({steps});
    for (const auto& each : under.late) CHECK(each->delayed() > 0);
    long ahead = 0;
    for (const npb::unit_account& unit : under.zones->accounts()) ahead += unit.steps_ahead;
    CHECK(ahead > 0);
  }
}

TEST_CASE("whichever call of a device fails beside CPUs, that is the error and nobody hangs", "[npb][seam]") {
  const npb::zone_norms expected = expected_of(kind::sp);
  int failures = 0;
  for (int k = 1; k < 160; k += 1 + k / 6) {
    marching_on_three under{kind::sp, maps[static_cast<std::size_t>(k % 3)], {}};
    under.norms_after({4});
    under.zones->restart(steps);
    yoke::task_loop loop = under.zones->assigned(under.map);
    yoke::emulated_options faults;
    (k % 2 == 0 ? faults.fail_call : faults.lost_after) = k;
    under.device(1).set_faults(faults);
    INFO("call " << k);
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
