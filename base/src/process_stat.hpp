#pragma once
/// /proc/PID/stat: one line of fields, the second one the name in brackets.

#include <string>
#include <string_view>

namespace yoke::detail {

struct process_seen {
  std::string identity;  ///< number and start time, as the number comes again
  std::string parent;
  std::string name;
};

/// What the text of such a file says; fields that are missing are empty.
process_seen process_in(std::string_view stat);
/// By its number, or "self".
process_seen look_at(const std::string& process);

/// The text before `separator`, which is taken off with it.
std::string_view take(std::string_view& text, char separator);

}  // namespace yoke::detail
