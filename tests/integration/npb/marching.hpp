#pragma once
/// Six zones that march on a CPU CU and a GPU CU.

#include "driver/march/march.hpp"
#include "six_zones.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include <yoke/emulated.hpp>

/// Zones on a CPU CU and a GPU CU: the first `n_on_cpu` of six on the former.
struct marching {
  std::unique_ptr<npb::benchmark> what;
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  npb::march zones{rt, *what, npb::exchange_mode::dataflow, true};
  std::vector<yoke::unit_id> map;

  explicit marching(int n_on_cpu, npb::benchmark_kind kind = npb::benchmark_kind::sp)
      : what{six_zones(kind)}, map(what->what().zones.size(), yoke::unit_id{1}) {
    std::fill_n(map.begin(), n_on_cpu, yoke::unit_id{0});
    zones.set_up(map);
  }

  yoke::emulated_device& device() { return dynamic_cast<yoke::emulated_device&>(*rt.devices().front()); }

  /// The norms after runs of so many steps each, from the beginning.
  npb::zone_norms norms_after(const std::vector<int>& runs) {
    zones.restart(std::accumulate(runs.begin(), runs.end(), 0));
    yoke::task_loop loop = zones.assigned(map);
    for (const int steps : runs) zones.run(loop, steps);
    return npb::total_norms(zones.norms());
  }
};
