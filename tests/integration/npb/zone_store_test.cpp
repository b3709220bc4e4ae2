#include "driver/step/stepping.hpp"
#include "late_march.hpp"

#include <support/assertions.hpp>
#include <support/catch.hpp>

namespace {

constexpr yoke::space_id device_space{1};

}  // namespace

TEST_CASE("nothing computes on a copy of a zone that is placed elsewhere", "[npb]") {
  using support::assertion_of;
  constexpr const char* none = "(no assertion fired)";
  const std::unique_ptr<npb::benchmark> what = six_zones(npb::benchmark_kind::lu);
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  npb::zone_store zones{*what, rt.memory()};
  npb::face_store faces{what->what(), rt.devices(), rt.schedule_units()};
  npb::publication order{zones.n_zones()};
  npb::departures departed{2};
  const npb::stepping shared{*what, zones, faces, order, departed, {}};

  zones.bring(0, yoke::host_space);
  CHECK(zones.on_host(0).u != nullptr);
  CHECK_THAT(assertion_of([&] { (void)zones.on_device(0, device_space); }),
             Catch::Contains("where it is not placed"));
  npb::publish(shared, 0, 0, yoke::host_space);

  zones.bring(0, device_space);  // the copy in host memory is left behind
  CHECK_THAT(assertion_of([&] { (void)zones.on_host(0); }), Catch::Contains("that is placed elsewhere"));
  CHECK(zones.on_device(0, device_space).u);
  CHECK_THAT(assertion_of([&] { npb::publish(shared, 0, 1, yoke::host_space); }),
             Catch::Contains("was moved while its step ran"));
  CHECK(!order.is_published(0, 2));
  CHECK(assertion_of([&] { npb::publish(shared, 0, 1, device_space); }) == none);
  CHECK(order.is_published(0, 2));
}

TEST_CASE("a zone leaves no copy behind in a space that is tight", "[npb]") {
  const std::unique_ptr<npb::benchmark> what = six_zones(npb::benchmark_kind::lu);
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  npb::zone_store zones{*what, rt.memory()};
  zones.leave_nothing_in(device_space);
  for (const int zone : {0, 1}) {
    zones.bring(zone, device_space);
    zones.bring(zone, yoke::host_space);
    CHECK(zones.bytes_missing(zone, device_space) == zones.bytes(zone));
    zones.bring(zone, device_space);
    CHECK(zones.bytes_missing(zone, yoke::host_space) == 0);
  }
}
