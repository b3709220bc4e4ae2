#include "profile_store.hpp"

#include <yoke/kept_profiles.hpp>

namespace yoke {

std::optional<std::string> profile_file(const std::optional<sourced>& place) {
  sourced given = place.value_or(sourced{"", "default"});
  const std::optional<detail::profile_path> found = detail::find_profile(given);
  return found ? std::optional{found->path} : std::nullopt;
}

std::vector<profile_entry> kept_profiles(const std::string& file) {
  return detail::read_book(file).entries();
}

std::string damage_of_profiles(const std::string& file) { return detail::read_book(file).damage(); }

std::size_t forget_profiles(const std::string& file, const std::function<bool(const profile_entry&)>& goes) {
  return detail::remove_from_file(file, goes);
}

}  // namespace yoke
