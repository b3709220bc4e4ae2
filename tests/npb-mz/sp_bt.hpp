#pragma once
/// What tests of SP and BT alike need of each.

#include "bt/bt_method.hpp"
#include "common/two_phase_benchmark.hpp"
#include "reference/bt.hpp"
#include "reference/multi_zone.hpp"
#include "reference/sp.hpp"
#include "sp/sp_method.hpp"

#include <map>
#include <string>

namespace support {

/// Phases of a step by their names in the traces, where NPB's x_solve ends with ninvr and so on.
using phases = std::map<std::string, void (*)(const npb::reference::adi_zone&)>;

struct sp : npb::sp::method {
  static constexpr auto make_benchmark = npb::sp::make_benchmark;
  static constexpr auto make_host_solver = npb::make_host_solver<method>;
  static phases named_phases() {
    using namespace npb::reference;
    using namespace npb::reference::sp;
    return {{"rhs", compute_rhs}, {"txinvr", txinvr},   {"x_sweep", x_solve},
            {"x_solve", ninvr},   {"y_sweep", y_solve}, {"y_solve", pinvr},
            {"z_sweep", z_solve}, {"z_solve", tzetar},  {"add", add}};
  }
};

struct bt : npb::bt::method {
  static constexpr auto make_benchmark = npb::bt::make_benchmark;
  static constexpr auto make_host_solver = npb::make_host_solver<method>;
  static phases named_phases() {
    using namespace npb::reference;
    using namespace npb::reference::bt;
    return {
        {"rhs", compute_rhs}, {"x_solve", x_solve}, {"y_solve", y_solve}, {"z_solve", z_solve}, {"add", add}};
  }
};

}  // namespace support
