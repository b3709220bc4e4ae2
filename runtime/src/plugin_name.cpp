#include "plugin_name.hpp"

namespace yoke::detail {

namespace {

bool names_file(std::string_view name) {
  return name.find_first_of("/:") != std::string_view::npos || name.ends_with(".so");
}

}  // namespace

std::string_view schedule_name_in(std::string_view spec) { return spec.substr(0, spec.find(',')); }

std::optional<plugin_name> plugin_named_in(std::string_view spec) {
  const std::string_view name = schedule_name_in(spec);
  if (!names_file(name)) return std::nullopt;
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return plugin_name{std::string{name}, ""};
  return plugin_name{std::string{name.substr(0, colon)}, std::string{name.substr(colon + 1)}};
}

}  // namespace yoke::detail
