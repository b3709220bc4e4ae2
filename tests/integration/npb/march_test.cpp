#include "driver/march.hpp"

#include <algorithm>
#include <numeric>
#include <support/catch.hpp>
#include <vector>

#include <yoke/scheduling.hpp>

namespace {

std::unique_ptr<npb::benchmark> small() {
  return npb::sp::make_benchmark(npb::make_custom_problem(npb::benchmark_kind::sp, 'S', {29, 23, 9, 3, 2}));
}

/// Zones on a CPU CU and a GPU CU: the first `n_on_cpu` of six on the former.
struct marching {
  std::unique_ptr<npb::benchmark> what = small();
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  npb::march zones{rt, *what, npb::exchange_mode::dataflow, true};
  std::vector<yoke::unit_id> map;

  explicit marching(int n_on_cpu) : map(what->what().zones.size(), yoke::unit_id{1}) {
    std::fill_n(map.begin(), n_on_cpu, yoke::unit_id{0});
    zones.set_up(map);
  }

  /// The norms after runs of so many steps each, from the beginning.
  npb::zone_norms norms_after(const std::vector<int>& runs) {
    zones.restart(std::accumulate(runs.begin(), runs.end(), 0));
    yoke::task_loop loop = zones.assigned(map);
    for (const int steps : runs) zones.run(loop, steps);
    return npb::total_norms(zones.norms());
  }
};

}  // namespace

TEST_CASE("steps in several runs, and after a restart, have the bits of one run", "[npb]") {
  const npb::zone_norms expected = marching{6}.norms_after({7});
  for (const int n_on_cpu : {0, 1, 3, 6}) {
    INFO(n_on_cpu << " zones on the CPU");
    marching under{n_on_cpu};
    CHECK(under.norms_after({7}) == expected);
    CHECK(under.norms_after({3, 4}) == expected);
    CHECK(under.norms_after({1, 1, 5}) == expected);
    under.norms_after({2});
    CHECK(under.norms_after({7}) == expected);
  }
}

TEST_CASE("zones are where a schedule that measures wants them, and steps keep their bits as it decides",
          "[npb]") {
  const npb::zone_norms expected = marching{6}.norms_after({9});
  for (const char* name : {"static-hybrid", "cost"}) {
    INFO(name);
    marching under{0};
    yoke::task_loop loop = under.rt.make_loop(
        yoke::scheduling::make(name, under.zones.work(), under.rt.schedule_units()), under.zones.work());
    const std::vector<yoke::unit_id> first = loop.plan().map_of(0);
    REQUIRE(std::ranges::count(first, yoke::unit_id{0}) == 3);  // half for each kind
    npb::march zones{under.rt, *under.what, npb::exchange_mode::dataflow, true};
    zones.set_up(first);
    zones.restart(9);
    for (int pass = 0; pass < 9; ++pass) {
      zones.run(loop, 1);
      if (pass < 5) CHECK(zones.accounts().front().tasks == 3 * (pass + 1));
      CHECK((loop.plan().fixed_from() == 5) == (pass >= 5));
    }
    CHECK(npb::total_norms(zones.norms()) == expected);
  }
}

TEST_CASE("graphs are of steps that send faces, also when a run ends as they become due", "[npb]") {
  marching under{0};
  under.zones.restart(6);
  yoke::task_loop loop = under.zones.assigned(under.map);
  under.zones.run(loop, 2);
  CHECK(under.zones.accounts().back().replays == 0);  // the second step is due, but the last of its run
  under.zones.run(loop, 4);
  CHECK(under.zones.accounts().back().replays == 3);  // the last is launched anew
}
