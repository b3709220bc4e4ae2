#pragma once
/// Zones that march on two GPU CUs, some of whose launches and copies may begin late.

#include "late_march.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <yoke/emulated.hpp>

inline const std::vector<lateness> late_between_two = {
    {"nothing", {}},
    {"copies between devices",
     [](std::string_view name, std::int64_t) { return name == "copy between devices"; }},
    {"packing", [](std::string_view name, std::int64_t) { return name == "pack faces"; }},
    {"unpacking", [](std::string_view name, std::int64_t) { return name == "unpack faces"; }},
    {"copies within a share", [](std::string_view name, std::int64_t) { return name == "copy faces"; }},
    {"the beginning of a step", [](std::string_view name, std::int64_t) { return begins(name); }},
    {"the end of a step", [](std::string_view name, std::int64_t) { return ends(name); }},
};

struct marching_on_two {
  /// `cus`: whose last two are GPU CUs. `where`: the CU of each zone.
  marching_on_two(std::unique_ptr<npb::benchmark> zones_of, const char* cus, std::vector<yoke::unit_id> where,
                  const npb::march::choices& how)
      : what{std::move(zones_of)},
        rt{{.cus = yoke::sourced{cus, "a test"}, .devices = yoke::sourced{"emulated:2", "a test"}}},
        map{std::move(where)} {
    for (std::size_t gpu = 0; gpu < 2; ++gpu) set_device(gpu, late[gpu].get());
    zones = std::make_unique<npb::march>(rt, *what, how, yoke::link_table{rt.devices()});
    zones->set_up(map);
  }
  /// Six zones, the first `n_on_first` of them on the first device, and no CPU CU.
  marching_on_two(npb::benchmark_kind which, int n_on_first, const npb::march::choices& how)
      : marching_on_two{six_zones(which), "+2", first_and_others(n_on_first), how} {}
  ~marching_on_two() {
    zones.reset();
    for (std::size_t gpu = 0; gpu < 2; ++gpu) set_device(gpu, rt.devices()[gpu]);
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
  yoke::runtime rt;
  std::array<std::unique_ptr<late_device>, 2> late{std::make_unique<late_device>(*rt.devices()[0]),
                                                   std::make_unique<late_device>(*rt.devices()[1])};
  std::unique_ptr<npb::march> zones;
  std::vector<yoke::unit_id> map;

 private:
  static std::vector<yoke::unit_id> first_and_others(int n_on_first) {
    std::vector<yoke::unit_id> map(6, yoke::unit_id{1});
    std::fill_n(map.begin(), n_on_first, yoke::unit_id{0});
    return map;
  }
  void set_device(std::size_t gpu, yoke::device* dev) {
    const int unit = rt.units().size() - 2 + static_cast<int>(gpu);
    const_cast<yoke::compute_unit&>(rt.units().at(yoke::unit_id{unit})).dev = dev;
  }
};
