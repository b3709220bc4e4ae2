#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yoke::detail {

/// "./mine.so:name"; without a name where it ends before it. A comma of a path is written "\,", and a
/// backslash before a comma or another one "\\".
struct plugin_name {
  std::string file, schedule;
  std::string prefix;  ///< of its schedules' names: the file as it is written
};

/// The name that a schedule's options follow.
std::string_view schedule_name_in(std::string_view spec);

/// What a schedule of a shared object is called; nothing where the name is one of a schedule of the
/// library's. Loads nothing.
std::optional<plugin_name> plugin_named_in(std::string_view spec);

}  // namespace yoke::detail
