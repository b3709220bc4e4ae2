#pragma once
/// What tests of SP and BT alike need of each.

#include "bt/bt_host.hpp"
#include "bt/bt_kernels.hpp"
#include "reference/bt.hpp"
#include "reference/multi_zone.hpp"
#include "reference/sp.hpp"
#include "sp/sp_host.hpp"
#include "sp/sp_kernels.hpp"

#include <map>
#include <string>

namespace support {

/// Phases of a step by their names in the traces, where NPB's x_solve ends with ninvr and so on.
using phases = std::map<std::string, void (*)(const npb::reference::adi_zone&)>;

struct sp {
  static constexpr npb::benchmark_kind kind = npb::benchmark_kind::sp;
  static constexpr auto make_benchmark = npb::sp::make_benchmark;
  static constexpr auto make_host_solver = npb::sp::make_host_solver;
  static constexpr auto make_device_solver = npb::sp::make_device_solver;
  static phases named_phases() {
    using namespace npb::reference;
    using namespace npb::reference::sp;
    return {{"rhs", compute_rhs}, {"txinvr", txinvr},   {"x_sweep", x_solve},
            {"x_solve", ninvr},   {"y_sweep", y_solve}, {"y_solve", pinvr},
            {"z_sweep", z_solve}, {"z_solve", tzetar},  {"add", add}};
  }
};

struct bt {
  static constexpr npb::benchmark_kind kind = npb::benchmark_kind::bt;
  static constexpr auto make_benchmark = npb::bt::make_benchmark;
  static constexpr auto make_host_solver = npb::bt::make_host_solver;
  static constexpr auto make_device_solver = npb::bt::make_device_solver;
  static phases named_phases() {
    using namespace npb::reference;
    using namespace npb::reference::bt;
    return {
        {"rhs", compute_rhs}, {"x_solve", x_solve}, {"y_solve", y_solve}, {"z_solve", z_solve}, {"add", add}};
  }
};

}  // namespace support
