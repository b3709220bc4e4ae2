#include "../../runtime/src/checking_schedule.hpp"

#include "../scheduling/driver.hpp"

using namespace driver;

TEST_CASE("every schedule passes the checks of YOKE_CHECK, and is what it is by itself",
          "[runtime][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 50; ++round)
    for (const scheduling::schedule_info& info : scheduling::all()) {
      const auto [units, work, spec] = draw_case(rng, info);
      const int passes = between(rng, 1, 12);
      const int n_units = static_cast<int>(units.size());
      CAPTURE(spec, round, units.size(), work.n_tasks, passes);
      const auto plan = scheduling::make(spec, work, units);
      yoke::detail::checking_schedule checked{*plan, work.n_tasks, n_units};
      CHECK(checked.learning() == plan->learning());
      CHECK(checked.describe() == plan->describe());
      const record seen = run_interleaved(checked, work.n_tasks, n_units, passes, rng, random_times(rng));
      REQUIRE(seen.twice == 0);
      REQUIRE(seen.missing() == 0);
      REQUIRE(seen.spans_changed == 0);
    }
}
