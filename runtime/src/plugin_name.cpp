#include "plugin_name.hpp"

#include <algorithm>

#include <yoke/parse.hpp>

namespace yoke::detail {

namespace {

bool names_file(std::string_view name) {
  return name.find_first_of("/:") != std::string_view::npos || name.ends_with(".so");
}

}  // namespace

std::string_view schedule_name_in(std::string_view spec) { return name_before_options(spec); }

std::optional<plugin_name> plugin_named_in(std::string_view spec) {
  const std::string_view name = schedule_name_in(spec);
  if (!names_file(name)) return std::nullopt;
  const std::size_t colon = std::min(name.rfind(':'), name.size());
  const std::string_view file = name.substr(0, colon);
  return plugin_name{without_backslashes(file), std::string{name.substr(std::min(colon + 1, name.size()))},
                     std::string{file}};
}

}  // namespace yoke::detail
