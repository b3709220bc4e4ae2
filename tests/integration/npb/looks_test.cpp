// A schedule tells its map for some steps at a time: the march goes from one such stretch to the next.

#include "marching.hpp"
#include "stretches.hpp"

#include <algorithm>
#include <support/catch.hpp>
#include <vector>

namespace {

map_of_zones first_on_cpu(int n) {
  map_of_zones map(6, yoke::unit_id{1});
  std::fill_n(map.begin(), n, yoke::unit_id{0});
  return map;
}

npb::zone_norms norms_of(npb::benchmark_kind kind, const std::vector<stretch>& all, int steps) {
  marching under{0, kind};
  yoke::task_loop loop = under.rt.make_loop(std::make_unique<in_stretches>(all), under.zones.work());
  under.zones.restart(steps);
  under.zones.run(loop, steps);
  return npb::total_norms(under.zones.norms());
}

}  // namespace

TEST_CASE("a map that is told for some steps at a time gives the bits of one that is told for good",
          "[npb]") {
  constexpr int steps = 37;
  constexpr yoke::pass_id for_good = yoke::pass_plan::for_good;
  for (const npb::benchmark_kind kind : npb::all_benchmarks) {
    const npb::zone_norms expected = marching{6, kind}.norms_after({steps});
    for (const int n : {0, 1, 3, 6}) {
      INFO(npb::short_name(kind) << ", " << n << " zones on the CPU");
      const map_of_zones map = first_on_cpu(n), other = first_on_cpu(6 - n);
      CHECK(norms_of(kind, {{for_good, map}}, steps) == expected);
      // Short stretches, after which all meet, and long ones, before whose end one CU asks.
      CHECK(norms_of(kind, {{1, map}, {3, map}, {7, map}, {17, map}, {28, map}, {for_good, map}}, steps) ==
            expected);
      CHECK(norms_of(kind, {{10, map}, {20, map}, {30, map}, {36, map}, {for_good, map}}, steps) == expected);
      CHECK(norms_of(kind, {{2, map}, {12, map}, {23, other}, {34, other}, {for_good, map}}, steps) ==
            expected);
    }
  }
}
