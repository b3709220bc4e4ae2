#pragma once
/// Marching zones on a CPU CU and a GPU CU some of whose launches begin late.

#include "driver/march/march.hpp"
#include "late_device.hpp"
#include "six_zones.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <yoke/scheduling.hpp>

/// `cus`: a CPU CU and a GPU CU. The first zones are on the CPU CU.
struct marching_late {
  std::unique_ptr<npb::benchmark> what;
  yoke::runtime rt;
  late_device late{*rt.devices().front()};
  std::unique_ptr<npb::march> zones;
  std::vector<yoke::unit_id> map;

  marching_late(npb::benchmark_kind which, int n_on_cpu, npb::exchange_mode exchange, bool graphs,
                const char* cus = "1x1+1")
      : what{six_zones(which)},
        rt{{.cus = yoke::sourced{cus, "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}},
        map(6, yoke::unit_id{1}) {
    // The units are the runtime's; for the time of this test theirs is the late device.
    const_cast<yoke::compute_unit&>(rt.units().at(yoke::unit_id{1})).dev = &late;
    zones = std::make_unique<npb::march>(rt, *what, exchange, graphs);
    std::fill_n(map.begin(), n_on_cpu, yoke::unit_id{0});
    zones->set_up(map);
  }
  ~marching_late() {
    zones.reset();
    const_cast<yoke::compute_unit&>(rt.units().at(yoke::unit_id{1})).dev = rt.devices().front();
  }

  npb::zone_norms norms_after(const std::vector<int>& runs) {
    int steps = 0;
    for (const int n : runs) steps += n;
    zones->restart(steps);
    yoke::task_loop loop = zones->assigned(map);
    for (const int n : runs) zones->run(loop, n);
    return npb::total_norms(zones->norms());
  }
};

/// The first kernel of a step, and the last one of its second part.
inline bool begins(std::string_view name) {
  return name == "sp: planes" || name == "bt: compute_rhs" || name == "lu: reset";
}
inline bool ends(std::string_view name) {
  return name == "sp: z_solve" || name == "bt: z_solve" || name == "lu: residual";
}

/// What of a step may begin late.
struct lateness {
  const char* what;
  late_device::is_late is_late;
};

/// The first zones on the CPU CU in even passes, on the GPU CU with all others in odd ones; never settles.
class to_and_fro final : public yoke::schedule {
 public:
  /// `tells`: the map of each pass is known before it.
  to_and_fro(std::size_t n_zones, bool tells) : n_zones_{n_zones}, tells_{tells} {}

  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    yoke::pass_id& last = last_[static_cast<std::size_t>(unit)];
    if (std::exchange(last, pass) == pass) return {};
    const std::span<const yoke::task_id> all{tasks_};
    const std::size_t on_cpu = pass % 2 == 0 ? n_zones_ : 0;
    return unit == 0 ? all.first(on_cpu) : all.subspan(on_cpu);
  }
  yoke::pass_plan plan_of(yoke::pass_id pass) const override {
    if (!tells_) return {};
    std::vector<yoke::unit_id> map(6, yoke::unit_id{1});
    if (pass % 2 == 0) std::fill_n(map.begin(), n_zones_, yoke::unit_id{0});
    return {.map = std::move(map), .until = pass + 1};
  }
  std::string describe() const override { return "to and fro"; }

 private:
  std::size_t n_zones_;
  bool tells_;
  std::vector<yoke::task_id> tasks_{yoke::task_id{0}, yoke::task_id{1}, yoke::task_id{2},
                                    yoke::task_id{3}, yoke::task_id{4}, yoke::task_id{5}};
  yoke::pass_id last_[2] = {-1, -1};
};
