#include "driver.hpp"

#include <algorithm>
#include <string>

#include <yoke/error.hpp>
#include <yoke/simulator.hpp>

using namespace driver;

TEST_CASE("no space is given more bytes than it has", "[memory][property]") {
  const auto seed_used = seed();
  CAPTURE(seed_used);
  generator rng{seed_used};
  for (int round = 0; round < 200; ++round) {
    workload work = random_workload(rng);
    std::size_t total = 0;
    for (int t = 0; t < work.n_tasks; ++t) {
      work.bytes.push_back(static_cast<std::size_t>(between(rng, 1, 100)));
      total += work.bytes.back();
    }
    const std::size_t limit = 1 + total / static_cast<std::size_t>(between(rng, 2, 8));
    std::vector<unit> units = make_units(between(rng, 1, 3), between(rng, 1, 3), limit);
    units.push_back(units.back());  // two CUs that share a space
    for (const char* name :
         {"static-hybrid,pcf=40", "static-hybrid", "cost", "pool,pcf=40", "pool", "partition"}) {
      const auto plan = scheduling::make(name, work, units);
      CAPTURE(round, name, limit, work.n_tasks);
      const auto passes = simulate(*plan, work, static_cast<int>(units.size()),
                                   linear_time(work, speeds_of(units, {0, 1.0}, {0, 0.02})), 7);
      for (const simulated_pass& pass : passes) {
        std::vector<std::size_t> used(8);
        for (std::size_t t = 0; t < pass.map.size(); ++t) {
          const unit& u = units[static_cast<std::size_t>(int{pass.map[t]})];
          if (u.memory > 0) used[static_cast<std::size_t>(int{u.space})] += work.bytes[t];
        }
        REQUIRE(*std::max_element(used.begin(), used.end()) <= limit);
      }
    }
  }
}

TEST_CASE("tasks that cannot fit are refused with the numbers", "[memory][errors]") {
  const workload work{.n_tasks = 3, .bytes = {400, 500, 600}};
  for (const char* name : {"static-hybrid,pcf=2", "static-hybrid", "cost", "pool", "partition"}) {
    CAPTURE(name);
    std::string message = "accepted";
    try {
      (void)scheduling::make(name, work, make_units(0, 2, 700));
    } catch (const out_of_memory& e) {
      message = e.what();
      CHECK(e.bytes_wanted() == 1500);
      CHECK(e.bytes_free() == 1400);
    }
    CHECK(
        message.ends_with(": 3 tasks of 1500 bytes together (the largest 600) do not fit into the memory of "
                          "the units: space 1 700 bytes, space 2 700 bytes; use more devices, CPU CUs or a "
                          "smaller problem"));
  }
  CHECK_NOTHROW(scheduling::make("static-hybrid", work, make_units(0, 2, 900)));
  CHECK_NOTHROW(scheduling::make("cost", work, make_units(1, 1, 1)));
}
