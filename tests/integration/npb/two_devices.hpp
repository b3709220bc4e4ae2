#pragma once
/// Six zones that march on two GPU CUs, some of whose launches and copies may begin late.

#include "late_march.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <vector>

#include <yoke/emulated.hpp>

struct marching_on_two {
  /// `n_on_first`: zones of six on the first device.
  marching_on_two(npb::benchmark_kind which, int n_on_first, const npb::march::choices& how)
      : what{six_zones(which)}, map(6, yoke::unit_id{1}) {
    for (int u = 0; u < 2; ++u) set_device(u, late[static_cast<std::size_t>(u)].get());
    zones = std::make_unique<npb::march>(rt, *what, how, yoke::link_table{rt.devices()});
    std::fill_n(map.begin(), n_on_first, yoke::unit_id{0});
    zones->set_up(map);
  }
  ~marching_on_two() {
    zones.reset();
    for (int u = 0; u < 2; ++u) set_device(u, rt.devices()[static_cast<std::size_t>(u)]);
  }

  void run(const std::vector<int>& runs) {
    zones->restart(std::accumulate(runs.begin(), runs.end(), 0));
    yoke::task_loop loop = zones->assigned(map);
    for (const int n : runs) zones->run(loop, n);
  }
  npb::zone_norms norms_after(const std::vector<int>& runs) {
    run(runs);
    return npb::total_norms(zones->norms());
  }
  yoke::emulated_device& device(std::size_t which) {
    return dynamic_cast<yoke::emulated_device&>(*rt.devices()[which]);
  }

  std::unique_ptr<npb::benchmark> what;
  yoke::runtime rt{{.cus = yoke::sourced{"+2", "a test"}, .devices = yoke::sourced{"emulated:2", "a test"}}};
  std::array<std::unique_ptr<late_device>, 2> late{std::make_unique<late_device>(*rt.devices()[0]),
                                                   std::make_unique<late_device>(*rt.devices()[1])};
  std::unique_ptr<npb::march> zones;
  std::vector<yoke::unit_id> map;

 private:
  void set_device(int unit, yoke::device* dev) {
    const_cast<yoke::compute_unit&>(rt.units().at(yoke::unit_id{unit})).dev = dev;
  }
};
