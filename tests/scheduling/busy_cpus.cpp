/// `auto` on CPUs alone that others use too.

#include "busy_hosts.hpp"

using namespace yoke;
using driver::host;
using driver::zones_on_cpus;

namespace {

void check_over_pool(double least, int side, double heaviest, int cpus, const host& on) {
  CAPTURE(side, heaviest, cpus);
  CHECK(driver::rate_over_pool("auto", side, heaviest, cpus, on) >= least);
}

}  // namespace

TEST_CASE("auto keeps to the pool where CPUs are slow by chance", "[scheduling][auto]") {
  check_over_pool(0.95, 8, 1, 32, {});
  check_over_pool(0.95, 8, 1, 32, {.late = 0});
  check_over_pool(0.93, 8, 1, 32, {.slow_for_a_while = 0.4});
  check_over_pool(0.95, 4, 4, 8, {});
  check_over_pool(0.95, 4, 4, 8, {.late = 0});
}

TEST_CASE("auto gives CPUs tasks of their own where these differ for good", "[scheduling][auto]") {
  check_over_pool(1.05, 8, 20, 32, {});
  check_over_pool(0.98, 4, 1, 32,
                  {});  // one task each: it leaves these for the pool by what the first passes tell
}

TEST_CASE("auto tries tasks of their own again long after CPUs were disturbed", "[scheduling][auto]") {
  const host unlike{.lasting = 0.5, .slow_for_a_while = 0.01, .noise = 0.03, .late = 0};
  host disturbed = unlike;
  disturbed.disturbed_from = 100;
  disturbed.disturbed_until = 400;
  const auto is_pool_after = [](const host& on, pass_id passes) {
    return zones_on_cpus{8, 20, 32, passes, on, 1}.run("auto").is_pool;
  };
  CHECK_FALSE(is_pool_after(unlike, 400));
  CHECK_FALSE(is_pool_after(disturbed, 8000));
}

// LU-MZ class C on 16 CPUs as 8x2: it left its pool after one cold pass, for passes of 44 ms instead of 34.
TEST_CASE("CPUs alone do not leave their pool for cold passes", "[scheduling][auto]") {
  const auto first_pass_with_own = [](pass_id slow_until) {
    const std::vector<unit> units = driver::make_units(8, 0);
    const workload work{.n_tasks = 16, .passes = 100};
    const auto plan = scheduling::make("auto", work, units);
    pass_plan known;
    pass_id first = pass_plan::for_good;
    const auto time = [&](unit_id unit, pass_id pass, std::span<const task_id> batch) {
      if (pass >= known.until) known = plan->plan_of(pass);
      if (!known.cpus_share) first = std::min(first, pass);
      const seconds each = unit == unit_id{0} && pass < slow_until ? 0.1 : 0.03;
      return each * static_cast<double>(batch.size());
    };
    simulate(*plan, work, 8, time, 100, pass_order::dataflow);
    return first;
  };
  CHECK(first_pass_with_own(2) == pass_plan::for_good);
}
