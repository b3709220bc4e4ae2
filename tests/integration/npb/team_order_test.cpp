#include "late_march.hpp"

#include <support/catch.hpp>

// A CU of two CPUs beside a GPU: a program of its own, since a process has one set of places.

namespace {

using kind = npb::benchmark_kind;

constexpr const char* cus = "1x2+1";

/// Nobody knows the map beforehand: the CPU CU asks for a pass while the GPU CU is still in an earlier one,
/// in which it has yet to fetch the zones that the CPU CU gets next.
npb::zone_norms norms_under_open_map(kind which, npb::exchange_mode exchange, std::size_t n_to_and_fro) {
  constexpr int steps = 16;  // the driver runs the first ones pass by pass
  marching_late under{which, 6, exchange, true, cus};
  under.late.delay([](std::string_view name, std::int64_t) { return begins(name); });
  under.zones->restart(steps);
  yoke::task_loop loop =
      under.rt.make_loop(std::make_unique<to_and_fro>(n_to_and_fro, false), under.zones->work());
  under.zones->run(loop, steps);
  CHECK(under.late.delayed() > 0);
  return npb::total_norms(under.zones->norms());
}

}  // namespace

TEST_CASE("a CU of several CPUs waits for the zones of its batch before it asks where they are", "[npb]") {
  for (const kind which : {kind::sp, kind::bt, kind::lu}) {
    INFO(npb::short_name(which));
    const npb::zone_norms expected =
        marching_late{which, 6, npb::exchange_mode::dataflow, true, cus}.norms_after({16});
    for (const std::size_t n : {2, 3, 6}) {
      CHECK(norms_under_open_map(which, npb::exchange_mode::dataflow, n) == expected);
      CHECK(norms_under_open_map(which, npb::exchange_mode::barrier, n) == expected);
    }
  }
}
