#pragma once
/// What differs between the files of hwloc's versions.

#include <optional>
#include <string>
#include <string_view>

namespace yoke::detail {

/// "3.0" of a file that hwloc 3.0 wrote; empty of what is no such file.
std::string version_of_xml(std::string_view text);

/// A file of hwloc 3 as hwloc 2 would have written it: objects and kinds of CPUs, without distances and
/// properties of memory, which nobody here asks for. nullopt for what is no file of hwloc 3.
std::optional<std::string> as_of_hwloc_2(std::string_view text);

}  // namespace yoke::detail
