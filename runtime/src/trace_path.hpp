#pragma once
/// A trace for each runtime.

#include <string>

namespace yoke::detail {

/// `path`, or where an earlier runtime of this process writes there, the first of "name.2.ext", "name.3.ext",
/// … that none has. What is no regular file (/dev/null) is for all. Thread-safe.
std::string own_trace_path(const std::string& path);

}  // namespace yoke::detail
