#include "driver/step/step_run.hpp"

#include "late_march.hpp"

#include <functional>
#include <support/catch.hpp>

#include <yoke/clock.hpp>

TEST_CASE("what is laid out while the device works is time of the batch, and otherwise none", "[npb]") {
  const std::unique_ptr<npb::benchmark> what = six_zones(npb::benchmark_kind::sp);
  yoke::runtime rt{{.cus = yoke::sourced{"1x1", "a test"}, .devices = yoke::sourced{"none", "a test"}}};
  npb::zone_store zones{*what, rt.memory()};
  npb::face_store faces{what->what(), rt.devices(), rt.schedule_units()};
  npb::publication order{zones.n_zones()};
  npb::departures departed{1};
  const npb::stepping shared{*what, zones, faces, order, departed, {}};
  npb::unit_account account;
  account.reset(2);
  npb::step_run step{shared, yoke::unit_id{0}, 0, account};
  const auto work = [] {  // until the clock has gone on
    const yoke::ticks from = yoke::now();
    while (yoke::now() == from) {
    }
  };

  step.lay_out(work);  // a CPU's, or before anything was launched
  CHECK(account.preparing > 0);
  CHECK(step.compute() == 0);

  const yoke::ticks before = account.preparing;
  bool is_at_work = true;
  const std::function<bool()> asked = [&] { return is_at_work; };
  step.set_at_work(asked);
  step.lay_out(work);
  CHECK(account.preparing == before);
  CHECK(step.compute() > 0);

  npb::step_run next = step.following();  // begun while this one runs
  next.lay_out(work);
  CHECK(account.preparing == before);
  CHECK(next.compute() > 0);
  is_at_work = false;
  next.lay_out(work);
  CHECK(account.preparing > before);
}
