#pragma once
/// The files that a command line names.

#include "options.hpp"

#include <optional>
#include <string>

namespace npb {

/// Looks at both and opens that of --json, so that what cannot be written is known before the run. Errors:
/// config_error naming the option and why.
void open_files(const std::optional<std::string>& json, const std::optional<yoke::sourced>& trace,
                options& o);

}  // namespace npb
