#include "driver/march.hpp"

#include <support/catch.hpp>

namespace {

std::unique_ptr<npb::benchmark> small() {
  return npb::sp::make_benchmark(npb::make_custom_problem(npb::benchmark_kind::sp, 'S', {29, 23, 9, 3, 2}));
}

}  // namespace

TEST_CASE("graphs are of steps that send faces, also when a run ends as they become due", "[npb]") {
  const auto what = small();
  yoke::runtime rt{{.cus = yoke::sourced{"+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  npb::march zones{rt, *what, npb::exchange_mode::dataflow, true};
  const std::vector<yoke::unit_id> map(what->what().zones.size(), yoke::unit_id{0});
  zones.set_up(map);
  zones.restart(6);
  yoke::task_loop loop = zones.assigned(map);
  zones.run(loop, 2);
  CHECK(zones.accounts().front().replays == 0);  // the second step is due, but the last of its run
  zones.run(loop, 4);
  CHECK(zones.accounts().front().replays == 3);  // the last is launched anew
}
