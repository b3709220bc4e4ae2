#pragma once
/// Which machine a command speaks of.

#include <string>

#include <yoke/topology.hpp>

namespace tools {

/// Options of all commands that look at a machine.
struct machine_option {
  std::string text{};  ///< --machine: a file of lstopo, or a synthetic description; empty: this machine
  std::string cpus{};  ///< --cpus: the mask of the process, as "0-3,8"; empty: what it has
  bool smt = false;

  bool is_this() const { return text.empty(); }
};

/// Errors: config_error for what is no machine, or CPUs that it does not have.
yoke::topology machine_of(const machine_option& option);
/// "0-3,8" as numbers. Errors: config_error naming `origin`.
std::vector<int> parse_cpu_list(const std::string& text, const std::string& origin);

}  // namespace tools
