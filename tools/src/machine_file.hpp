#pragma once
/// Machines that `yoke simulate` runs schedules on, as files.

#include "fat_tree.hpp"
#include "json_fields.hpp"

#include <string>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/simulated_machine.hpp>

namespace tools {

/// Units that are alike.
struct unit_group {
  yoke::simulated_unit one;    ///< a CPU, or a GPU
  int count = 0;               ///< CPUs, or GPUs
  double team = 0.95;          ///< what each further CPU of a CPU CU adds; NPB-MZ on two CPUs: 0.92 to 1
  yoke::slowdown slowed_by{};  ///< by CPUs or GPUs at work
};

/// "yoke-machine/1".
struct machine_file {
  std::string name;
  std::vector<unit_group> groups{};
  yoke::link_speed between_devices{};
  std::vector<yoke::speed_change> changes{};
  fat_tree network{};  ///< to other nodes

  int count(yoke::unit_kind kind) const;
  /// CPU CUs of one CPU, and all GPUs.
  yoke::configuration whole() const;
  /// CPUs and GPUs are taken in the order of the groups. Errors: config_error naming what there is.
  yoke::simulated_machine with(const yoke::configuration& cus) const;
};

/// Errors: config_error naming the file and the place.
machine_file read_machine(const std::string& path);
/// Of the JSON itself; `origin` begins the messages.
machine_file read_machine(const json& all, const std::string& origin);
json as_json(const machine_file& machine);

}  // namespace tools
