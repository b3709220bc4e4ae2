#pragma once
/// Options, variables and defaults, brought together and checked.

#include "gpu_units.hpp"
#include "profile_store.hpp"

#include <optional>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/runtime.hpp>
#include <yoke/settings.hpp>

namespace yoke::detail {

struct resolved_settings {
  configuration shape;
  std::string why_sizes;   ///< of CPU CUs; empty where nothing was chosen
  std::string why_closed;  ///< devices are; empty where that was not decided
  sourced cus;             ///< origin "default" where the configuration was not given
  wanted_devices devices;
  detail::device_options device_options;
  sourced schedule;
  std::optional<sourced> trace;
  sourced profile;  ///< `none` or a path
  std::optional<profile_path> profile_file;
  bool check = false;
  bool display = false;
  std::vector<setting_in_force> in_force;
};

/// An option beats its variable, which beats the default. Everything is checked, also what will not be used.
/// Errors: config_error.
resolved_settings resolve(const runtime_options& options, const settings& variables);

}  // namespace yoke::detail
