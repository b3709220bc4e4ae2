#pragma once
/// The command line, of which the manual is made too.

#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <memory>

namespace tools {

/// All options, and what parsing has put into them.
struct command_line {
  CLI::App app{
      "Compute units on this machine: what there is, which CPUs they get, and what is in their way."};
  info_options info;
  places_options places;
  exec_options exec;
  check_options check;
  profile_options profile;
  simulate_options simulate;
  compare_options compare;
  bool wants_manual = false;

  command_line();
  command_line(const command_line&) = delete;
  command_line& operator=(const command_line&) = delete;
};

/// The manual page, as troff.
std::string manual_of(const CLI::App& app);

}  // namespace tools
